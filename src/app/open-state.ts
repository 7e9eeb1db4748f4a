// What of a home is in flight or counted, opened: the durable bus, the ledger, the jobs, and who was admitted. The
// gateway runs it; another command, when no gateway runs, looks at it and changes it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DurableBus } from "../bus/durable-bus.ts";
import type { OutboundPart } from "../bus/types.ts";
import { PairingStore } from "../channels/pairing-store.ts";
import type { HomePaths } from "../config/home.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { StateDatabase } from "../lib/state-database.ts";
import { Ledger } from "../llm/ledger.ts";
import { type Prices, pricesSchema } from "../llm/prices.ts";
import { CronService, type SystemTask } from "../schedule/cron-service.ts";
import { JobFile } from "../schedule/job-file.ts";
import type { Words } from "../words/words.ts";

export interface StateParts {
  paths: HomePaths;
  clock: Clock;
  ids: Ids;
  log: Log;
  words: Words;
  timeZone: string;
  systemTasks?: SystemTask[];
}

export interface OpenedState {
  bus: DurableBus;
  ledger: Ledger;
  cron: CronService;
  pairing: PairingStore;
  close(): void;
}

export async function openState(parts: StateParts): Promise<OpenedState> {
  const { paths, clock, ids, log, words, timeZone, systemTasks } = parts;
  const state = await StateDatabase.open({
    path: join(paths.home, "state.db"),
    onDamaged: (aside) => log.error("state-set-aside", { aside }),
  });
  const prices = await readPrices(paths, log);
  const bus = await DurableBus.open({ state, clock, ids, apologise: (message) => apologise(message, words) });
  const cron = new CronService({
    file: new JobFile(join(paths.home, "cron", "jobs.json"), clock),
    clock,
    ids,
    log,
    timeZone,
    publish: (message) => bus.publishInbound(message),
    isOpen: (turnId) => bus.isOpen(turnId),
    ...(systemTasks && { systemTasks }),
  });
  return {
    bus,
    ledger: new Ledger({ state, clock, prices: () => prices }),
    cron,
    pairing: new PairingStore(join(paths.home, "pairing.json"), clock),
    close: () => state.close(),
  };
}

function apologise(
  { id, origin, sessionKey }: Parameters<Parameters<typeof DurableBus.open>[0]["apologise"]>[0],
  words: Words,
): OutboundPart[] {
  const { channel, chatId, replyTo } = origin;
  return [
    {
      id: `${id}:final#0`,
      channel,
      chatId,
      sessionKey,
      turnId: id,
      text: words.gateway.apology,
      media: [],
      kind: "notice",
      wasStreamed: false,
      ...(replyTo !== undefined && { replyTo }),
    },
  ];
}

/** A file of prices that cannot be used only means that nothing has a price. */
async function readPrices({ home }: HomePaths, log: Log): Promise<Prices> {
  const text = await readFile(join(home, "prices.json"), "utf8").catch(ignoreMissing);
  if (text === undefined) return pricesSchema.parse({});
  try {
    return pricesSchema.parse(JSON.parse(text));
  } catch (error) {
    log.warn("prices-not-read", { error });
    return pricesSchema.parse({});
  }
}
