// Consolidation: a turn of one session while another is archived, waiting for its summary or at work, against a turn alone.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type App, buildApp } from "../src/app/build-app.ts";
import { createWords } from "../src/i18n/words.ts";
import { createScripted } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { resolveHome } from "../src/storage/home.ts";
import { median, percentile, printFigure } from "./report.ts";

const config = {
  agents: { defaults: { contextWindowTokens: 200_000, maxTokens: 8_192, maxConcurrentTurns: 8 } },
  memory: { autoRecall: false },
};
/** Some 240,000 tokens. */
const storedMessages = 800;

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "300" } } });
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  try {
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    await measure(home, Number(values.runs));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measure(home: string, runs: number): Promise<void> {
  const summaries = createSummaries();
  const app = await openApp(home, (request) => (isArchiving(request) ? summaries.next() : "Here."));
  const alone = await timeTurns(app, () => runs);
  report("turn-alone", alone);
  const baseline = median(alone);

  await fill(app, "bench:waiting");
  const waiting = say(app, "bench:waiting");
  await summaries.asked;
  report("turn-while-a-summary-is-awaited", await timeTurns(app, () => runs), baseline);
  summaries.release();
  await waiting;

  const keys = Array.from({ length: 20 }, (_, index) => `bench:archived-${index}`);
  for (const key of keys) await fill(app, key);
  let isOver = false;
  const archiving = archiveAll(app, keys).finally(() => {
    isOver = true;
  });
  report("turn-while-others-are-archived", await timeTurns(app, () => (isOver ? 0 : runs)), baseline);
  const times = await archiving;
  printFigure({ name: "archiving-own", value: median(times), unit: "ms" });
  await app.close();
}

async function archiveAll(app: App, keys: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const key of keys) {
    const start = performance.now();
    await say(app, key);
    times.push(performance.now() - start);
  }
  return times;
}

/** Each in the same session, which has a few turns behind it. */
async function timeTurns(app: App, most: () => number): Promise<number[]> {
  const times: number[] = [];
  await app.loop.processDirect({ sessionKey: "bench:other", text: "/new" });
  for (let run = -5; run < most(); run++) {
    const start = performance.now();
    await say(app, "bench:other");
    if (run >= 0) times.push(performance.now() - start);
  }
  return times;
}

function report(name: string, times: readonly number[], baseline?: number): void {
  printFigure({ name, value: median(times), unit: "ms", baseline });
  printFigure({ name: `${name}-p99`, value: percentile(times, 99), unit: "ms" });
}

/** The first summary waits to be released; those after it come at once. */
function createSummaries() {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<string>();
  const next = () => {
    asked.resolve();
    return held.promise;
  };
  return { asked: asked.promise, next, release: () => held.resolve("- they talked at length") };
}

function isArchiving({ messages }: ModelRequest): boolean {
  return /will be left out from now on/.test(String(messages.at(-1)?.content));
}

async function say(app: App, sessionKey: string): Promise<void> {
  const { stop } = await app.loop.processDirect({ sessionKey, text: "Are you there?" });
  if (stop !== "completed") throw new Error(`a turn ended with ${stop}`);
}

async function fill(app: App, key: string): Promise<void> {
  const { path } = await app.storage.sessions.open(key, "owner");
  await mkdir(dirname(path), { recursive: true });
  const lines = Array.from({ length: storedMessages }, (_, index) => {
    const turn = `m${Math.floor(index / 2)}`;
    const [role, id] = index % 2 === 0 ? ["user", turn] : ["assistant", `${turn}.1`];
    return JSON.stringify({
      role,
      content: `${index} ${"lorem ipsum ".repeat(150)}`,
      id,
      turn,
      at: Date.now(),
    });
  });
  const head = JSON.stringify({ _type: "metadata", key, metadata: {}, last_consolidated: 0 });
  await writeFile(path, `${[head, ...lines].join("\n")}\n`, { mode: 0o600 });
}

async function openApp(
  home: string,
  answer: (request: ModelRequest) => string | Promise<string>,
): Promise<App> {
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const provider = createScripted({ steps: [answer], loop: true });
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english"), provider });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  return built.app;
}
