// The state of a home over its database: the durable bus, jobs and pairing. The gateway runs it; while none runs,
// another command reads and changes it.
import type { NewInbound, Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Clock } from "../../lib/clock.ts";
import { CronService } from "../../schedule/cron-service.ts";
import { Goals } from "../../schedule/goals.ts";
import { GoalFile } from "../../storage/jobs/goal-file.ts";
import { JobFile, jobFilePath } from "../../storage/jobs/job-file.ts";
import { TriggerFile } from "../../storage/jobs/trigger-file.ts";
import { PairingStore } from "../../storage/people/pairing-store.ts";
import { DurableBus } from "../../storage/queues/durable-bus.ts";
import { ApiTokens } from "../gateway/tokens.ts";
import type { HomeStateParts, OpenedLedger } from "./home-state.ts";

export interface OpenedState extends Omit<OpenedLedger, "database"> {
  bus: DurableBus;
  cron: CronService;
  goals: Goals;
  triggers: TriggerFile;
  pairing: PairingStore;
  tokens: ApiTokens;
  /** Looks for damage in state.db and repairs it, one table at a time, so that nothing waits for it. */
  watchPages(signal: AbortSignal): Promise<void>;
  /** Waits until the outbox is sent, as far as these channels can, for some seconds. */
  flush(hasChannel: (name: string) => boolean): Promise<void>;
  /** When a job, a check or a message that could not be sent is due: the time, or infinity. */
  findDue(): Promise<number>;
  /** From now on records how the turns of scheduled jobs and goals end. */
  recordRuns(): { close(): Promise<void> };
}

/** Time to send what is in the outbox on shutdown. */
const flushMs = 10_000;
const stateCheckMs = 10 * 60_000;

export async function openState(
  { paths, workspace, clock, ids, log, timeZone }: HomeStateParts,
  { database, ledger, currency }: OpenedLedger,
): Promise<OpenedState> {
  const bus = await DurableBus.open({ state: database, clock, ids });
  const cron = new CronService({
    file: new JobFile(jobFilePath(workspace)),
    clock,
    ids,
    log,
    timeZone,
    publish: (message) => bus.publishInbound(toHeard(message, bus)),
    isOpen: (turnId) => bus.isOpen(turnId),
  });
  const goals = new Goals({
    file: new GoalFile(paths.goals),
    clock,
    publish: (message) => bus.publishInbound(message),
    isOpen: (turnId) => bus.isOpen(turnId),
    tokensOf: (turnId) => ledger.turnTotal(turnId).tokens,
  });
  const pairing = new PairingStore(paths.pairing, clock);
  const tokens = new ApiTokens(paths.apiTokens, clock);
  const triggers = new TriggerFile(paths.triggers);
  return {
    bus,
    ledger,
    cron,
    goals,
    triggers,
    pairing,
    tokens,
    currency,
    async watchPages(signal) {
      for (;;) {
        await clock.sleep(stateCheckMs, signal);
        database.check();
      }
    },
    flush: (hasChannel) => flush(bus, clock, hasChannel),
    findDue: () => findDue(cron, bus),
    recordRuns: () => recordRuns({ bus, cron, goals }, { clock, log }),
  };
}

async function flush(
  { outbox }: DurableBus,
  clock: Clock,
  hasChannel: (name: string) => boolean,
): Promise<void> {
  const end = clock.elapsed() + flushMs;
  const isLeaving = () =>
    listUnsent(outbox).some(({ part, nextAt }) => nextAt <= clock.now() && hasChannel(part.channel));
  while (isLeaving() && clock.elapsed() < end) await clock.sleep(50);
}

function listUnsent(outbox: DurableBus["outbox"]) {
  return outbox.list().filter(({ state }) => state === "waiting" || state === "sending");
}

async function findDue(cron: CronService, bus: DurableBus): Promise<number> {
  const jobs = (await cron.listAll()).flatMap(({ enabled, nextRunAtMs }) => (enabled && nextRunAtMs) || []);
  const unsent = listUnsent(bus.outbox).map(({ nextAt }) => nextAt);
  return Math.min(...jobs, ...unsent, Number.POSITIVE_INFINITY);
}

function recordRuns(
  { bus, cron, goals }: Pick<OpenedState, "bus" | "cron" | "goals">,
  { clock, log }: Pick<HomeStateParts, "clock" | "log">,
): { close(): Promise<void> } {
  const startedAt = new Map<string, number>();
  const recording = new Set<Promise<unknown>>();
  const record = (work: Promise<unknown>, failure: string) => {
    const recorded = work
      .catch((error) => log.warn(failure, { error }))
      .finally(() => recording.delete(recorded));
    recording.add(recorded);
  };
  const unsubscribe = bus.onLive(({ turnId, body }) => {
    if (body.type === "turn-start") startedAt.set(turnId, clock.elapsed());
    if (body.type !== "turn-end") return;
    const durationMs = Math.round(clock.elapsed() - (startedAt.get(turnId) ?? clock.elapsed()));
    startedAt.delete(turnId);
    const outcome = { durationMs, ...(body.stop === "error" && { reason: phrase("jobs.turn-failed") }) };
    record(cron.finish(turnId, outcome), "run-not-recorded");
    record(goals.finish(turnId, body.stop), "goal-not-advanced");
  });
  return {
    async close() {
      unsubscribe();
      await Promise.all(recording);
    },
  };
}

/**
 * Nobody listens at the API when a job that was made there is due: its owner hears of it in the chat that was used
 * last, or at the terminal, which keeps it until it is opened.
 */
function toHeard(message: NewInbound, bus: DurableBus): NewInbound {
  const { origin } = message;
  if (origin.channel !== "api") return message;
  const isOwnersChat = ({ role, cause }: Origin) => role === "owner" && cause === "user";
  const { channel, chatId, senderId, format } = bus.findLastOrigin(isOwnersChat) ?? terminal;
  return { ...message, origin: { ...origin, channel, chatId, senderId, format } };
}

const terminal: Pick<Origin, "channel" | "chatId" | "senderId" | "format"> = {
  channel: "cli",
  chatId: "direct",
  senderId: "direct",
  format: "terminal",
};
