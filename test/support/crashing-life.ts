// One life of the assistant in this process that dies at its n-th step: from then on nothing reaches a disk, a tool or
// the platform, as after a kill; what is in memory is thrown away. Steps are durable writes, effects and sendings.
import { existsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { buildApp } from "../../src/app/build-app.ts";
import type { NewInbound } from "../../src/bus/types.ts";
import { createWords } from "../../src/i18n/words.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createScripted, type ScriptStep } from "../../src/llm/scripted.ts";
import type { ModelRequest } from "../../src/llm/types.ts";
import { defineTool } from "../../src/runner/define-tool.ts";
import type { Tool } from "../../src/runner/tool.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { DurableBus } from "../../src/storage/queues/durable-bus.ts";
import { Session } from "../../src/storage/sessions/session.ts";
import type { CallKind } from "./protocol-model.ts";

/** What outlives a process: counted by the test. */
export interface Outside {
  home: string;
  /** Call ids, in the order in which something happened. */
  effects: string[];
  /** Ids of parts, as the platform took them. */
  shown: string[];
  /** Their texts. */
  texts: string[];
  /** Messages that the platform need not hand over again. */
  acknowledged: number;
}

export interface Life {
  /** Handed over at once, one after the other. */
  messages: readonly NewInbound[];
  kinds: readonly CallKind[];
  /** The step that it does not survive. */
  diesAt?: number;
  /** What of the session was not forced to the disk is gone as well. */
  losesPower?: boolean;
}

class Death extends Error {
  override name = "Death";
}

class Steps {
  readonly #diesAt: number;
  readonly died = Promise.withResolvers<void>();
  taken = 0;

  constructor(diesAt: number) {
    this.#diesAt = diesAt;
  }

  /** Nothing goes on behind the last step. */
  take(): void {
    if (this.taken >= this.#diesAt) {
      this.died.resolve();
      throw new Death();
    }
    this.taken += 1;
  }
}

/** Resolves with the steps that it lasted; undefined when it came to its end. */
export async function liveUntilDeath(outside: Outside, life: Life): Promise<number | undefined> {
  const { home } = outside;
  const steps = new Steps(life.diesAt ?? Number.POSITIVE_INFINITY);
  const disk = watchSessions(steps);
  const database = await StateDatabase.open({ path: join(home, "state.db") });
  const ending = new AbortController();
  try {
    const finished = await Promise.race([
      steps.died.promise.then(() => false),
      serve(outside, life, { steps, database: stepping(database, steps), ending }).then(() => true),
    ]);
    return finished ? undefined : steps.taken;
  } finally {
    ending.abort(new Error("this life is over"));
    await closing.get(ending)?.();
    disk.stop();
    database.close();
    if (life.losesPower === true && steps.taken === life.diesAt) disk.loseUnsynced();
  }
}

interface Means {
  steps: Steps;
  database: StateDatabase;
  ending: AbortController;
}

const closing = new WeakMap<AbortController, () => Promise<void>>();

async function serve(outside: Outside, life: Life, { steps, database, ending }: Means): Promise<void> {
  const { home } = outside;
  const env = {
    HOME: home,
    NANOBOT_HOME: home,
    PATH: process.env.PATH,
    NANOBOT_MEMORY__AUTO_RECALL: "false",
    NANOBOT_CHANNELS__COLLECT_MS: "0",
  };
  const bus = await DurableBus.open({
    state: database,
    clock: systemClock,
    ids: createIds(systemClock),
  });
  const built = await buildApp({
    paths: resolveHome({ env }),
    env,
    words: createWords("english"),
    provider: createScripted({ steps: [(request) => reply(request, life.kinds)], loop: true }),
    tools: [...new Set(life.kinds)].map((kind) => createActing(kind, outside, steps)),
    bus: bus,
    split: (_channel, text) => text.split("\n\n").map((piece) => ({ text: piece })),
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { app } = built;
  const running = app.loop.run(ending.signal).catch(ignoreDeath);
  const sending = send(bus, outside, steps, ending.signal).catch(ignoreDeath);
  closing.set(ending, async () => {
    await app.close();
    await Promise.all([running, sending]);
  });
  const publish = async (message: NewInbound) => {
    await bus.publishInbound(message);
    steps.take();
    outside.acknowledged += 1;
  };
  await Promise.all(life.messages.slice(outside.acknowledged).map(publish));
  const isOver = () =>
    database.all("SELECT 1 FROM inbox WHERE state = 'waiting'").length === 0 &&
    bus.outbox.list().length === 0;
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** The platform takes no key: it shows whatever it is given. */
async function send(bus: DurableBus, outside: Outside, steps: Steps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const part = await bus.takeOutbound("chat", signal);
    steps.take();
    outside.shown.push(part.id);
    outside.texts.push(part.text);
    await bus.markSent(part.id, { platformId: part.id });
  }
}

function ignoreDeath(error: unknown): void {
  if (!(error instanceof Death) && !(error as Error).message.includes("this life is over")) throw error;
}

/** All calls in one reply, then an answer of two parts. */
function reply({ messages }: ModelRequest, kinds: readonly CallKind[]): ScriptStep {
  const hasResults = messages.some(({ role }) => role === "tool");
  if (hasResults || kinds.length === 0) return "the first part\n\nthe second part";
  return { toolCalls: kinds.map((kind, index) => ({ name: toName(kind), arguments: { index } })) };
}

function toName(kind: CallKind): string {
  return `act_${kind.replaceAll("-", "_")}`;
}

function createActing(kind: CallKind, { effects }: Outside, steps: Steps): Tool {
  return defineTool({
    name: toName(kind),
    description: "acts",
    parameters: z.object({ index: z.number() }),
    ...(kind === "read-only" ? { readOnly: true } : { repeat: kind }),
    async execute(_, { callId }) {
      steps.take();
      if (kind !== "by-call-id" || !effects.includes(callId)) effects.push(callId);
      return { content: "done" };
    },
  }) as Tool;
}

/** A write is a step; the dead write nothing. */
function stepping(database: StateDatabase, steps: Steps): StateDatabase {
  const write: StateDatabase["write"] = async (work, options) => {
    steps.take();
    return database.write(work, options);
  };
  const { all, run } = { all: database.all.bind(database), run: database.run.bind(database) };
  const commit = () => database.commit();
  return { write, all, run, commit, close() {} } as unknown as StateDatabase;
}

/** Every session of this process, as long as it is watched. */
function watchSessions(steps: Steps) {
  const { append, updateMetadata } = Session.prototype;
  /** How much of each file would survive a power cut. */
  const onDisk = new Map<string, number>();
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const watch = async ({ path }: Session, isSynced: boolean, write: () => Promise<void>) => {
    steps.take();
    if (!onDisk.has(path)) onDisk.set(path, sizeOf(path));
    await write();
    if (isSynced) onDisk.set(path, sizeOf(path));
  };
  Session.prototype.append = function (this: Session, entries, options = {}) {
    return watch(this, options.sync === true, () => append.call(this, entries, options));
  };
  Session.prototype.updateMetadata = function (this: Session, patch, options = {}) {
    return watch(this, options.sync === true, () => updateMetadata.call(this, patch, options));
  };
  return {
    stop: () => Object.assign(Session.prototype, { append, updateMetadata }),
    loseUnsynced() {
      for (const [path, size] of onDisk) if (existsSync(path)) truncateSync(path, size);
    },
  };
}
