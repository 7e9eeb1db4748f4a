// What happens while a turn runs, for surfaces that show it as it happens. Live events are never stored or awaited:
// a client that was not listening reads the session instead.
import type { Phrase } from "../i18n/phrase.ts";
import type { Usage } from "../lib/usage.ts";
import type { Question } from "./ask.ts";

/** What happened between the assistant and a model host; a surface may show it as one line. */
export type Notice =
  /** `isSilence`: the host had said nothing at all. */
  | { kind: "retry"; attempt: number; waitMs: number; reason: Phrase; isSilence?: boolean }
  /** The host has said nothing for a while, and is waited for. */
  | { kind: "waiting"; host: string; reason: Phrase }
  | { kind: "fallback"; from: string; to: string; reason: Phrase }
  | { kind: "images-dropped"; reason: Phrase }
  /** The model's window is so small that much has to be left out. */
  | { kind: "small-window"; reason: Phrase }
  | { kind: "budget"; reason: Phrase };

/** Parts of a turn that a runner reports and a surface may draw. Pairs share their id. */
export type Progress =
  /** `id` is that of the reply that it stores. */
  | { type: "step-start"; step: number; id: string }
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "text-reset" }
  /** The text so far is one whole piece; `isLast` is false when tools or further text follow. */
  | { type: "text-end"; isLast: boolean }
  | { type: "notice"; notice: Notice }
  | { type: "tool-start"; callId: string; name: string; arguments: Record<string, unknown> }
  | { type: "tool-progress"; callId: string; text: string }
  | { type: "tool-end"; callId: string; name: string; isError: boolean; ms: number; content: string }
  | { type: "step-end"; step: number; id: string; usage?: Usage };

export type LiveBody =
  | Progress
  | { type: "turn-start" }
  | { type: "ask-start"; askId: string; question: Question }
  /** `chosen` is the answer as a person would say it. */
  | { type: "ask-end"; askId: string; chosen: Phrase }
  | { type: "turn-end"; stop: string };

export interface LiveEvent {
  sessionKey: string;
  turnId: string;
  channel: string;
  chatId: string;
  thread?: string;
  body: LiveBody;
}
