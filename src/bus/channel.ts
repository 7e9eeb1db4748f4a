// The contract of a chat surface. A channel knows the bus and its own platform, nothing of the agent or of other channels.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { LiveEvent } from "./live.ts";
import type { Format, NewInbound, OutboundPart, Receipt, Sent } from "./types.ts";

/** What a platform can do, declared once; splitting, markup, typing and streaming follow from it. */
export interface ChannelCapabilities {
  format: Format;
  /** Characters that one message may hold; absent: no limit. */
  maxTextLength?: number;
  /** mrkdwn: Slack's. */
  markup: "markdown" | "html" | "mrkdwn" | "plain";
  /** live: sees every delta; edit: a draft is edited at `editIntervalMs`; none: whole answers only. */
  streaming: "live" | "edit" | "none";
  editIntervalMs?: number;
  /** Files can be sent. */
  media: boolean;
  typing: boolean;
  /** Every message is a letter: nothing is said on the way to an answer, unless the config asks for it. */
  isQuiet?: boolean;
  /** Someone can answer an approval here. */
  canAsk: boolean;
  /** A file `*.opus` in `part.media` is shown as a voice message. */
  voice?: boolean;
  /** What the platform tells of what people do to their messages; each is handed to `inbox.revise`. */
  revisions?: ReadonlyArray<"edits" | "deletions">;
  /** A question comes with `part.question`, whose choices are shown as buttons; a press is handed to `inbox.choose`. */
  buttons?: boolean;
}

/** What a platform said, as the channel understood it. Who may say it is not the channel's business. */
export interface ChannelUpdate {
  /** Of the message, unique within its chat: a second one with the same id is dropped. */
  platformId: string;
  chat: {
    id: string;
    isGroup: boolean;
    /** A thread is a session of its own; such as `topic:7`. Its answers come with the same word as `part.thread`. */
    thread?: string;
  };
  sender: {
    id: string;
    name?: string;
    /** Other names that a list may know the sender by. */
    aliases?: string[];
  };
  text: string;
  /** Paths that `keep` gave. */
  media?: string[];
  /** Sources that the text came from, where the sender's word for it is not enough, such as `mail:<address>`. */
  labels?: string[];
  /** Said to the assistant: by name, as an answer to it, or in private. */
  isAddressed: boolean;
}

/** A button of a question that a user pressed. */
export interface ChannelPress extends Pick<ChannelUpdate, "platformId" | "chat" | "sender"> {
  /** The button's own text, as `part.question` gave it. */
  token: string;
}

/** What was done to a message that was said before. Of one that was never taken, and of no longer known ones, nothing follows. */
export interface ChannelRevision {
  /** Of the change itself: a second one with the same id is dropped. */
  platformId: string;
  /** Of the message, as `receive` got it. */
  of: string;
  chat: Pick<ChannelUpdate["chat"], "id">;
  /** Who changed it: a text counts only where that is who said it. */
  sender?: ChannelUpdate["sender"];
  /** As it reads now; absent: it was deleted. */
  text?: string;
}

export interface KeptFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** What a channel may do with the assistant: hand over what was said. It resolves once that is safe. */
export interface ChannelInbox {
  publish(message: NewInbound): Promise<Receipt>;
  /** Does what all channels do alike: who may speak, pairing, groups, threads. False: refused. */
  receive(update: ChannelUpdate): Promise<boolean>;
  /** An answer to a question by its button. False: refused, because that person may not speak here. */
  choose(press: ChannelPress): Promise<boolean>;
  /** A person has edited or deleted a message. False: that changes nothing here. */
  revise(revision: ChannelRevision): Promise<boolean>;
  /** Stores an attachment; undefined when it is too large. */
  keep(file: KeptFile): Promise<string | undefined>;
  /** A poll or a ping came back: the platform is there. */
  reportAlive(): void;
}

/** Why a channel has no connection. Built-in channels give a phrase, custom ones their own words. */
export class ChannelError extends Error {
  override name = "ChannelError";
  readonly phrase: Phrase;

  constructor(said: Phrase | string) {
    super(typeof said === "string" ? said : said.code);
    this.phrase = typeof said === "string" ? phrase("channels.quoted", { quote: said }) : said;
  }
}

/** The same in every copy of this module: custom channels come with one of their own. */
const setupErrorBrand = Symbol.for("nanobot.ChannelSetupError");
const sendErrorBrand = Symbol.for("nanobot.SendError");

/** The platform will not take us as we are configured, such as a wrong token: no use in trying again. */
export class ChannelSetupError extends ChannelError {
  override name = "ChannelSetupError";
  readonly [setupErrorBrand] = true;
}

/** The platform did not take a part. `isPermanent`: and never will; `retryAfterMs`: it said when to come back. */
export class SendError extends ChannelError {
  override name = "SendError";
  readonly [sendErrorBrand] = true;
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(said: Phrase | string, { isPermanent = false, retryAfterMs }: SendErrorOptions = {}) {
    super(said);
    this.isPermanent = isPermanent;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Also one of another copy of the class. */
export function isChannelSetupError(error: unknown): error is ChannelSetupError {
  return error instanceof Error && setupErrorBrand in error;
}

/** Also one of another copy of the class. */
export function isSendError(error: unknown): error is SendError {
  return error instanceof Error && sendErrorBrand in error;
}

interface SendErrorOptions {
  isPermanent?: boolean;
  retryAfterMs?: number;
}

/**
 * An implementer must acknowledge its platform only after `publish` or `receive` has resolved, must throw a SendError
 * from `send` when the platform did not take the part, must not split, retry, filter or convert on its own, must end
 * `start` when the signal aborts, and must let it reject when the connection is lost (the manager starts it again).
 */
export interface Channel {
  name: string;
  capabilities: ChannelCapabilities;
  start(inbox: ChannelInbox, signal: AbortSignal): Promise<void>;
  /** `part.text` is in the markup that the channel declared. With `part.draft` it replaces that message. */
  send(part: OutboundPart): Promise<Sent>;
  /** Shows that the assistant is writing; failures do not matter. */
  showTyping?(chatId: string, thread?: string): Promise<void>;
  /** Deltas, tool calls and questions as they happen, for channels that stream live. Must return at once. */
  showLive?(event: LiveEvent): void;
  http?: { path: string; handle(request: Request): Promise<Response> };
}
