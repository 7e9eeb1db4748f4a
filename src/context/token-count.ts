// What a host has counted for a request, beside our own estimate of that request: later estimates are corrected by it.
import { isRecord } from "../lib/is-record.ts";

/** Kept in the session's metadata under `counted`. */
export interface TokenCount {
  /** Host and model that counted. */
  model: string;
  tokens: number;
  estimate: number;
}

/** Tokens for one that is estimated; 1 while this model has not counted. */
export function toCorrection(counted: unknown, model: string): number {
  if (!isRecord(counted) || counted.model !== model) return 1;
  const correction = Number(counted.tokens) / Number(counted.estimate);
  // Some hosts leave out what they had cached, or count another request: no single figure may stretch the window.
  return correction > 0 && Number.isFinite(correction) ? Math.min(2, Math.max(0.7, correction)) : 1;
}
