// The contract of a chat surface. A channel knows the bus and its own platform, nothing of the agent or of other channels.
import type { LiveEvent } from "./live.ts";
import type { Format, NewInbound, OutboundPart, Receipt, Sent } from "./types.ts";

/** What a platform can do, declared once; splitting, markup, typing and streaming follow from it. */
export interface ChannelCapabilities {
  format: Format;
  /** Characters that one message may hold; absent: no limit. */
  maxTextLength?: number;
  markup: "markdown" | "html" | "plain";
  /** live: sees every delta; edit: a draft is edited at `editIntervalMs`; none: whole answers only. */
  streaming: "live" | "edit" | "none";
  editIntervalMs?: number;
  media: boolean;
  typing: boolean;
  reactions: boolean;
  threads: boolean;
  /** Someone can answer an approval here. */
  canAsk: boolean;
  /** The platform drops a second part with the same id, so that sending again is harmless. */
  idempotentSend: boolean;
}

/** What a channel may do with the assistant: hand over a message. It resolves once the message is safe. */
export interface ChannelInbox {
  publish(message: NewInbound): Promise<Receipt>;
}

/**
 * An implementer must acknowledge its platform only after `publish` has resolved, must throw from `send` when the
 * platform did not take the part (the manager retries), must not split, retry or filter by itself, and must end
 * `start` when the signal aborts.
 */
export interface Channel {
  name: string;
  capabilities: ChannelCapabilities;
  start(inbox: ChannelInbox, signal: AbortSignal): Promise<void>;
  send(part: OutboundPart): Promise<Sent>;
  /** Deltas, tool calls and questions as they happen. Must return at once. */
  showLive?(event: LiveEvent): void;
  http?: { path: string; handle(request: Request): Promise<Response> };
}
