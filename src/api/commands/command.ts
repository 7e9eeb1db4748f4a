// A slash command is a row: the operation that it calls, and how its result is shown in a chat. Refusals are shown in one
// place. The rows are handed to the loop, which knows no operation.
import type { Command, CommandContext } from "../../agent/commands.ts";
import { UserError } from "../../i18n/user-error.ts";
import { say, type Words } from "../../i18n/words.ts";
import type { Client, ClientCaller } from "../client.ts";
import type { Interaction } from "../run-operation.ts";

export interface SlashCall {
  /** Calls operations as the person who said it, in the chat where it was said. */
  client: Client;
  words: Words;
  now: number;
  /** Of the conversation in which it was said. */
  sessionKey: string;
  /** Aborts when it is stopped. */
  signal?: AbortSignal;
}

export interface SlashCommand extends Omit<Command, "run"> {
  /** `text` is what stands behind the name. */
  run(call: SlashCall, text: string): Promise<string>;
}

export interface SlashOptions {
  clientFor(caller: ClientCaller): Promise<Client>;
  now(): number;
}

export function toCommands(rows: readonly SlashCommand[], { clientFor, now }: SlashOptions): Command[] {
  return rows.map((row) => ({
    ...row,
    async run(context, text) {
      const { words, signal, sessionKey } = context;
      try {
        const client = withQuestions(await clientFor(toCaller(context)), context);
        return await row.run({ client, words, now: now(), sessionKey, ...(signal && { signal }) }, text);
      } catch (error) {
        if (error instanceof UserError) return say(error.phrase, words);
        throw error;
      }
    },
  }));
}

/** What an operation asks is put to the person who gave the command, in the chat. */
function withQuestions({ isServed, call }: Client, { ask }: CommandContext): Client {
  const inChat: Interaction = { ask: async (question) => (await ask(question)).choice };
  return { isServed, call: (name, params, options) => call(name, params, { ...inChat, ...options }) };
}

function toCaller({ sessionKey, origin }: CommandContext): ClientCaller {
  const { person, role, group, language } = origin;
  return {
    person,
    role,
    ...(group !== undefined && { group }),
    ...(language && { language }),
    chat: { sessionKey, origin },
  };
}
