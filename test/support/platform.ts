// The form of a platform in the contract test of all channels, and what the rows of it share.
import { onTestFinished } from "vitest";
import type { Channel } from "../../src/bus/channel.ts";
import type { Json, PlatformFailure } from "./fake-platform.ts";
import { type Relay, startRelay } from "./relay.ts";

export interface Platform {
  /** The channel's block, which reaches the platform through the cable. */
  config: Record<string, unknown>;
  /** The same with credentials that the platform does not know. */
  wrong: Record<string, unknown>;
  /** What must never be told of them. */
  wrongSecret: string;
  /** As the config would list her. */
  ann: string;
  cable: Relay;
  /** The channel that speaks to it: for platforms that send requests instead of being asked. */
  onCreated?(channel: Channel): void;
  /** By Ann in private; a second one with the same id is a repetition. */
  say(text: string, options?: { id?: number; name?: string }): Promise<void> | void;
  /** What was sent to Ann, as she reads it. */
  sent(): string[];
  /** There is no connection that could be lost: the platform sends requests. */
  isPushed?: boolean;
  /** Nothing is numbered or kept: repetitions cannot be told, and what is said while nobody listens is lost. */
  isLossy?: boolean;
  /** Characters that a person can say at once. */
  mostSaid?: number;
  /** By Ann among others. */
  sayInGroup?(text: string, options: { isMention: boolean }): Promise<void> | void;
  /** By Ann to the assistant, in a thread of a group. */
  sayInThread?(text: string): Promise<void> | void;
  /** The thread of what was sent last, as the platform names it: that of `sayInThread`. */
  lastThread?(): unknown;
  /** By Ann in private, with a file that says `content`. */
  sayWithFile?(text: string, name: string): Promise<void> | void;
  /** Ann edits what she said with this id; where the platform tells of it. */
  edit?(id: number, text: string): Promise<void> | void;
  /** Ann deletes what she said with this id; where the platform tells of it. */
  remove?(id: number): Promise<void> | void;
  /** Ann presses a button of the last question. */
  press?(position: number): void;
  /** The next part is refused for a moment, or the connection breaks off before or after it was taken. */
  failNext?(how: "limit" | "before" | "after"): Promise<void> | void;
  /** The platform drops a part that is sent twice. */
  knowsKeys?: boolean;
  /** The credentials are no longer valid, and connections end. */
  revoke?(): void;
}

export interface PlatformRow {
  /** Of the channel. */
  name: string;
  open(): Promise<Platform>;
}

export const wrongSecret = "9:wr0ng-5ecret";

type How = Parameters<NonNullable<Platform["failNext"]>>[0];

export function toBreak(how: How): "disconnect" | "lost" {
  return how === "before" ? "disconnect" : "lost";
}

/** For platforms that say in seconds, in the head of the answer, how long to wait. */
export function toFailure(how: How, body: Json): PlatformFailure {
  if (how !== "limit") return toBreak(how);
  return { status: 429, body, headers: { "retry-after": "0.01" } };
}

export async function layCable(url: string): Promise<Relay> {
  const cable = await startRelay(Number(new URL(url).port));
  onTestFinished(cable.close);
  return cable;
}
