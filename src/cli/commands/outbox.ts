// `nanobot outbox`: what is not sent yet or was given up, to be sent again or dropped.

import type { Client } from "../../api/client.ts";
import { describeDistance } from "../../i18n/describe-time.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { findListed } from "../../lib/language/nearest.ts";
import { nanobot } from "../../lib/program-command.ts";
import { toPlainLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { OutboxRow } from "../../storage/queues/outbox.ts";
import type { OutboxOptions } from "../command-line/options.ts";
import { reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

const longestText = 100;
const longestReason = 200;

export function runOutbox(options: OutboxOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  return reportWithClient(options, context, ({ client }) => act(options, words, client));
}

async function act({ action, id }: OutboxOptions, words: Words, client: Client): Promise<Report> {
  const { outbox } = words;
  const { rows } = await client.call("outbox.list", {});
  if (action === "list") {
    const printed = rows.map(({ reason, ...row }) => ({
      ...row,
      ...(reason && { reason: say(reason, words) }),
    }));
    return { json: printed, markdown: listRows(rows, words) };
  }
  if (id === undefined) throw new CommandFailure(outbox.needsId(`${nanobot} outbox ${action}`), 2);
  const parts = rows.map(({ part }) => part);
  const chosen = id === "all" ? parts.map((part) => part.id) : [findListed(parts, id)];
  let count = 0;
  for (const one of chosen) if ((await client.call(`outbox.${action}`, { id: one })).isDone) count += 1;
  if (count === 0 && id !== "all") throw new CommandFailure(outbox.noSuch(revealLine(id)));
  const sentence = action === "retry" ? outbox.retried(count) : outbox.dropped(count);
  return { json: { count }, markdown: sentence };
}

function listRows(rows: readonly OutboxRow[], words: Words): string {
  if (rows.length === 0) return words.outbox.empty;
  return rows.map((row, index) => `${index + 1}. ${describeRow(row, words)}`).join("\n");
}

function describeRow({ part, state, attempts, nextAt, reason }: OutboxRow, words: Words): string {
  const { outbox } = words;
  const now = systemClock.now();
  const chat = `${part.channel}:${part.chatId}`;
  const wait = state === "waiting" && nextAt > now ? `, ${describeDistance(nextAt, now, words)}` : "";
  const lines = [
    `${outbox.row(chat, outbox.states[state], attempts)}${wait}`,
    ...(reason === undefined ? [] : [toPlainLine(say(reason, words), longestReason)]),
    toPlainLine(part.text, longestText),
  ];
  return lines.join("\n   ");
}
