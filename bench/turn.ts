// Turn: our own time in one turn, durable writes on, against a raw fetch of the same bytes; short, full window, long history.
// Turns and raw requests alternate; a turn's own time is its duration less the median of the raw requests.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type App, buildApp } from "../src/app/build-app.ts";
import { createWords } from "../src/i18n/words.ts";
import { resolveHome } from "../src/storage/home.ts";
import { startModel } from "./loopback-model.ts";
import { median, percentile, printFigure } from "./report.ts";

interface Case {
  name: string;
  /** Messages in the session file. */
  stored: number;
  /** How many of them are sent, and how long each is. */
  sent: number;
  characters: number;
}

const cases: Case[] = [
  // Makes the session's file and its name durable, once in its life.
  { name: "first-turn", stored: 0, sent: 0, characters: 0 },
  { name: "short", stored: 2, sent: 2, characters: 40 },
  { name: "history-10", stored: 10, sent: 10, characters: 200 },
  { name: "history-1000", stored: 1_000, sent: 10, characters: 200 },
  { name: "history-10000", stored: 10_000, sent: 10, characters: 200 },
  // Some 180,000 tokens: what a window of 200,000 leaves for the prompt.
  { name: "full-window", stored: 400, sent: 400, characters: 1_800 },
];

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "60" } } });
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const model = await startModel();
  const meter = new Meter();
  try {
    await writeFile(join(home, "config.json"), JSON.stringify(configFor(model.apiBase)));
    meter.watch();
    const app = await openApp(home);
    for (const each of cases) await measure(app, meter, each, Number(values.runs));
    await app.close();
    printFigure({ name: "peak-memory", value: process.resourceUsage().maxRSS / 1024, unit: "MB" });
  } finally {
    await model.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function measure(app: App, meter: Meter, each: Case, runs: number): Promise<void> {
  const turns: number[] = [];
  const raws: number[] = [];
  for (let run = -5; run < runs; run++) {
    // A fresh session each time, loaded before the clock starts: every turn has the same prompt.
    const sessionKey = `bench:${each.name}:${run}`;
    await prepareSession(app, sessionKey, each);
    const start = performance.now();
    const { stop } = await app.loop.processDirect({ sessionKey, text: "hi" });
    const turn = performance.now() - start;
    if (stop !== "completed") throw new Error(`a turn ended with ${stop}`);
    const raw = await meter.sendAgain();
    if (run < 0) continue;
    turns.push(turn);
    raws.push(raw);
  }
  const base = median(raws);
  const own = turns.map((turn) => turn - base);
  printFigure({ name: `${each.name}-raw-fetch`, value: base, unit: "ms" });
  printFigure({ name: `${each.name}-turn`, value: median(turns), unit: "ms", baseline: base });
  printFigure({ name: `${each.name}-own`, value: median(own), unit: "ms" });
  printFigure({ name: `${each.name}-own-p99`, value: percentile(own, 99), unit: "ms" });
}

/** Keeps the last request to the model, to send the very same bytes again without us. */
class Meter {
  #last: { url: string; headers: Record<string, string>; body: Buffer } | undefined;

  watch(): void {
    const { request } = http;
    const watched = (url: URL, options: http.RequestOptions) => {
      const sent = request(url, options);
      const end = sent.end.bind(sent) as (body: Buffer) => http.ClientRequest;
      const headers = { ...(options.headers as Record<string, string>) };
      sent.end = ((body: Buffer) => {
        this.#last = { url: url.href, headers, body };
        return end(body);
      }) as typeof sent.end;
      return sent;
    };
    http.request = watched as typeof http.request;
    syncBuiltinESMExports();
  }

  async sendAgain(): Promise<number> {
    if (this.#last === undefined) throw new Error("no request was made");
    const { url, headers, body } = this.#last;
    const start = performance.now();
    const response = await fetch(url, { method: "POST", headers, body });
    await response.text();
    return performance.now() - start;
  }
}

async function prepareSession(app: App, key: string, { stored, sent, characters }: Case): Promise<void> {
  const session = await app.storage.sessions.open(key, "owner");
  if (stored === 0) return;
  await mkdir(dirname(session.path), { recursive: true });
  const at = Date.now();
  const lines = Array.from({ length: stored }, (_, index) => toLine(index, characters, at));
  const metadata = { last_consolidated: stored - sent, metadata: {}, key };
  const head = {
    _type: "metadata",
    created_at: "2026-01-01T00:00:00",
    updated_at: "2026-01-01T00:00:00",
    ...metadata,
  };
  await writeFile(session.path, `${[JSON.stringify(head), ...lines].join("\n")}\n`, { mode: 0o600 });
  // Loaded and with its epoch begun, as in the middle of a conversation.
  await app.loop.processDirect({ sessionKey: key, text: "hello" });
}

function toLine(index: number, characters: number, at: number): string {
  const role = index % 2 === 0 ? "user" : "assistant";
  const content = `${index} ${"lorem ipsum ".repeat(Math.ceil(characters / 12))}`.slice(0, characters);
  const turn = `m${Math.floor(index / 2)}`;
  return JSON.stringify({
    role,
    content,
    timestamp: "2026-01-01T00:00:00",
    id: `${turn}.${index % 2}`,
    turn,
    at,
  });
}

function configFor(apiBase: string): unknown {
  return {
    providers: { loopback: { apiBase, apiKey: "bench" } },
    agents: { defaults: { provider: "loopback", model: "bench" } },
    // It has a thread, a deadline and a benchmark (recall) of its own.
    memory: { autoRecall: false },
    // Full windows, thousands of times, are more than a day may take.
    budget: { turn: { tokens: 0 }, day: { tokens: 0 } },
  };
}

async function openApp(home: string): Promise<App> {
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  return built.app;
}
