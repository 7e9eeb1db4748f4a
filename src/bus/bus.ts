// The bus decouples channels from the agent. This is its contract; memory-bus.ts keeps it for the
// life of a process, durable-bus.ts beyond it.
import type { LiveEvent } from "./live.ts";
import type { InboundMessage, NewInbound, OutboundPart, Receipt, SendFailure, Sent } from "./types.ts";

/**
 * An implementer must resolve `publishInbound` and `finish` only when what was published survives the death of the
 * process as far as it promises to, must hand out each inbound message and each part to one taker only, and must
 * never wait for a listener of live events.
 */
export interface MessageBus {
  publishInbound(message: NewInbound): Promise<Receipt>;
  /** By its source key, answered or not, as long as it is known. */
  findInbound(sourceKey: string): InboundMessage | undefined;
  /** The oldest message that nobody has taken; waits for one. Throws the signal's reason when it aborts. */
  takeInbound(signal: AbortSignal): Promise<InboundMessage>;
  /**
   * A turn of it begins: counted, so that a message whose turns keep dying is set aside. False when it is no longer
   * open, because another turn answered it or a user stopped it: then nothing may begin.
   */
  claim(inboundId: string): Promise<boolean>;
  /** In one step: the answer is in the outbox, and these inbound messages are done. */
  finish(inboundIds: string[], answer: OutboundPart[]): Promise<void>;
  /** In one step: those that are still open have failed and are kept for inspection, and this is said about them. */
  setAside(inboundIds: string[], apologise: (messages: InboundMessage[]) => OutboundPart[]): Promise<void>;
  /** Parts that do not answer an inbound message: a tool's message, a notice. */
  publishOutbound(parts: OutboundPart[]): Promise<void>;
  takeOutbound(channel: string, signal: AbortSignal): Promise<OutboundPart>;
  markSent(partId: string, sent: Sent): Promise<void>;
  markUnsent(partId: string, failure: SendFailure): Promise<void>;
  /** The message that a turn's answer is being written into, so that a restart settles it instead of sending again. */
  keepDraft(turnId: string, platformId: string): Promise<void>;
  findDraft(turnId: string): string | undefined;
  publishLive(event: LiveEvent): void;
  onLive(listener: (event: LiveEvent) => void): () => void;
}
