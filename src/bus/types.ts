// What travels between channels and the agent: who speaks, what came in, what goes out. Knows no channel by name.
import type { Phrase } from "../i18n/phrase.ts";

export type Cause = "user" | "cron" | "trigger" | "heartbeat" | "dream" | "subagent" | "api";

export type Role = "owner" | "guest";

/** How an answer will be shown; the format hint of the runtime context follows from it. */
export type Format = "terminal" | "markdown" | "messaging" | "plain" | "email";

export interface Origin {
  channel: string;
  chatId: string;
  /** Within the chat, as its channel names it: a conversation of its own, and where its answers go. */
  thread?: string;
  senderId: string;
  /** The person behind the sender, the same on every channel: "owner", or a guest's id. */
  person: string;
  role: Role;
  /** The group that it was said in; absent in private. */
  group?: string;
  cause: Cause;
  format: Format;
  /** The speaker's language, where it is known: texts of the program are in it. */
  language?: "english" | "chinese";
  /** The platform's id of the message that is answered. */
  replyTo?: string;
}

/** A job that speaks because its time has come. */
export interface DueTask {
  name: string;
  /** A reminder, or what else is done at one time only. */
  isOnce: boolean;
}

/** The message that a person has changed. */
export interface Revised {
  /** Its inbound id, which its turn and its line in the session have, too. */
  id: string;
  /** What it said before; "" where it was deleted. */
  before: string;
  isDeleted?: true;
}

export interface NewInbound {
  /** Unique per channel and platform message; a second one with the same key is dropped. */
  sourceKey: string;
  sessionKey: string;
  origin: Origin;
  text: string;
  /** In a group, who says it: for the model, which sees the name before the text. */
  speaker?: string;
  /** What of the text was spoken: a recording came with it. */
  spoken?: string;
  /** Absolute paths of stored attachments. */
  media?: string[];
  /** Sources that the text came from (web, mail, a guest): what the guards judge. */
  labels?: string[];
  /** More of it may follow at once: the turn waits a moment for it. */
  isBurst?: boolean;
  /** Not said but chosen: the token of a button (`toButtons` in ask.ts). The text is empty. */
  pressed?: string;
  /** Not a new message: an earlier one was edited or deleted. */
  revises?: Revised;
  /** "system": said by the machine (a schedule, a subagent), answered at the origin. */
  kind?: "user" | "system";
  /** The job that is due, for people: its text is written for the model. */
  task?: DueTask;
  /** An answer that begins with this says that there is nothing to tell: it is not sent. */
  silence?: string;
}

export interface InboundMessage extends NewInbound {
  /** Id of the turn that it starts. */
  id: string;
  receivedAt: number;
  /** Turns of it that died before this one. */
  attempts?: number;
}

export interface Receipt {
  id: string;
  isDuplicate: boolean;
}

/** One message of a text that was split for a channel, with files where that says it better. */
export interface Piece {
  text: string;
  media?: string[];
}

/** The conversation that an answer belongs to, and the chat that it goes to. */
export type AnswerAddress = Pick<OutboundPart, "chatId" | "thread" | "sessionKey">;

export interface OutboundPart {
  /** `<turn>:final#k`, or `<call id>#k` for a part sent by a tool. */
  id: string;
  channel: string;
  chatId: string;
  /** As the channel gave it with what is answered; absent: the chat itself. */
  thread?: string;
  sessionKey: string;
  turnId: string;
  text: string;
  media: string[];
  replyTo?: string;
  kind: "answer" | "command" | "notice" | "message";
  /** Of a notice: it tells why the turn failed. */
  isFailure?: boolean;
  /** The text was shown as it was written (live events): a channel that streams only has to settle it. */
  wasStreamed: boolean;
  /** The answer so far, while it is written: more of it follows as edits. Never in the outbox. */
  isUnfinished?: boolean;
  /** The platform's id of a message that was edited while it was written: this part settles it. */
  draft?: string;
  /** Shows a question; its buttons, where the channel declared them. */
  question?: { buttons: Button[] };
  /** The person who spoke and did not type: an answer may be spoken, too. */
  wasSpokenTo?: string;
  /** How often it was tried before; set by the outbox. */
  attempts?: number;
}

export interface Button {
  /** What a press hands back; at most 60 ASCII characters. */
  token: string;
  label: string;
}

/** Why a platform did not take a part. */
export interface SendFailure {
  reason: Phrase;
  /** Absent: given up, for a person to look at. A pause and no time of day, which may be set back. */
  retryInMs?: number;
}

/** What a platform said about a part that it took. */
export interface Sent {
  platformId?: string;
}
