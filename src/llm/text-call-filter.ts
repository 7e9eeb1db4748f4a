// Holds back streamed text from the first `<tool_call>` on, with the white space before it: at the end it may turn out
// to be calls, which nobody should read as an answer.
import { textCallMark } from "./tool-arguments.ts";

export function createTextCallFilter() {
  let held = "";
  let isHolding = false;
  return {
    /** What may be shown. */
    push(text: string): string {
      held += text;
      if (isHolding) return "";
      const start = findMark(held);
      isHolding = held.startsWith(textCallMark, start);
      const shown = start === held.length ? held : held.slice(0, start).trimEnd();
      held = held.slice(shown.length);
      return shown;
    },
    /** What was held back. */
    end: () => held,
  };
}

/** Where a mark begins, or may begin when more text comes; else the end. */
function findMark(text: string): number {
  const whole = text.indexOf(textCallMark);
  if (whole !== -1) return whole;
  const last = text.lastIndexOf("<");
  return last !== -1 && textCallMark.startsWith(text.slice(last)) ? last : text.length;
}
