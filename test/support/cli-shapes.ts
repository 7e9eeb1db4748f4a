// Types the lines of cli-lines.ts and keeps of each what a script relies on: the exit code, and keys and types of the JSON
// value. Sentences are not kept. Needs no test runner.
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../src/lib/process/is-alive.ts";
import { type CliScene, furnish } from "./cli-lines.ts";
import { layDown } from "./fixture-home.ts";

export type Shape = string | Shape[] | { [key: string]: Shape };

export interface Outcome {
  exit: number | null;
  json?: Shape;
}

interface Fixture {
  /** What is so today, and why. */
  differences: Record<string, Outcome & { reason: string }>;
  outcomes: Record<string, Outcome>;
}

export const cliFixturePath = join(import.meta.dirname, "../fixtures/cli-shapes.json");

export const cliFixture: Fixture = JSON.parse(readFileSync(cliFixturePath, "utf8"));

/** Those of 0.1.0, but for what differs. */
export function expectedOf(scene: string): Record<string, Outcome> {
  const all = Object.entries({ ...cliFixture.outcomes, ...cliFixture.differences });
  const own = all.filter(([key]) => key.startsWith(`${scene}: `));
  return Object.fromEntries(
    own.map(([key, { exit, json }]) => [key, { exit, ...(json !== undefined && { json }) }]),
  );
}

export interface Typed {
  code: number | null;
  stdout: string;
}

export type Type = (argv: string[], env: NodeJS.ProcessEnv) => Promise<Typed>;

/** By `<scene>: <line>`, in their order. */
export async function typeScene({ name, lines }: CliScene, type: Type): Promise<Record<string, Outcome>> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-lines-"));
  await using scene = await layDown("people");
  const names: Record<string, string> = {
    folder,
    skill: join(folder, "other"),
    server: join(import.meta.dirname, "odd-mcp-server.mjs"),
  };
  const outcomes: Record<string, Outcome> = {};
  try {
    await furnish(scene.see(), folder);
    // What is due would change what is told meanwhile.
    if (name === "served") await rm(scene.see("workspace/cron/jobs.json"));
    let pid: number | undefined;
    for (const [index, typed] of lines.entries()) {
      const line = typed.replace(/^id = /, "");
      const home = name === "absent" ? join(folder, `nowhere-${index}`) : scene.see();
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        NANOBOT_HOME: home,
        LANG: "en_US.UTF-8",
        TZ: "UTC",
      };
      const argv = toArgv(line.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => names[key] ?? key));
      const { code, stdout } = await type(argv, env);
      const value = parse(stdout);
      if (typed !== line) names.id = findId(value);
      outcomes[toKey(name, line, outcomes)] = toOutcome(line, code, value);
      if (line.startsWith("gateway start")) {
        pid ??= (value as { pid: number }).pid;
        await scene.telegram.waitFor(() => scene.telegram.polls > 0);
      }
    }
    // It is told that it ends, and writes down its cache then.
    while (pid !== undefined && isAlive(pid)) await sleep(20);
  } finally {
    await rm(folder, { recursive: true, force: true });
    const home = scene.see();
    // What a restore has put aside.
    for (const name of await readdir(dirname(home)))
      if (name.startsWith(`${basename(home)}.`)) await rm(join(dirname(home), name), { recursive: true });
  }
  return outcomes;
}

function toOutcome(line: string, code: number | null, value: unknown): Outcome {
  const exit = line.startsWith("doctor") && code === 1 ? 0 : code;
  return { exit, ...(value !== undefined && { json: shapeOf(withoutChance(line, value)) }) };
}

/** Without what depends on the machine or on the moment. */
function withoutChance(line: string, value: unknown): unknown {
  const chance: Record<string, (value: never) => unknown> = {
    "gateway logs": (entries: Array<Record<string, unknown>>) =>
      entries.map(({ event, level, time }) => ({ event, level, time })),
    "skills list": (entries: object[]) => entries.map((entry) => ({ ...entry, reason: null })),
    status: (report: { protection: object }) => ({
      ...report,
      protection: { ...report.protection, sandbox: {} },
    }),
  };
  const [, without] = Object.entries(chance).find(([beginning]) => line.startsWith(beginning)) ?? [];
  return without === undefined ? value : without(value as never);
}

/** A line that is typed again has another key. */
function toKey(scene: string, line: string, before: Record<string, unknown>): string {
  const key = `${scene}: ${line}`;
  return key in before ? `${key} (again)` : key;
}

/** What is in quotes is one word. */
export function toArgv(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findId(value: unknown): string {
  const [first] = [value].flat() as Array<{ id?: unknown } | undefined>;
  return String(first?.id);
}

export function shapeOf(value: unknown): Shape {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(merge)];
  if (typeof value !== "object") return typeof value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, held]) => [key, shapeOf(held)]));
}

/** What holds for both: `key?` is not in each, `a | b` is one or the other. */
function merge(one: Shape, other: Shape): Shape {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (Array.isArray(one) && Array.isArray(other)) {
    const [first, second] = [one[0], other[0]];
    if (first === undefined || second === undefined) return [first ?? second ?? "nothing"];
    return [merge(first, second)];
  }
  if (isKeyed(one) && isKeyed(other)) return mergeKeys(one, other);
  const kinds = [one, other].flatMap((shape) =>
    typeof shape === "string" ? shape.split(" | ") : JSON.stringify(shape),
  );
  return [...new Set(kinds)].sort().join(" | ");
}

type Keyed = { [key: string]: Shape };

function isKeyed(shape: Shape): shape is Keyed {
  return typeof shape === "object" && !Array.isArray(shape);
}

function mergeKeys(one: Keyed, other: Keyed): Keyed {
  const plain = (key: string) => key.replace(/\?$/, "");
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)].map(plain))].sort();
  const merged = names.map((name): [string, Shape] => {
    const [first, second] = [one, other].map((keyed) => keyed[name] ?? keyed[`${name}?`]);
    const isAlways = name in one && name in other;
    const shape = first === undefined ? second : second === undefined ? first : merge(first, second);
    return [isAlways ? name : `${name}?`, shape ?? "nothing"];
  });
  return Object.fromEntries(merged);
}
