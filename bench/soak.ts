// Soak: turns by the thousand in one process, over many sessions and the durable bus: growth of memory and handles. [turns]
// The first tenth, at least 2,000 turns where there are as many, fills what is kept on purpose: growth counts from there.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type App, buildApp } from "../src/app/build-app.ts";
import type { MessageBus } from "../src/bus/bus.ts";
import { resolveHome } from "../src/config/home.ts";
import { playReply } from "../src/offline/scripted.ts";
import { createWords } from "../src/words/words.ts";
import { printFigure } from "./report.ts";

const atOnce = 4;
/** A conversation ends after so many, so that their lengths are no growth. */
const turnsOfSession = 10;
const channel = "soak";

interface Measured {
  rss: number;
  /** The same without what V8 keeps in reserve. */
  held: number;
  heap: number;
  resources: number;
  descriptors: number;
}

/** V8's young generation, which else grows to what suits the machine and stays so: a hundred megabytes on a large one. */
const settled = ["--min-semi-space-size=16", "--max-semi-space-size=16"];

export async function bench(argv: string[]): Promise<void> {
  if (settled.every((flag) => process.execArgv.includes(flag))) return soak(argv);
  const child = fork(join(import.meta.dirname, "run.ts"), ["soak", ...argv], { execArgv: settled });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}

async function soak([count = "20000"]: string[]): Promise<void> {
  const turns = Number(count);
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  // The daily budget would end it.
  await writeFile(
    join(home, "config.json"),
    JSON.stringify({ memory: { autoRecall: false }, budget: { day: { tokens: 0 } } }),
  );
  const app = await openApp(home);
  const ending = new AbortController();
  const running = app.loop.run(ending.signal);
  try {
    const warm = Math.min(Math.max(2_000, turns / 10), turns / 2);
    const start = performance.now();
    await takeTurns(app.bus, 0, warm);
    const before = measure();
    await takeTurns(app.bus, warm, turns);
    const perTurn = (performance.now() - start) / turns;
    print(before, measure());
    printFigure({ name: "turn", value: perTurn, unit: "ms" });
  } finally {
    ending.abort(new Error("the benchmark is over"));
    await running;
    await app.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function openApp(home: string): Promise<App> {
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const built = await buildApp({
    paths: resolveHome({ env }),
    env,
    words: createWords("english"),
    provider: { stream: (request, signal) => playReply({ text: "A short answer." }, request, signal) },
    openBus: async ({ state }) => (await state.open()).bus,
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  return built.app;
}

/** A few conversations side by side, each message after the answer to the one before it. */
async function takeTurns(bus: MessageBus, from: number, to: number): Promise<void> {
  const never = new AbortController().signal;
  for (let turn = from; turn < to; turn += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, to - turn) }, (_, index) => turn + index);
    await Promise.all(numbers.map((number) => ask(bus, number)));
    for (const _ of numbers) {
      const { id } = await bus.takeOutbound(channel, never);
      await bus.markSent(id, { platformId: id });
    }
  }
}

async function ask(bus: MessageBus, number: number): Promise<void> {
  const chatId = `${Math.floor(number / (turnsOfSession * atOnce))}-${number % atOnce}`;
  await bus.publishInbound({
    sourceKey: `${channel}:${number}`,
    sessionKey: `${channel}:${chatId}`,
    origin: {
      channel,
      chatId,
      senderId: "1",
      person: "owner",
      role: "owner",
      cause: "user",
      format: "messaging",
    },
    text: `Message ${number}, of no importance. 第${number}条`,
  });
}

function measure(): Measured {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { rss, heapUsed: heap, heapTotal } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  return { rss, held: rss - (heapTotal - heap), heap, resources, descriptors: countDescriptors() };
}

/** Where the system tells. */
function countDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

function print(before: Measured, after: Measured): void {
  for (const name of ["rss", "held", "heap"] as const) {
    const [baseline, value] = [before[name] / 2 ** 20, after[name] / 2 ** 20];
    printFigure({ name: `${name}-before`, value: baseline, unit: "MB" });
    printFigure({ name, value, unit: "MB", baseline });
    printFigure({ name: `${name}-growth`, value: 100 * (value / baseline - 1), unit: "%" });
  }
  for (const name of ["resources", "descriptors"] as const) {
    printFigure({ name: `open-${name}-before`, value: before[name], unit: "handles" });
    printFigure({ name: `open-${name}`, value: after[name], unit: "handles" });
  }
}
