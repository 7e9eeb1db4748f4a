// Start: `--version` against bare `node -e 0`, `agent -m` against a bare request with fetch; time and peak memory.
// Runs of all contenders are interleaved, so that a busy machine slows all of them. Needs a built dist/.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startModel } from "./loopback-model.ts";
import { type Figure, median, printFigure } from "./report.ts";

const answer = "Hello from the loopback.";
const launcher = join(import.meta.dirname, "../bin/nanobot.mjs");

interface Contender {
  name: string;
  argv: string[];
  /** What it must print, so that a failure is never measured. */
  prints: string;
  baseline?: string;
}

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "21" } } });
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const { apiBase, close } = await startModel();
  try {
    await writeFile(join(home, "config.json"), JSON.stringify(configFor(apiBase)));
    await compare(contendersFor(apiBase), { home, runs: Number(values.runs) });
  } finally {
    await close();
    await rm(home, { recursive: true, force: true });
  }
}

function contendersFor(apiBase: string): Contender[] {
  const request = join(import.meta.dirname, "bare-request.mjs");
  return [
    { name: "bare-node", argv: ["-e", "0"], prints: "" },
    { name: "version", argv: [launcher, "--version"], prints: ".", baseline: "bare-node" },
    { name: "bare-request", argv: [request, apiBase], prints: answer },
    {
      name: "agent-message",
      argv: [launcher, "agent", "-m", "hi"],
      prints: answer,
      baseline: "bare-request",
    },
  ];
}

function configFor(apiBase: string): unknown {
  return {
    providers: { loopback: { apiBase, apiKey: "bench" } },
    agents: { defaults: { provider: "loopback", model: "bench" } },
  };
}

async function compare(
  contenders: Contender[],
  { home, runs }: { home: string; runs: number },
): Promise<void> {
  const times = new Map(contenders.map((contender) => [contender, [] as number[]]));
  // The first rounds fill the compile cache and the disk's.
  for (let round = -3; round < runs; round++) {
    for (const [contender, measured] of times) {
      const ms = await time(contender, home);
      if (round >= 0) measured.push(ms);
    }
  }
  const medians = new Map([...times].map(([{ name }, measured]) => [name, median(measured)]));
  for (const { name, baseline } of contenders) printFigure(toFigure(name, "ms", medians, baseline));
  const peaks = new Map<string, number>();
  for (const contender of contenders) peaks.set(contender.name, await weigh(contender, home));
  for (const { name, baseline } of contenders) {
    printFigure({ ...toFigure(name, "MB", peaks, baseline), name: `${name}-peak` });
  }
}

function toFigure(name: string, unit: string, values: Map<string, number>, baseline?: string): Figure {
  const figure = { name, value: values.get(name) ?? Number.NaN, unit };
  const base = values.get(baseline ?? "");
  return base === undefined ? figure : { ...figure, baseline: base };
}

async function time(contender: Contender, home: string): Promise<number> {
  const start = performance.now();
  await run(contender, home);
  return performance.now() - start;
}

async function weigh(contender: Contender, home: string): Promise<number> {
  const kilobytes = await run(contender, home, ["--import", join(import.meta.dirname, "peak-memory.mjs")]);
  return Number(kilobytes) / 1024;
}

/** Runs a contender to its end and returns what it wrote to descriptor 3. */
async function run({ name, argv, prints }: Contender, home: string, flags: string[] = []): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home, LANG: "en_US.UTF-8" };
  const child = spawn(process.execPath, [...flags, ...argv], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [stdout, stderr, extra] = [1, 2, 3].map((descriptor) => collect(child.stdio[descriptor]));
  const [code] = await once(child, "close");
  if (code !== 0 || !stdout?.text.includes(prints)) {
    throw new Error(`${name} ended with ${code} and printed: ${stdout?.text}${stderr?.text}`);
  }
  return extra?.text ?? "";
}

function collect(stream: unknown): { text: string } {
  const collected = { text: "" };
  (stream as NodeJS.ReadableStream).on("data", (chunk) => (collected.text += chunk));
  return collected;
}
