// `nanobot usage`: what the models used, by day, cause, model, person or session.

import { describeContext, describeContextDiff } from "../../api/context/describe-context.ts";
import { sumUsage, toCount, toMoney } from "../../api/usage/describe-usage.ts";
import type { UsageReport } from "../../api/usage/usage.ts";
import type { Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { toPlainLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { UsageRow } from "../../storage/queues/ledger.ts";
import type { ContextOptions, UsageOptions } from "../command-line/options.ts";
import { defaultSession } from "../command-line/options.ts";
import { withClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

const usualDays = 30;
const longestGroup = 60;

export function runUsage(options: UsageOptions, context: CommandContext): Promise<number> {
  const { words, stdout } = context.terminal;
  const from = readSince(options.since, words);
  return withClient(options, context.terminal, async ({ client }) => {
    const range = { by: options.by, from };
    if (options.csv === true) {
      stdout.write((await client.call("usage.csv", range)).text);
      return 0;
    }
    const report = await client.call("usage.report", range);
    const markdown = drawTable(report, options, words);
    return printReport({ json: report, markdown }, options, context.terminal);
  });
}

/** From the beginning of that day. */
function readSince(text: string | undefined, { money }: Words): number {
  const days = text === undefined ? usualDays : Number(/^(\d{1,5})d$/i.exec(text.trim())?.[1] ?? Number.NaN);
  const start = new Date(systemClock.now());
  start.setHours(0, 0, 0, 0);
  if (Number.isFinite(days)) return start.setDate(start.getDate() - days);
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec((text ?? "").trim()) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(day));
  if (Number.isNaN(at.getTime()) || at.getDate() !== Number(day))
    throw new CommandFailure(money.badDay(revealLine(text ?? "")), 2);
  return at.getTime();
}

function drawTable({ rows, currency }: UsageReport, { by }: UsageOptions, { money }: Words): string {
  if (rows.length === 0) return money.nothing;
  const { calls, fresh, cached, output, cost } = money.columns;
  const sum = sumUsage(rows, money.sum);
  const lines = [
    toLine([money.groups[by], calls, fresh, cached, output, cost]),
    "|---|--:|--:|--:|--:|--:|",
    ...[...rows, ...(rows.length > 1 ? [sum] : [])].map((row) => toLine(toCells(row, currency))),
  ];
  return [...lines, ...(sum.unpriced > 0 ? ["", money.unpriced(sum.unpriced)] : [])].join("\n");
}

function toCells({ group, calls, fresh, cached, output, cost }: UsageRow, currency: string): string[] {
  const name = toPlainLine(group.replaceAll("|", " "), longestGroup);
  return [name, ...[calls, fresh, cached, output].map(toCount), toMoney(cost, currency)];
}

function toLine(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function runContext(options: ContextOptions, context: CommandContext): Promise<number> {
  const { words, stdout } = context.terminal;
  const params = { sessionKey: options.session || defaultSession, text: options.message ?? "" };
  return withClient(options, context.terminal, async ({ client }) => {
    if (options.raw === true) {
      stdout.write(`${JSON.stringify(await client.call("context.request", params))}\n`);
      return 0;
    }
    const view = await client.call("context.inspect", params);
    const { diff, target: _, lastTurn: __, ...summary } = view;
    const report =
      options.what === "diff"
        ? { json: diff, markdown: describeContextDiff(view, words) }
        : { json: summary, markdown: describeContext(view, words) };
    return printReport(report, options, context.terminal);
  });
}
