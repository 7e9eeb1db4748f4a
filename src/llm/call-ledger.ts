// What is noted of every model call, and asked before one: the contract of the ledger that storage/ keeps.
import type { Usage } from "../lib/usage.ts";
import type { ModelRequest } from "./types.ts";

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
  /** Before the call, with what it will read at least; returns what `settle` wants. */
  open(entry: LedgerEntry, estimate: number): Promise<number | undefined>;
  /** Without the number of its row it only counts. */
  settle(seq: number | undefined, entry: LedgerEntry, end: CallEnd): Promise<void>;
  /** What a day or month has taken so far, of everything or of one cause or person. */
  total(period: "day" | "month", of?: { cause?: string; person?: string }): Total;
  turnTotal(turnId: string): Total;
}
