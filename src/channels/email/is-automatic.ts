// Whether a program wrote a mail: lists, bounces, notes of absence. Answering one of them could go on for ever.
import { headersNamed, type Letter } from "./letter.ts";

const machines = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+-].*)?$/;
const listHeaders = ["list-id", "list-unsubscribe", "x-autoreply", "x-autorespond", "feedback-id"];

export function isAutomatic(letter: Letter): boolean {
  const says = (name: string, pattern: RegExp) =>
    headersNamed(letter, name).some((value) => pattern.test(value));
  return (
    machines.test(letter.from.split("@", 1)[0] ?? "") ||
    says("auto-submitted", /^(?!no\b)/i) ||
    says("precedence", /^(bulk|junk|list|auto_reply)\b/i) ||
    says("return-path", /^<\s*>$/) ||
    says("content-type", /^multipart\/report\b/i) ||
    listHeaders.some((name) => headersNamed(letter, name).length > 0)
  );
}
