// Slash commands: the contract, the router that recognises one, and nothing about any single command.
import type { Answer, Asking } from "../bus/ask.ts";
import type { Origin } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import { findNearest } from "../lib/language/nearest.ts";
import type { Job } from "./job.ts";

export interface CommandContext {
  words: Words;
  sessionKey: string;
  origin: Origin;
  /** Aborts when it is stopped. */
  signal?: AbortSignal;
  /** Of a command that acts now and stops the turn: how many were ended. */
  stopped: number;
  /** Puts a question to the person who gave the command and waits for the answer (see questions.ts). */
  ask(question: Asking): Promise<Answer>;
}

export interface Command {
  name: string;
  /**
   * `now`: before any queue, also while a turn runs; `idle`: in its place in the lane; `background`: in separate lanes,
   * so that the conversation goes on meanwhile.
   */
  when: "now" | "idle" | "background";
  /** Ends earlier messages of the chat, in the step that takes it, instead of waiting for them. */
  stopsTurn?: boolean;
  /** Could end the process: it is over before it begins, so that it is not run again after the next start. */
  isDoneFirst?: boolean;
  /** Takes arguments after its name. */
  takesText?: boolean;
  run(context: CommandContext, text: string): Promise<string>;
}

/** The commands of an assistant. They are registered when what they call has been built. */
export class CommandRouter {
  readonly #commands: Command[] = [];

  register(commands: readonly Command[]): void {
    this.#commands.push(...commands);
  }

  /** Undefined for ordinary text. What a program passes on without keeping a conversation is never a command. */
  parse({ inbound, history }: Pick<Job, "inbound" | "history">): ParsedCommand | undefined {
    const { kind, text, revises } = inbound;
    const isSaid = kind !== "system" && history === undefined && revises === undefined;
    return isSaid ? parseCommand(text, this.#commands) : undefined;
  }
}

export type ParsedCommand =
  | { kind: "command"; command: Command; text: string }
  | { kind: "unknown"; reply(words: Words): string };

/** Undefined for ordinary text, and for what only looks like a command, such as the path /etc/hosts. */
export function parseCommand(text: string, commands: readonly Command[]): ParsedCommand | undefined {
  const match = /^\/([a-z][a-z0-9_-]*)(?:@\w+)?(?:\s+([\s\S]*))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const name = (match[1] ?? "").toLowerCase();
  const command = commands.find((row) => row.name === name);
  if (command === undefined) {
    const nearest = findNearest(
      name,
      commands.map((row) => row.name),
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
