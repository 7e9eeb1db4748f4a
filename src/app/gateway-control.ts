// How a gateway is, and ending or restarting it, for operations and `GET /health`.
import type { GatewayControl, GatewayProblem } from "../api/gateway/gateway.ts";
import { findStateProblems } from "../api/gateway/state-problems.ts";
import type { ChannelManager } from "../channels/manager.ts";
import { systemClock } from "../lib/clock.ts";
import { readVersion } from "../lib/package-root.ts";
import type { App } from "./build-app.ts";
import type { GatewayOptions } from "./build-gateway.ts";
import type { OpenedState } from "./open-state.ts";
import { noteRestart } from "./restart-note.ts";

export interface ControlParts {
  app: App;
  state: OpenedState;
  manager: ChannelManager;
  /** Beside those of the state: of channels, and of a config that could not be used. */
  problems(): GatewayProblem[];
}

export function createGatewayControl(
  { paths, onStop, onRestart, clock = systemClock }: GatewayOptions,
  { app, state, manager, problems }: ControlParts,
): GatewayControl {
  const startedAt = clock.now();
  return {
    async status() {
      const found = await findStateProblems(paths, app.workspace);
      return {
        pid: process.pid,
        version: readVersion(),
        startedAt,
        model: app.model.name,
        activeTurns: app.loop.activeTurns,
        channels: manager.health(),
        problems: [...problems(), ...found.map((phrase) => ({ phrase }))],
        waiting: state.bus.outbox.list().length,
      };
    },
    channelBlocks: app.loaded.config.channels,
    stop: onStop,
    ...(onRestart && {
      async restart(origin) {
        if (origin !== undefined) await noteRestart(paths.run, origin, clock.now());
        onRestart();
      },
    }),
  };
}
