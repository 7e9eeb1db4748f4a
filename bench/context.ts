// Context: building the messages of a turn with 200 skills, 8 full files and up to 10,000 stored messages, cold and warm.
// Cold is a new process's first time; warm is a turn in the middle of a conversation, with nothing changed.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { terminalOrigin } from "../src/agent/job.ts";
import { loadConfig } from "../src/config/load.ts";
import { createContext } from "../src/context/create-context.ts";
import type { Epochs, TurnInput } from "../src/context/epochs.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { readSystemTimeZone } from "../src/lib/process/time-zone.ts";
import type { ToolDefinition } from "../src/llm/types.ts";
import type { SkillsLoader } from "../src/skills/loader.ts";
import { openSkills } from "../src/skills/open-skills.ts";
import { resolveHome } from "../src/storage/home.ts";
import type { EpochRecord } from "../src/storage/sessions/metadata.ts";
import type { Session } from "../src/storage/sessions/session.ts";
import { SessionManager } from "../src/storage/sessions/session-manager.ts";
import { median, percentile, printFigure } from "./report.ts";

interface Case {
  name: string;
  stored: number;
  /** How many of them are not consolidated yet. */
  open: number;
}

const cases: Case[] = [
  { name: "history-10", stored: 10, open: 10 },
  { name: "history-10000", stored: 10_000, open: 10 },
  // More than fits: the oldest are left out, and what is left is half a window.
  { name: "history-10000-open", stored: 10_000, open: 10_000 },
];

const mostSkills = 200;
const promptFiles = Array.from({ length: 8 }, (_, index) => `FILE-${index + 1}.md`);

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "300" } } });
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  try {
    await fillHome(home);
    for (const each of cases) await measure(home, each, Number(values.runs));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measure(home: string, each: Case, runs: number): Promise<void> {
  const { epochs, sessions, workspace, skills } = await open(home);
  const session = await openSession(sessions, each);
  const input = toInput(session, workspace);
  const coldStart = performance.now();
  const cold = await build(epochs, input);
  printFigure({ name: `${each.name}-cold`, value: performance.now() - coldStart, unit: "ms" });
  await session.updateMetadata({ epoch: cold });
  const times = await repeat(runs, () => build(epochs, input));
  const warm = median(times);
  printFigure({ name: `${each.name}-warm`, value: warm, unit: "ms" });
  printFigure({ name: `${each.name}-warm-p99`, value: percentile(times, 99), unit: "ms" });
  // Two looks a skill, at its folder and at its SKILL.md: most of it is the file system's time.
  const survey = median(await repeat(runs, () => skills.survey()));
  printFigure({ name: `${each.name}-skills`, value: survey, unit: "ms", baseline: warm });
}

async function repeat(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = -50; run < runs; run++) {
    const start = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - start);
  }
  return times;
}

/** What a turn does before it asks the model; returns the epoch's record. */
async function build(epochs: Epochs, input: TurnInput): Promise<EpochRecord> {
  const { epoch } = await epochs.prepare(input);
  const messages = epochs.toMessages(input.session, epoch);
  if (messages.length < 2) throw new Error("there is nothing to send");
  return epoch.record;
}

function toInput(session: Session, personRoot: string): TurnInput {
  const window = { contextWindow: 200_000, maxTokens: 8_192 };
  return {
    session,
    origin: terminalOrigin,
    personRoot,
    text: "hi",
    media: [],
    model: "bench",
    window,
    tools,
  };
}

const tools: ToolDefinition[] = Array.from({ length: 12 }, (_, index) => ({
  name: `tool_${index}`,
  description: "Does one thing, and says in a few plain words which one it is.",
  parameters: { type: "object", properties: { path: { type: "string", description: "A path" } } },
}));

interface Opened {
  epochs: Epochs;
  sessions: SessionManager;
  workspace: string;
  skills: SkillsLoader;
}

async function open(home: string): Promise<Opened> {
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const paths = resolveHome({ env });
  const loaded = await loadConfig({ home: paths, env });
  if (!loaded.ok) throw new Error("the config cannot be used");
  const { agents, skills: settings, tools } = loaded.config;
  const { workspace, bootstrapFiles, epochIdleMinutes } = agents.defaults;
  const common = { workspace, clock: systemClock, log: silentLog };
  const sessions = await SessionManager.open({ ...common, root: paths.sessions });
  const skills = openSkills({
    ...common,
    paths,
    env,
    settings,
    exec: tools.exec,
    disabled: () => [],
    tools: () => [],
  });
  const timeZone = readSystemTimeZone(env);
  const { epochs } = createContext(
    { ...common, paths, timeZone, bootstrapFiles, epochIdleMinutes },
    { sessions, skills },
  );
  return { epochs, sessions, workspace, skills };
}

async function openSession(sessions: SessionManager, { name, stored, open: left }: Case): Promise<Session> {
  const key = `bench:${name}`;
  const { path } = await sessions.open(key, "owner");
  await mkdir(dirname(path), { recursive: true });
  const dates = { created_at: "2026-01-01T00:00:00", updated_at: "2026-01-01T00:00:00" };
  const head = { _type: "metadata", key, ...dates, metadata: {}, last_consolidated: stored - left };
  const lines = Array.from({ length: stored }, (_, index) => toLine(index));
  await writeFile(path, `${[JSON.stringify(head), ...lines].join("\n")}\n`, { mode: 0o600 });
  return sessions.open(key, "owner");
}

function toLine(index: number): string {
  const role = index % 2 === 0 ? "user" : "assistant";
  const content = `${index} ${"lorem ipsum ".repeat(17)}`;
  const turn = `m${Math.floor(index / 2)}`;
  return JSON.stringify({ role, content, id: `${turn}.${index % 2}`, turn, at: Date.now() });
}

async function fillHome(home: string): Promise<void> {
  const workspace = join(home, "workspace");
  const config = { agents: { defaults: { bootstrapFiles: promptFiles, workspace } } };
  await mkdir(workspace, { recursive: true });
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  for (const name of promptFiles) await writeFile(join(workspace, name), "A line of a file.\n".repeat(1_100));
  for (let index = 0; index < mostSkills; index++) {
    const folder = join(workspace, "skills", `skill-${index}`);
    await mkdir(folder, { recursive: true });
    const front = `---\nname: skill-${index}\ndescription: Does the ${index}th thing when it is asked for.\n---\n`;
    await writeFile(join(folder, "SKILL.md"), `${front}\n# Skill ${index}\n\n${"One step.\n".repeat(50)}`);
  }
}
