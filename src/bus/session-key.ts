// Session keys, made and read here and nowhere else: `<channel>:<chat>`, with a thread `<channel>:<chat>:<thread>`; in the
// browser also `web:<person>:<id>`; `subagent:<id>` for background work. Knows no channel's own ids.
import type { Origin } from "./types.ts";

export interface ChatAddress {
  channel: string;
  chatId: string;
  thread?: string;
}

export interface SessionKey extends ChatAddress {
  kind: "chat" | "subagent";
  /** Of a conversation in the browser: the person that its key names. */
  person?: string;
}

const subagentChannel = "subagent";
const browserChannel = "web";

export function toSessionKey({ channel, chatId, thread }: ChatAddress): string {
  return thread === undefined ? `${channel}:${chatId}` : `${channel}:${chatId}:${thread}`;
}

export function toSubagentKey(id: string): string {
  return `${subagentChannel}:${id}`;
}

/** A conversation that a person begins in the browser. */
export function toBrowserKey(id: string, { person, role }: Pick<Origin, "person" | "role">): string {
  return toSessionKey({ channel: browserChannel, chatId: role === "owner" ? id : `${person}:${id}` });
}

export function parseSessionKey(key: string): SessionKey {
  const [channel = "", ...rest] = key.split(":");
  const whole = rest.join(":");
  if (channel === subagentChannel) return { kind: "subagent", channel, chatId: whole };
  const [, chatId = whole, thread] = /^(.+?):((?:topic|thread):[^:]+)$/s.exec(whole) ?? [];
  const [, person] = (channel === browserChannel && /^(.+):[\w-]{1,64}$/.exec(chatId)) || [];
  return {
    kind: "chat",
    channel,
    chatId,
    ...(thread !== undefined && { thread }),
    ...(person !== undefined && { person }),
  };
}

/** All of the key after the channel, if it is of that channel. */
export function findChatId(sessionKey: string, channel: string): string | undefined {
  const before = `${channel}:`;
  return sessionKey.startsWith(before) ? sessionKey.slice(before.length) : undefined;
}

/** The thread of a chat that a session is; undefined for the chat itself and for a session of another chat. */
export function findThread(sessionKey: string, { channel, chatId }: ChatAddress): string | undefined {
  const before = `${channel}:${chatId}:`;
  return sessionKey.startsWith(before) ? sessionKey.slice(before.length) : undefined;
}

/** For rows that 0.1.0 stored, which do not name their thread. */
export function withThread<Stored extends ChatAddress>(stored: Stored, sessionKey: string): Stored {
  const thread = stored.thread ?? findThread(sessionKey, stored);
  return thread === undefined ? stored : { ...stored, thread };
}
