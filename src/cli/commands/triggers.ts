// `nanobot trigger`: sends a message to the chat of a trigger. `nanobot triggers`: lists, adds and removes them.
import type { Client } from "../../api/client.ts";
import { listTriggers } from "../../api/jobs/describe-jobs.ts";
import type { Words } from "../../i18n/words.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { TriggerOptions, TriggersOptions } from "../command-line/options.ts";
import { reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { readPipedText } from "../terminal/piped-text.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export async function runTrigger(options: TriggerOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  const { name } = options;
  const text = options.message ?? (await readPiped(context));
  if (text.trim() === "")
    throw new CommandFailure(words.triggers.needsMessage(`${nanobot} trigger ${name}`), 2);
  return reportWithClient(options, context, async ({ client }) => {
    const fired = await client.call("triggers.fire", { trigger: name, text });
    const said = client.isServed ? words.triggers.sent : words.triggers.waits;
    return { json: fired, markdown: said(fired.name) };
  });
}

async function readPiped({ terminal, signal }: CommandContext): Promise<string> {
  const { stdin, words, isStdinTerminal } = terminal;
  if (isStdinTerminal) return "";
  return readPipedText({ stdin, hasMessage: false, words, say: () => {}, signal });
}

export function runTriggers(options: TriggersOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  return reportWithClient(options, context, ({ client }) => act(options, words, client));
}

async function act(options: TriggersOptions, words: Words, client: Client): Promise<Report> {
  const { action, name } = options;
  if (action === "list") {
    const { triggers } = await client.call("triggers.list", {});
    return { json: triggers, markdown: listTriggers(triggers, words) };
  }
  if (name === undefined)
    throw new CommandFailure(words.triggers.needsName(`${nanobot} triggers ${action}`), 2);
  if (action === "remove") {
    const removed = await client.call("triggers.remove", { trigger: name });
    return { json: removed, markdown: words.triggers.removed(removed.name) };
  }
  const { channel, to, signature, template } = options;
  if ((channel === undefined) !== (to === undefined)) throw new CommandFailure(words.schedule.needsChat, 2);
  const chat = { channel: channel ?? "cli", chatId: to ?? "direct" };
  const added = await client.call("triggers.add", {
    name,
    chat,
    ...(signature && { signature }),
    ...(template !== undefined && { template }),
  });
  const said = added.signature === "bearer" ? words.triggers.added : words.triggers.signed;
  return { json: added, text: said(name, added.path, added.secret) };
}
