// Recall: the share of evidence found in long conversations (LoCoMo), the time of a query, the speed and size of the index.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { packagePath } from "../src/lib/package-root.ts";
import type { Embeddings } from "../src/recall/embeddings.ts";
import { Recall, type RecallNote } from "../src/recall/recall.ts";
import { PromptRecall } from "../src/recall/turn-recall.ts";
import type { RecallPlaces } from "../src/storage/search/recall-sources.ts";
import { SessionManager } from "../src/storage/sessions/session-manager.ts";
import { terminalOrigin } from "../test/support/origins.ts";
import { median, percentile, printFigure } from "./report.ts";

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}

export interface Sample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: Array<{ question: string; evidence: string[]; category: number }>;
}

interface Shares {
  session5: number;
  session10: number;
  turn10: number;
}

export const usualFile = packagePath("../shared/data/locomo-dev.json");

export async function bench([file = usualFile]: string[]): Promise<void> {
  const samples = await readSamples(file);
  if (samples === undefined) {
    console.error(`There is no ${file}. Give a file of LoCoMo's shape: npm run bench -- recall <file>`);
    process.exitCode = 1;
    return;
  }
  await measureRecall(samples);
  for (const messages of [10_000, 100_000]) await measureSpeed(samples, messages);
}

export async function readSamples(file: string): Promise<Sample[] | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Sample[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function measureRecall(samples: Sample[], embeddings?: Embeddings): Promise<void> {
  const all: Shares[] = [];
  const times: number[] = [];
  for (const sample of samples) all.push(...(await measureSample(sample, times, embeddings)));
  const mean = (key: keyof Shares) => (100 * all.reduce((sum, shares) => sum + shares[key], 0)) / all.length;
  console.log(`session R@5 ${mean("session5").toFixed(1)} %`);
  console.log(`session R@10 ${mean("session10").toFixed(1)} %`);
  console.log(`turn R@10 ${mean("turn10").toFixed(1)} %`);
  console.log(`query ${median(times).toFixed(1)} ms`);
}

async function measureSample(
  { conversation, qa }: Sample,
  times: number[],
  embeddings?: Embeddings,
): Promise<Shares[]> {
  const { store, recall, clock, close } = await createHome(embeddings);
  try {
    for (const [name, turns] of Object.entries(conversation)) {
      if (!Array.isArray(turns)) continue;
      clock.time = toTime(String(conversation[`${name}_date_time`]));
      const session = await store.open(name, "owner");
      for (const turn of turns as Turn[]) {
        clock.time += 60_000;
        const caption = turn.blip_caption === undefined ? "" : `\n[image: ${turn.blip_caption}]`;
        const message = { role: "user" as const, content: turn.text + caption };
        await session.append([
          { id: turn.dia_id, turn: turn.dia_id, message, extra: { name: turn.speaker } },
        ]);
      }
    }
    await recall.refresh();
    await recall.embed();
    const shares: Shares[] = [];
    for (const { question, evidence } of qa) {
      const wanted = toIds(evidence);
      if (wanted.length === 0) continue;
      const start = performance.now();
      const { hits, sessions } = await recall.search({ query: question, scope: "owner", count: 10 });
      times.push(performance.now() - start);
      const turns = hits.map(({ reference }) => reference.split("@")[0] ?? "");
      const wantedSessions = [...new Set(wanted.map((id) => `session_${id.slice(1).split(":")[0]}`))];
      shares.push({
        session5: share(wantedSessions, sessions.slice(0, 5)),
        session10: share(wantedSessions, sessions.slice(0, 10)),
        turn10: share(wanted, turns),
      });
    }
    return shares;
  } finally {
    await close();
  }
}

/** Sessions of fifty messages, each said in other words than all before. */
export async function measureSpeed(samples: Sample[], messages: number): Promise<void> {
  const turns = samples.flatMap(({ conversation }) =>
    Object.values(conversation).flatMap((list) => (Array.isArray(list) ? (list as Turn[]) : [])),
  );
  const words = turns.flatMap(({ text }) => text.split(" "));
  const home = await createHome();
  try {
    for (let first = 0; first < messages; first += 50) {
      const session = await home.store.open(`session-${first}`, "owner");
      home.clock.time = Date.UTC(2020, 0, 1) + first * 3_600_000;
      const entries = Array.from({ length: 50 }, (_, at) => {
        const start = ((first + at) * 7919) % words.length;
        const content = [...words.slice(start, start + 30), `case-${first + at}`].join(" ");
        return { id: `m${first + at}`, turn: `m${first + at}`, message: { role: "user" as const, content } };
      });
      await session.append(entries);
    }
    const start = performance.now();
    await home.recall.refresh();
    const seconds = (performance.now() - start) / 1000;
    const { size } = await stat(join(home.folder, "index.db"));
    const name = `${messages / 1000}k`;
    printFigure({ name: `index-${name}`, value: messages / seconds, unit: "messages/s" });
    printFigure({ name: `size-${name}`, value: size / 1e6, unit: "MB" });
    const times: number[] = [];
    const used = process.cpuUsage();
    for (const { question } of samples.flatMap(({ qa }) => qa).slice(0, 300)) {
      const start = performance.now();
      await home.recall.search({ query: question, scope: "owner", count: 10 });
      times.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(used);
    printFigure({ name: `query-cpu-${name}`, value: (user + system) / 1000 / times.length, unit: "ms" });
    printFigure({ name: `query-${name}`, value: median(times), unit: "ms" });
    printFigure({ name: `query-p95-${name}`, value: percentile(times, 95), unit: "ms" });
    await measureTurns(home, samples, name);
  } finally {
    await home.close();
  }
}

/** As a new process: its first turn, how many of the next are in time, also on a busy machine, and what becomes of the rest. */
async function measureTurns(home: Home, samples: Sample[], name: string): Promise<void> {
  await home.recall.close();
  const recall = new Recall({
    ...home.places,
    clock: { ...systemClock, now: home.clock.now },
    log: silentLog,
  });
  const questions = samples.flatMap(({ qa }) => qa).slice(0, 200);
  const measure = async () => {
    const times: number[] = [];
    let inTime = 0;
    for (const { question } of questions) {
      const start = performance.now();
      const { late } = await recall.recallFor(question, { scope: "owner" });
      times.push(performance.now() - start);
      if (late === undefined) inTime += 1;
      await late;
    }
    return { times, inTime: (100 * inTime) / questions.length };
  };
  const spinning: ChildProcess[] = [];
  try {
    const { times, inTime } = await measure();
    printFigure({ name: `first-turn-${name}`, value: times[0] ?? 0, unit: "ms" });
    printFigure({ name: `turn-${name}`, value: median(times), unit: "ms" });
    printFigure({ name: `in-time-${name}`, value: inTime, unit: "%" });
    for (let count = 0; count < 2 * availableParallelism(); count++)
      spinning.push(spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" }));
    const busy = await measure();
    printFigure({ name: `turn-busy-${name}`, value: median(busy.times), unit: "ms" });
    printFigure({ name: `in-time-busy-${name}`, value: busy.inTime, unit: "%" });
  } finally {
    for (const child of spinning) child.kill("SIGKILL");
  }
  await measureLate(home, recall, { questions, name }).finally(() => recall.close());
}

/** Where every search is too late for its message: how many of those that found something are in the next step's or message's note. */
async function measureLate(
  { store }: Home,
  recall: Recall,
  { questions, name }: { questions: Sample["qa"]; name: string },
): Promise<void> {
  const session = await store.open("late", "owner");
  const late: Array<Promise<RecallNote>> = [];
  const hurried = {
    async recallFor(...[text, options]: Parameters<Recall["recallFor"]>) {
      const note = await recall.recallFor(text, { ...options, deadlineMs: 0 });
      if (note.late !== undefined) late.push(note.late);
      return note;
    },
  };
  const prompts = new PromptRecall(hurried as unknown as Recall, async () => []);
  const [origin, counts] = [terminalOrigin, { found: 0, stored: 0 }];
  for (const [index, { question }] of questions.entries()) {
    await prompts.recall({ text: question, origin, session });
    const { entries = [] } = (await late.pop()) ?? {};
    if (entries.length === 0) continue;
    counts.found += 1;
    const next =
      index % 2 === 0
        ? await prompts.takeLate({ session, origin })
        : await prompts.recall({ text: "", origin, session });
    if (next?.entries.some(({ reference }) => reference === entries[0]?.reference)) counts.stored += 1;
    await late.pop();
  }
  printFigure({ name: `late-${name}`, value: counts.found, unit: "turns" });
  printFigure({ name: `late-stored-${name}`, value: (100 * counts.stored) / counts.found, unit: "%" });
}

interface Home {
  places: RecallPlaces & { home: string };
  folder: string;
  clock: Clock & { time: number };
  store: SessionManager;
  recall: Recall;
  close(): Promise<void>;
}

async function createHome(embeddings?: Embeddings): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-recall-"));
  const workspace = join(folder, "workspace");
  const clock = { ...systemClock, time: 0, now: () => clock.time };
  const store = await SessionManager.open({
    root: join(folder, "sessions"),
    workspace,
    clock,
    log: silentLog,
  });
  const places = { home: folder, sessionsFolder: store.folder, workspace, knowledge: [] };
  const recall = new Recall({ ...places, clock, log: silentLog, ...(embeddings && { embeddings }) });
  const close = async () => {
    await recall.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { places, folder, clock, store, recall, close };
}

function share(wanted: string[], found: string[]): number {
  return wanted.filter((id) => found.includes(id)).length / wanted.length;
}

/** Some strings hold several, in several spellings. */
function toIds(evidence: string[]): string[] {
  const ids = evidence.flatMap((text) => [...text.matchAll(/D:?(\d+):(\d+)/g)]);
  return [...new Set(ids.map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`))];
}

/** `1:56 pm on 8 May, 2023`, local. */
function toTime(text: string): number {
  const [, time = "", date = ""] = /^(.*?) on (.*)$/.exec(text) ?? [];
  return Date.parse(`${date} ${time}`);
}
