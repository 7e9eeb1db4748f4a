// A channel for those who talk over the gateway's own socket: the page (`web`) and terminals (`cli`). Who may speak was
// settled when the socket was opened. Answers are part of the stored conversation; everything else is shown beside it.
import type { ChatChannel, SpokenMessage } from "../api/chat/live.ts";
import type { Channel, ChannelInbox } from "../bus/channel.ts";
import { findChatId, toSessionKey } from "../bus/session-key.ts";
import type { AnswerAddress, Format, Origin, OutboundPart, Receipt, Sent } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";

export interface SocketChannelOptions {
  name: ChatChannel;
  clock: Clock;
  /** Shows and keeps what is no part of a session's history. */
  keep(sessionKey: string, part: OutboundPart): Promise<void>;
}

export interface SocketChannel extends Channel {
  /** Resolves when it is safe. */
  say(message: SpokenMessage): Promise<Receipt>;
}

const formats: Record<ChatChannel, Format> = { web: "markdown", cli: "terminal" };
const aliveEveryMs = 60_000;
/** No id of a chat begins with it. */
const foreignMark = "=";

export function createSocketChannel({ name, clock, keep }: SocketChannelOptions): SocketChannel {
  const started = Promise.withResolvers<ChannelInbox>();
  return {
    name,
    capabilities: {
      format: formats[name],
      markup: "markdown",
      streaming: "live",
      media: true,
      typing: false,
      canAsk: true,
    },
    async start(inbox, signal) {
      started.resolve(inbox);
      while (!signal.aborted) {
        inbox.reportAlive();
        await clock.sleep(aliveEveryMs, signal).catch(() => {});
      }
    },
    async send(part): Promise<Sent> {
      const isShown = part.kind === "answer" && isInHistory(name, part);
      if (!isShown) await keep(toKeyOf(name, part.chatId), part);
      return { platformId: part.id };
    },
    async say({ requestId, viewer, group, language, ...message }) {
      const inbox = await started.promise;
      const origin: Origin = {
        channel: name,
        chatId: toChatId(name, message.sessionKey),
        senderId: viewer.person,
        ...viewer,
        ...(group !== undefined && { group }),
        cause: "user",
        format: formats[name],
        ...(language !== undefined && { language }),
      };
      const sourceKey = `${name}:${viewer.person}:${requestId}`;
      const speaker = group === undefined ? {} : { speaker: viewer.person };
      return inbox.publish({ ...message, ...speaker, sourceKey, origin });
    },
  };
}

/** Whether who opens the chat reads an answer in the stored conversation, whatever is sent of it. */
export function isInHistory(channel: string, { chatId, sessionKey }: AnswerAddress): boolean {
  return Object.hasOwn(formats, channel) && toKeyOf(channel as ChatChannel, chatId) === sessionKey;
}

/** `web:one` is the chat `one`; the session of another channel is a chat, too, marked as such. */
function toChatId(name: ChatChannel, sessionKey: string): string {
  return findChatId(sessionKey, name) ?? foreignMark + sessionKey;
}

function toKeyOf(name: ChatChannel, chatId: string): string {
  return chatId.startsWith(foreignMark)
    ? chatId.slice(foreignMark.length)
    : toSessionKey({ channel: name, chatId });
}
