// The text and the reasoning of one reply as they grow. Inline reasoning leaves the text; it counts as the reply's
// reasoning only when the host sends none in a field of its own.
import { createTextCallFilter } from "./text-call-filter.ts";
import { createThinkFilter } from "./think-tags.ts";
import { createTrimmer } from "./trimmer.ts";
import type { ModelEvent } from "./types.ts";

export interface Answer {
  addText(text: string): ModelEvent[];
  addReasoning(text: string): ModelEvent[];
  /** Text that is settled already. */
  show(text: string): ModelEvent[];
  /** Lets go of everything that was withheld only until more came. */
  end(): ModelEvent[];
  text(): string;
  reasoning(): string;
  /** Text that may be calls. */
  held(): string;
}

export function createAnswer(mayHoldCalls: boolean): Answer {
  const think = createThinkFilter();
  const calls = mayHoldCalls ? createTextCallFilter() : undefined;
  const field = createTrimmer();
  let text = "";
  let inline = "";
  let fromField = "";

  function show(piece: string): ModelEvent[] {
    text += piece;
    return piece === "" ? [] : [{ type: "text-delta", text: piece }];
  }

  function take(piece: { text: string; reasoning: string }): ModelEvent[] {
    inline += piece.reasoning;
    const isShown = piece.reasoning !== "" && fromField === "";
    const shown = show(calls === undefined ? piece.text : calls.push(piece.text));
    return isShown ? [{ type: "reasoning-delta", text: piece.reasoning }, ...shown] : shown;
  }

  return {
    addText: (piece) => take(think.push(piece)),
    addReasoning(piece) {
      field.push(piece);
      const shown = field.take();
      fromField += shown;
      return shown === "" ? [] : [{ type: "reasoning-delta", text: shown }];
    },
    show,
    end: () => take(think.end()),
    text: () => text,
    reasoning: () => (fromField === "" ? inline : fromField),
    held: () => calls?.end() ?? "",
  };
}
