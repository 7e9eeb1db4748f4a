// What a host has counted for a request, beside our own estimate of that request: later estimates are corrected by it.
import type { TokenCount } from "../storage/sessions/metadata.ts";

/** Tokens for one that is estimated; 1 while this model has not counted. */
export function toCorrection(counted: TokenCount | undefined, model: string): number {
  if (counted?.model !== model) return 1;
  const correction = counted.tokens / counted.estimate;
  // Some hosts leave out what they had cached, or count another request: no single figure may stretch the window.
  return correction > 0 && Number.isFinite(correction) ? Math.min(2, Math.max(0.7, correction)) : 1;
}
