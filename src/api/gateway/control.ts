// State, stop and restart of a gateway, for operations and `GET /health`.

import type { AgentLoop } from "../../agent/loop.ts";
import type { ChannelManager } from "../../channels/manager.ts";
import { type SandboxState, toSandboxPhrase } from "../../guards/sandbox/sandbox.ts";
import type { Clock } from "../../lib/clock.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Outbox } from "../../storage/queues/outbox.ts";
import { noteRestart } from "../../storage/restart-note.ts";
import type { GatewayControl, GatewayProblem } from "./gateway.ts";
import { findStateProblems } from "./state-problems.ts";

export interface ControlParts {
  paths: HomePaths;
  workspace: string;
  clock: Clock;
  /** Name of the default model. */
  model: string;
  loop: Pick<AgentLoop, "activeTurns">;
  outbox: Outbox;
  sandbox(): SandboxState;
  manager: ChannelManager;
  channelBlocks: Record<string, unknown>;
  /** Other than those of the state: of channels, and of a config that could not be used. */
  problems(): GatewayProblem[];
  onStop(): void;
  /** Absent: it cannot be restarted. */
  onRestart?(): void;
}

export function createGatewayControl(parts: ControlParts): GatewayControl {
  const { paths, workspace, clock, manager, problems, onRestart } = parts;
  const startedAt = clock.now();
  return {
    async status() {
      const stateProblems = await findStateProblems(paths, workspace);
      return {
        pid: process.pid,
        version: readVersion(),
        startedAt,
        model: parts.model,
        activeTurns: parts.loop.activeTurns,
        channels: manager.health(),
        problems: [...problems(), ...stateProblems.map((phrase) => ({ phrase }))],
        waiting: parts.outbox.list().length,
        sandbox: toSandboxPhrase(parts.sandbox()),
      };
    },
    channelBlocks: parts.channelBlocks,
    stop: parts.onStop,
    ...(onRestart && {
      async restart(origin) {
        if (origin !== undefined) await noteRestart(paths, origin, clock.now());
        onRestart();
      },
    }),
  };
}
