// Runaway streams: how much the program grows over a short answer while a model never ends, and how long it lets it. Needs dist/.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printFigure } from "./report.ts";

const launcher = join(import.meta.dirname, "../bin/nanobot.mjs");
const kinds = ["text", "small-text", "reasoning", "arguments", "calls", "line", "comments", "plain-10"];

interface Run {
  peakMb: number;
  ms: number;
  printed: number;
}

export async function bench(argv: string[]): Promise<void> {
  const host = fork(join(import.meta.dirname, "runaway-host.mjs"));
  const [port] = (await once(host, "message")) as [number];
  try {
    // The first fills the compile cache.
    await run(port, "plain-0");
    const short = await run(port, "plain-0");
    printFigure({ name: "short-answer-peak", value: short.peakMb, unit: "MB" });
    for (const kind of argv.length > 0 ? argv : kinds) {
      const { peakMb, ms, printed } = await run(port, kind);
      printFigure({ name: `${kind}-growth`, value: peakMb - short.peakMb, unit: "MB" });
      printFigure({ name: `${kind}-printed`, value: printed / 1024 / 1024, unit: "MB" });
      printFigure({ name: `${kind}-time`, value: ms, unit: "ms" });
    }
  } finally {
    host.disconnect();
  }
}

async function run(port: number, model: string): Promise<Run> {
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const config = {
    providers: { custom: { apiBase: `http://127.0.0.1:${port}/v1`, apiKey: "bench" } },
    agents: { defaults: { provider: "custom", model } },
  };
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ["--import", join(import.meta.dirname, "peak-memory.mjs"), launcher, "agent", "-m", "hi"],
    {
      env: { PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home },
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    },
  );
  const [printed, peak] = await Promise.all([
    count(child.stdout),
    read(child.stdio[3] as ChildProcess["stdout"]),
    once(child, "close"),
  ]);
  const ms = performance.now() - startedAt;
  await rm(home, { recursive: true, force: true });
  return { peakMb: Number(peak) / 1024, ms, printed };
}

async function count(stream: ChildProcess["stdout"]): Promise<number> {
  let length = 0;
  for await (const chunk of stream ?? []) length += (chunk as Buffer).length;
  return length;
}

async function read(stream: ChildProcess["stdout"]): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
