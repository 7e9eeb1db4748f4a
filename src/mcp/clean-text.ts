// Text of a server as it may stand in a prompt: bounded, and with nothing in it that is invisible.
import { takeHead, toWellFormed } from "../lib/text.ts";

const invisible = /(?![\n\t])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

export function cleanText(text: string, limit: number): string {
  // A little more is looked at, so that what is taken out does not shorten it.
  const visible = toWellFormed(takeHead(text, limit * 2).replaceAll(invisible, "")).trim();
  return visible.length <= limit ? visible : `${takeHead(visible, Math.max(0, limit - 1))}…`;
}
