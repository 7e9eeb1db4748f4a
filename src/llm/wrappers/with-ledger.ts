// Writes every model call to the ledger, and refuses one whose budget is used up before it costs anything. The innermost
// wrapper: each attempt of a retry counts. `CallLedger` is the contract of the ledger that storage/ keeps.
import type { BudgetScope, BudgetUse } from "../../i18n/en/phrases/models.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { noUsage, type Usage } from "../../lib/usage.ts";
import { type BudgetConfig, type BudgetLimit, nothing, shareUsed, usualCauses } from "../config.ts";
import { toFailedEnd } from "../errors/provider-error.ts";
import { estimateRequestTokens } from "../message-tokens.ts";
import type { Message, ModelReply, ModelRequest, ProviderWrapper } from "../types.ts";

export interface LedgerEntry extends Required<ModelRequest["attribution"]> {
  model: string;
}

export interface Total {
  tokens: number;
  money: number;
}

export interface CallEnd {
  usage: Usage;
  ms: number;
  stop: string;
}

export interface CallLedger {
  /** Before the call, with an estimate of its input; returns the row's number for `settle`. */
  open(entry: LedgerEntry, estimate: number): Promise<number | undefined>;
  /** Without a row number it only counts. */
  settle(seq: number | undefined, entry: LedgerEntry, end: CallEnd): Promise<void>;
  /** What a day or month has used so far, in all or for one cause or person. */
  total(period: "day" | "month", of?: { cause?: string; person?: string }): Total;
  turnTotal(turnId: string): Total;
}

interface LedgerOptions {
  /** An error says why there is none: then no model is called. */
  ledger(): Promise<CallLedger | UserError>;
  budget: BudgetConfig;
  clock: Clock;
  /** `host/model`, as prices and people know it. */
  name: string;
  /** It could not be written, such as on a full disk. The call goes on, and counts while the program runs. */
  onProblem(error: unknown): undefined;
}

const dayMs = 86_400_000;

interface Check {
  scope: BudgetScope;
  limit: BudgetLimit | undefined;
  total(): Total;
}

export function withLedger(options: LedgerOptions): ProviderWrapper {
  const { budget, clock, name, onProblem } = options;
  const warned = new Set<string>();

  function listChecks(ledger: CallLedger, { turnId, cause, person }: LedgerEntry): Check[] {
    const byCause = budget.causes[cause] ?? usualCauses[cause];
    const byPerson = budget.people[person];
    const spent = (period: "day" | "month", of?: { cause?: string; person?: string }) => () =>
      ledger.total(period, of);
    return [
      { scope: { period: "turn" }, limit: budget.turn, total: () => ledger.turnTotal(turnId) },
      { scope: { period: "day" }, limit: budget.day, total: spent("day") },
      { scope: { period: "month" }, limit: budget.month, total: spent("month") },
      { scope: { period: "day", cause }, limit: byCause?.day, total: spent("day", { cause }) },
      { scope: { period: "month", cause }, limit: byCause?.month, total: spent("month", { cause }) },
      { scope: { period: "day", person }, limit: byPerson?.day, total: spent("day", { person }) },
      { scope: { period: "month", person }, limit: byPerson?.month, total: spent("month", { person }) },
    ];
  }

  return (provider) => ({
    async *stream(request, signal) {
      const refuse = (reason: Phrase) => toFailedEnd(request, { kind: "budget", host: name, phrase: reason });
      const ledger = await options.ledger();
      if (ledger instanceof UserError) {
        yield refuse(ledger.phrase);
        return;
      }
      const entry = toEntry(request, name);
      const checks = listChecks(ledger, entry);
      const shares = checks.map(shareOf);
      const over = checks.find((_, index) => (shares[index] ?? 0) >= 1);
      if (over !== undefined) {
        yield refuse(describeOver(over));
        return;
      }
      const today = Math.floor(clock.now() / dayMs);
      const warning = (check: Check) => JSON.stringify([today, check.scope]);
      const isNear = (check: Check, index: number) =>
        (shares[index] ?? 0) >= budget.warnAt && !warned.has(warning(check));
      const near = checks.find(isNear);
      if (near !== undefined) {
        warned.add(warning(near));
        yield { type: "notice", notice: { kind: "budget", reason: describeNear(near) } };
      }
      // Not waited for: it is written while the host begins to answer.
      const opened = ledger.open(entry, estimate(request.messages)).catch(onProblem);
      const startedAt = clock.elapsed();
      let reply: ModelReply | undefined;
      try {
        for await (const event of provider.stream(request, signal)) {
          if (event.type === "reply-end") {
            reply = withUsage(event.reply, request);
            yield { ...event, reply };
          } else yield event;
        }
      } finally {
        const usage = reply?.usage ?? (reply?.error === undefined ? toGuess(request, reply) : noUsage);
        const stop = reply?.stop ?? "aborted";
        const end = { usage, ms: clock.elapsed() - startedAt, stop };
        await ledger.settle(await opened, entry, end).catch(onProblem);
      }
    },
  });
}

function toEntry({ attribution }: ModelRequest, model: string): LedgerEntry {
  return { ...attribution, person: attribution.person ?? "owner", model };
}

/** How much of a limit is used, at most of tokens and money; 0 without a limit. */
function shareOf({ limit, total }: Check): number {
  if (limit === undefined) return 0;
  const { tokens, money } = total();
  return Math.max(shareUsed(tokens, limit.tokens), shareUsed(money, limit.money));
}

function describeOver({ scope, limit, total }: Check): Phrase {
  if (limit?.tokens === nothing || limit?.money === nothing) return phrase("budget.unset", scope);
  return phrase("budget.used", { ...scope, ...toAmount(limit, total()) });
}

function describeNear({ scope, limit, total }: Check): Phrase {
  return phrase("budget.near", { ...scope, ...toAmount(limit, total()) });
}

function toAmount(
  limit: BudgetLimit | undefined,
  { tokens, money }: Total,
): Omit<BudgetUse, keyof BudgetScope> {
  const isMoney =
    limit?.money !== undefined && money / limit.money >= tokens / (limit.tokens || Number.POSITIVE_INFINITY);
  return isMoney
    ? { unit: "money", used: money, limit: limit.money ?? 0 }
    : { unit: "tokens", used: tokens, limit: limit?.tokens ?? 0 };
}

/** Of a host that reports none: estimated, and marked so. */
function withUsage(reply: ModelReply, request: ModelRequest): ModelReply {
  if (reply.usage !== undefined || reply.error !== undefined) return reply;
  const input = estimateRequestTokens(request);
  return { ...reply, usage: { ...toGuess(request, reply), input, isEstimate: true } };
}

/** Usage of a host that reports none, or of an interrupted call: estimated from what was sent and received. */
function toGuess({ messages }: ModelRequest, reply: ModelReply | undefined) {
  return { ...noUsage, input: estimate(messages), output: reply === undefined ? 0 : guessOutput(reply) };
}

function guessOutput({ message }: ModelReply): number {
  const { content, reasoning_content: thoughts = "", tool_calls: calls = [] } = message;
  const characters = (content ?? "").length + thoughts.length;
  const ofCalls = calls.reduce(
    (sum, { function: { name, arguments: json } }) => sum + name.length + json.length,
    0,
  );
  return Math.ceil((characters + ofCalls) / 4);
}

/** Cheap, because it is done before every call. */
function estimate(messages: readonly Message[]): number {
  let characters = 0;
  for (const { content } of messages) {
    if (typeof content === "string") characters += content.length;
    else for (const part of content ?? []) characters += part.type === "text" ? part.text.length : 4_000;
  }
  return Math.ceil(characters / 4);
}
