// Usage as comma-separated values, for spreadsheets.
import type { UsageGroup } from "../../storage/queues/ledger.ts";
import type { UsageReport } from "./usage.ts";

export function toCsv({ rows, currency }: UsageReport, by: UsageGroup): string {
  const head = [by, "calls", "fresh", "cached", "output", "cost", "currency", "unpriced", "ms"];
  const lines = rows.map(({ group, calls, fresh, cached, output, cost, unpriced, ms }) =>
    [group, calls, fresh, cached, output, cost ?? "", currency, unpriced, ms].map(toCell).join(","),
  );
  return `${[head.join(","), ...lines].join("\n")}\n`;
}

/** A spreadsheet takes what begins like a formula for one. */
function toCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
