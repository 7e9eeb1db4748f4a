// The state of a home over its database: the durable bus, jobs and pairing. The gateway runs it; while none runs,
// another command reads and changes it.
import type { NewInbound, Origin } from "../../bus/types.ts";
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
  /** Looks for damage in the next table of state.db, and repairs it. */
  checkPages(): void;
}

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
    checkPages: () => database.check(),
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
