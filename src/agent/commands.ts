// Slash commands, a row each. `now`: acts before any queue, also while a turn runs; `idle`: takes its place in the lane;
// `background`: has lanes of its own, so that the conversation goes on meanwhile.
import type { Answer, Asking } from "../bus/ask.ts";
import type { Origin } from "../bus/types.ts";
import type { Inspection } from "../context/inspection.ts";
import type { Words } from "../i18n/words.ts";
import { findNearest } from "../lib/nearest.ts";
import type { Consolidation } from "../memory/consolidator.ts";
import { describeFound } from "../recall/describe-found.ts";
import type { SearchResult } from "../recall/recall.ts";
import type { Session } from "../session/session.ts";
import { describeContext } from "./describe-context.ts";
import type { Job } from "./job.ts";
import { type ModelRuntime, windowOf } from "./model-runtime.ts";

export type { Inspection } from "../context/inspection.ts";

/** About the memory of whoever asks: where a line came from, what was changed, and the way back. */
export interface MemoryAnswers {
  explain(text: string): Promise<string>;
  /** "": the last one that Dream made. */
  showChange(id: string): Promise<string>;
  /** "": those that can be undone. */
  restore(id: string): Promise<string>;
}

/** What the owner has allowed beforehand: for a while in this session, and for ever. */
export interface TrustAnswers {
  give(minutes: string): Promise<string>;
  take(what: string): Promise<string>;
  /** What there is of it, and what came into the conversation from outside; a line each. */
  describe(): Promise<string[]>;
}

/** Commands that are answered from outside of the conversation. */
const answered = ["model", "export"] as const;

export type Answers = Record<(typeof answered)[number], (text: string) => Promise<string>>;

/** What commands may do; the loop supplies it. */
export interface CommandContext {
  words: Words;
  version: string;
  sessionKey: string;
  origin: Origin;
  signal?: AbortSignal;
  activeTurns: number;
  uptimeMs: number;
  /** Puts a question to the person who gave the command and waits for the answer (see questions.ts). */
  ask(question: Asking): Promise<Answer>;
  model(): Promise<ModelRuntime>;
  openSession(): Promise<Session>;
  /** Closes the session's file and keeps it under another name. */
  closeSession(): Promise<void>;
  /** Archives what was said so far, with an eye on something. */
  compact(focus: string): Promise<Consolidation>;
  /** What the next request would contain. */
  inspect(): Promise<Inspection>;
  /** In everything that was said and written in this scope. */
  search(query: string): Promise<SearchResult>;
  /** Goes through what was said since the last time. */
  dream(): Promise<string>;
  memory: MemoryAnswers;
  trust: TrustAnswers;
  answers: Answers;
  /** Puts back the files that the last turn changed. */
  undo(): Promise<string>;
  /** Lists the subagents of this session, or ends one. */
  agents(text: string): string;
  /** Stops what runs and drops what waits in this session; returns how many. */
  stop(): Promise<number>;
}

export interface Command {
  name: string;
  when: "now" | "idle" | "background";
  /** Ends what was said before it, instead of waiting for it. */
  stopsTurn?: boolean;
  /** Could end the process: it is over before it begins, so that it is not run again after the next start. */
  isDoneFirst?: boolean;
  /** What stands behind the name is for it. */
  takesText?: boolean;
  run(context: CommandContext, text: string): Promise<string> | string;
}

export const commands: Command[] = [
  { name: "help", when: "now", run: ({ words }) => describeCommands(words) },
  {
    name: "new",
    when: "idle",
    stopsTurn: true,
    run: async ({ words, closeSession }) => {
      await closeSession();
      return words.reply.newSession;
    },
  },
  {
    name: "compact",
    when: "idle",
    takesText: true,
    run: async ({ words, compact }, focus) => {
      const { archived, freed } = await compact(focus);
      return archived === 0 ? words.reply.nothingToCompact : words.reply.compacted(archived, format(freed));
    },
  },
  { name: "status", when: "now", run: describeStatus },
  {
    name: "context",
    when: "now",
    run: async ({ words, inspect }) => describeContext(await inspect(), words),
  },
  {
    name: "search",
    when: "now",
    takesText: true,
    run: async ({ words, search }, text) =>
      text === "" ? words.memory.needsWords("/search") : describeFound(await search(text), words),
  },
  { name: "dream", when: "background", run: ({ dream }) => dream() },
  {
    name: "why",
    when: "now",
    takesText: true,
    run: ({ words, memory }, text) => (text === "" ? words.memory.needsWords("/why") : memory.explain(text)),
  },
  { name: "dream-log", when: "now", takesText: true, run: ({ memory }, id) => memory.showChange(id) },
  { name: "dream-restore", when: "idle", takesText: true, run: ({ memory }, id) => memory.restore(id) },
  { name: "undo", when: "idle", run: ({ undo }) => undo() },
  { name: "trust", when: "now", takesText: true, run: ({ trust }, text) => trust.give(text) },
  { name: "untrust", when: "now", takesText: true, run: ({ trust }, text) => trust.take(text) },
  { name: "agents", when: "now", takesText: true, run: ({ agents }, text) => agents(text) },
  ...answered.map(
    (name): Command => ({
      name,
      when: "now",
      takesText: true,
      run: ({ answers }, text) => answers[name](text),
    }),
  ),
  {
    name: "stop",
    when: "now",
    stopsTurn: true,
    run: async ({ words, stop }) => {
      const count = await stop();
      return count > 0 ? words.reply.stopped(count) : words.reply.nothingToStop;
    },
  },
];

