// A slash command is a row: the operation that it calls, and how its result is shown in a chat. Refusals are shown in one
// place. The rows are handed to the loop, which knows no operation.
import type { Command, CommandContext } from "../../agent/commands.ts";
import { UserError } from "../../i18n/user-error.ts";
import { say } from "../../i18n/words.ts";
import type { Client, ClientCaller } from "../client.ts";
import type { Interaction } from "../run-operation.ts";

export interface SlashCall extends Pick<CommandContext, "words" | "sessionKey" | "signal" | "stopped"> {
  /** Calls operations as the person who said it, in the chat where it was said. */
  client: Pick<Client, "call">;
  /** By a gateway that runs. */
  isServed(): Promise<boolean>;
  now: number;
}

export interface SlashCommand extends Omit<Command, "run"> {
  /** `text` is what follows the name. */
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
      const { words, signal, sessionKey, stopped } = context;
      const callContext = { words, sessionKey, stopped, now: now(), ...(signal && { signal }) };
      try {
        return await row.run({ ...callContext, ...openClient(context, clientFor) }, text);
      } catch (error) {
        if (error instanceof UserError) return say(error.phrase, words);
        throw error;
      }
    },
  }));
}

/** Opened by the first call. What an operation asks is put to the person who gave the command, in the chat. */
function openClient(
  context: CommandContext,
  clientFor: SlashOptions["clientFor"],
): Pick<SlashCall, "client" | "isServed"> {
  let opened: Promise<Client> | undefined;
  const open = () => {
    opened ??= clientFor(toCaller(context));
    return opened;
  };
  const inChat: Interaction = { ask: async (question) => (await context.ask(question)).choice };
  return {
    client: {
      call: async (name, params, options) => (await open()).call(name, params, { ...inChat, ...options }),
    },
    isServed: async () => (await open()).isServed,
  };
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
