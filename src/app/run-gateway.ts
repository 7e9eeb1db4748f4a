// Serves a built gateway until a signal aborts: turns, channels and the schedule, and what is watched meanwhile.
import type { OpenedState } from "../api/home/open-state.ts";
import type { ChannelManager } from "../channels/manager.ts";
import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
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

/** Time to send what is in the outbox on shutdown. */
const flushMs = 10_000;
const stateCheckMs = 10 * 60_000;

/** Turns end first, then their answers are sent, then the channels close. */
export async function serve(served: Served, signal: AbortSignal): Promise<void> {
  const { assistant, state, manager, drainMs } = served;
  const { clock, log } = assistant.storage.environment;
  const ending = new AbortController();
  const recorder = recordRuns(served);
  const channels = keepRunning("channels", { clock, log, signal: ending.signal }, () =>
    manager.run(ending.signal),
  );
  try {
    await state.goals.resumeAll().catch((error) => log.warn("goal-not-advanced", { error }));
    await Promise.all([assistant.loop.run(signal, { drainMs }), state.cron.run(signal)]);
    if (!(signal.reason instanceof DurabilityError)) await flush(state, manager, clock);
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

export async function findDue({ cron, bus }: OpenedState): Promise<number> {
  const jobs = (await cron.listAll()).flatMap(({ enabled, nextRunAtMs }) => (enabled && nextRunAtMs) || []);
  const unsent = bus.outbox.list().filter(({ state }) => state === "waiting" || state === "sending");
  return Math.min(...jobs, ...unsent.map(({ nextAt }) => nextAt), Number.POSITIVE_INFINITY);
}

/** Records how the turns of scheduled jobs ended. */
function recordRuns({ assistant, state }: Pick<Served, "assistant" | "state">): { close(): Promise<void> } {
  const { clock, log } = assistant.storage.environment;
  const startedAt = new Map<string, number>();
  const recording = new Set<Promise<unknown>>();
  const unsubscribe = state.bus.onLive(({ turnId, body }) => {
    if (body.type === "turn-start") startedAt.set(turnId, clock.elapsed());
    if (body.type !== "turn-end") return;
    const durationMs = Math.round(clock.elapsed() - (startedAt.get(turnId) ?? clock.elapsed()));
    startedAt.delete(turnId);
    const outcome = { durationMs, ...(body.stop === "error" && { reason: phrase("jobs.turn-failed") }) };
    const finished = state.cron
      .finish(turnId, outcome)
      .catch((error) => log.warn("run-not-recorded", { error }))
      .finally(() => recording.delete(finished));
    recording.add(finished);
    const advanced = state.goals
      .finish(turnId, body.stop)
      .catch((error) => log.warn("goal-not-advanced", { error }))
      .finally(() => recording.delete(advanced));
    recording.add(advanced);
  });
  return {
    async close() {
      unsubscribe();
      await Promise.all(recording);
    },
  };
}

async function flush({ bus }: OpenedState, manager: ChannelManager, clock: Clock): Promise<void> {
  const end = clock.elapsed() + flushMs;
  const isLeaving = () =>
    bus.outbox
      .list()
      .some(
        ({ part, state, nextAt }) =>
          (state === "waiting" || state === "sending") && nextAt <= clock.now() && manager.has(part.channel),
      );
  while (isLeaving() && clock.elapsed() < end) await clock.sleep(50);
}

/** Looks for damage in state.db, one table at a time, so that nothing waits for it. */
export async function checkState(
  { checkPages }: OpenedState,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await clock.sleep(stateCheckMs, signal);
    checkPages();
  }
}
