// Slash commands, a row each. `now`: acts before any queue, also while a turn runs; `idle`: takes its place in the lane;
// `background`: has lanes of its own, so that the conversation goes on meanwhile.
import type { Answer, Asking } from "../bus/ask.ts";
import type { Origin } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import { findNearest } from "../lib/nearest.ts";
import type { Consolidation } from "../memory/consolidator.ts";
import type { Job } from "./job.ts";

export type { Inspection } from "../context/inspection.ts";

/** Commands that are answered from outside of the conversation. */
const answered = ["model"] as const;

export type Answers = Record<(typeof answered)[number], (text: string) => Promise<string>>;

/** What commands may do; the loop supplies it. */
export interface CommandContext {
  words: Words;
  sessionKey: string;
  origin: Origin;
  signal?: AbortSignal;
  /** Puts a question to the person who gave the command and waits for the answer (see questions.ts). */
  ask(question: Asking): Promise<Answer>;
  /** Closes the session's file and keeps it under another name. */
  closeSession(): Promise<void>;
  /** Archives what was said so far, with an eye on something. */
  compact(focus: string): Promise<Consolidation>;
  answers: Answers;
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

function format(count: number): string {
  return count.toLocaleString("en-US");
}
