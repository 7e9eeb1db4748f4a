// The line below the editor: which model, how full its window is, what was cached, what it has cost, how commands are
// confined, and whether the gateway answers. What does not fit is left out, the least important first.

import type { Words } from "../../i18n/words.ts";
import type { Usage } from "../../lib/usage.ts";
import { fitWidth, textWidth } from "../draw/text-width.ts";

export interface ChatStatus {
  model: string;
  isSandboxed: boolean | undefined;
  isAttached: boolean;
  isLost: boolean;
  /** Of the last step. */
  usage?: Usage;
  cost?: { amount: number; currency: string };
}

const separator = " · ";

export function describeStatus(status: ChatStatus, { terminal }: Words, columns: number): string {
  const { usage, cost } = status;
  if (status.isLost) return fitWidth(terminal.lost, columns);
  // In the order in which they are kept.
  const parts = [
    status.model,
    usage === undefined ? "" : terminal.tokens(formatCount(usage.input)),
    cost === undefined || cost.amount === 0 ? "" : formatMoney(cost),
    usage === undefined || usage.input === 0
      ? ""
      : terminal.cached(Math.round((100 * usage.cached) / usage.input)),
    status.isSandboxed === undefined ? "" : status.isSandboxed ? terminal.sandboxed : terminal.unsandboxed,
    status.isAttached ? terminal.gateway : "",
  ].filter((part) => part !== "");
  while (parts.length > 1 && textWidth(parts.join(separator)) > columns) parts.pop();
  return fitWidth(parts.join(separator), columns);
}

/** `980`, `12.3k`, `1.2M`. */
function formatCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function formatMoney({ amount, currency }: { amount: number; currency: string }): string {
  const sign = currency === "USD" ? "$" : currency === "CNY" ? "¥" : `${currency} `;
  return `${sign}${amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2)}`;
}