export type ParsedCommand =
  | { kind: "command"; command: Command; text: string }
  | { kind: "unknown"; reply(words: Words): string };

/** Undefined for ordinary text, and for what only looks like a command, such as the path /etc/hosts. */
export function parseCommand(text: string, added: readonly Command[] = []): ParsedCommand | undefined {
  const all = [...commands, ...added];
  const match = /^\/([a-z][a-z0-9_-]*)(?:@\w+)?(?:\s+([\s\S]*))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const name = (match[1] ?? "").toLowerCase();
  const command = all.find((row) => row.name === name);
  if (command === undefined) {
    const nearest = findNearest(
      name,
      all.map((row) => row.name),
    );
    return {
      kind: "unknown",
      reply: (words) =>
        words.reply.unknownCommand(`/${name}`, nearest === undefined ? undefined : `/${nearest}`),
    };
  }
  const argument = (match[2] ?? "").trim();
  if (argument !== "" && command.takesText !== true) {
    return { kind: "unknown", reply: (words) => words.reply.takesNoArguments(`/${name}`) };
  }
  return { kind: "command", command, text: argument };
}

/** A program that keeps no conversation hands on what others wrote: none of it is a command. */
export function parseJob(
  { inbound: { kind, text }, history }: Pick<Job, "inbound" | "history">,
  added: readonly Command[],
): ParsedCommand | undefined {
  return kind === "system" || history !== undefined ? undefined : parseCommand(text, added);
}

function describeCommands(words: Words): string {
  const rows = Object.entries(words.reply.commands).map(
    ([name, description]) => `- /${name}: ${description}`,
  );
  return [words.reply.helpHeading, ...rows, "", words.reply.helpFooter].join("\n");
}

async function describeStatus(context: CommandContext): Promise<string> {
  const { words, version } = context;
  const model = await context.model();
  const { contextWindow } = windowOf(model);
  const lines = words.reply.status;
  const session = await context.openSession();
  const usage = readLastUsage(session.metadata._last_usage);
  return [
    lines.version(version),
    lines.model(model.settings.model, model.host, model.describeWhy(words)),
    describeTokens(usage, lines),
    lines.context(format(usage.context), format(contextWindow), percent(usage.context, contextWindow)),
    lines.messages(session.count),
    lines.uptime(describeDuration(context.uptimeMs, words)),
    lines.turns(context.activeTurns),
    ...(await context.trust.describe()),
  ].join("\n");
}

/** A host that counts nothing leaves our own estimate of the last request. */
function describeTokens(
  { input, output, cached, context }: LastUsage,
  lines: Words["reply"]["status"],
): string {
  if (input > 0) return lines.tokens(format(input), format(output), percent(cached, input));
  return context > 0 ? lines.estimatedTokens(format(context)) : lines.noTokens;
}

interface LastUsage {
  input: number;
  output: number;
  cached: number;
  context: number;
}

function readLastUsage(value: unknown): LastUsage {
  const usage = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const count = (key: string): number => (typeof usage[key] === "number" ? usage[key] : 0);
  return {
    input: count("prompt_tokens"),
    output: count("completion_tokens"),
    cached: count("cached_tokens"),
    context: count("context_tokens"),
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(999, Math.round((part / whole) * 100)) : 0;
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

function describeDuration(ms: number, { schedule: { units, and } }: Words): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return and(units.hour(hours), units.minute(minutes % 60));
  return minutes > 0 ? and(units.minute(minutes), units.second(seconds % 60)) : units.second(seconds);
}
