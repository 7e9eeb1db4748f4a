// Serves a built gateway until a signal aborts: turns, channels and the schedule, and what is watched meanwhile.
import type { OpenedState } from "../api/home/open-state.ts";
import type { ChannelManager } from "../channels/manager.ts";
import { keepRunning } from "../lib/process/background.ts";
import { DurabilityError } from "../storage/durability.ts";
import type { Assistant } from "./build-assistant.ts";

export interface Served {
  assistant: Assistant;
  state: OpenedState;
  manager: ChannelManager;
  /** How long running turns may take to end on their own; the next start continues them. */
  drainMs: number;
}

/** Turns end first, then their answers are sent, then the channels close. */
export async function serve(served: Served, signal: AbortSignal): Promise<void> {
  const { assistant, state, manager, drainMs } = served;
  const { clock, log } = assistant.storage.environment;
  const ending = new AbortController();
  const recorder = state.recordRuns();
  const channels = keepRunning("channels", { clock, log, signal: ending.signal }, () =>
    manager.run(ending.signal),
  );
  try {
    await state.goals.resumeAll().catch((error) => log.warn("goal-not-advanced", { error }));
    await Promise.all([assistant.loop.run(signal, { drainMs }), state.cron.run(signal)]);
    if (!(signal.reason instanceof DurabilityError)) await state.flush((channel) => manager.has(channel));
  } finally {
    ending.abort(new Error("the gateway ends"));
    await channels;
    await recorder.close();
  }
}

/** A channel that polls or holds a connection has to be served all the time. */
export function look({ assistant, manager }: Pick<Served, "assistant" | "manager">) {
  const { loop, messaging } = assistant;
  const { hub, channels } = messaging.sockets;
  const isConnected = manager.health().some(({ name }) => !Object.hasOwn(channels, name));
  return { isQuiet: !isConnected && loop.activeTurns === 0 && !hub.isHeard, activity: hub.seq };
}
