// State, stop and restart of a gateway, for operations and `GET /health`.

import type { AgentLoop } from "../../agent/loop.ts";
import { toSessionKey } from "../../bus/session-key.ts";
import type { OutboundPart } from "../../bus/types.ts";
import type { ChannelManager } from "../../channels/manager.ts";
import { type SandboxState, toSandboxPhrase } from "../../guards/sandbox/sandbox.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Outbox } from "../../storage/queues/outbox.ts";
import { noteRestart, takeRestart } from "../../storage/restart-note.ts";
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

/** A longer time was not spent on a restart: the clock was set, or nothing ran meanwhile. */
const longestRestartMs = 10 * 60_000;

/** What a gateway has to say after a restart that was asked for, once. */
export async function sayRestarted(
  paths: HomePaths,
  { now, words }: { now: number; words: Words },
): Promise<OutboundPart[]> {
  const note = await takeRestart(paths);
  if (note === undefined) return [];
  const { at, language: _, ...address } = note;
  const { restart } = speakTo(note, words).answers;
  const ms = now - at;
  const id = `restart:${at}`;
  return [
    {
      id,
      ...address,
      sessionKey: toSessionKey(address),
      turnId: id,
      text: ms >= 0 && ms <= longestRestartMs ? restart.done((ms / 1000).toFixed(1)) : restart.back,
      media: [],
      kind: "notice",
      wasStreamed: false,
    },
  ];
}
