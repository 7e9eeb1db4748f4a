import { expect, it } from "vitest";
import type { ChatChannel } from "../../api/chat/wire.ts";
import type { ChannelInbox } from "../../bus/channel.ts";
import type { NewInbound, OutboundPart } from "../../bus/types.ts";
import { systemClock } from "../../lib/clock.ts";
import { createSocketChannel } from "./socket-channels.ts";

function open(name: ChatChannel) {
  const kept: Array<[sessionKey: string, text: string]> = [];
  const published: NewInbound[] = [];
  const keep = async (sessionKey: string, { text }: OutboundPart) => void kept.push([sessionKey, text]);
  const channel = createSocketChannel({ name, clock: systemClock, keep });
  const ending = new AbortController();
  const inbox: ChannelInbox = {
    async publish(message) {
      published.push(message);
      return { id: "T", isDuplicate: false };
    },
    receive: async () => false,
    revise: async () => false,
    choose: async () => false,
    keep: async () => undefined,
    reportAlive() {},
  };
  const ended = channel.start(inbox, ending.signal);
  const end = () => {
    ending.abort();
    return ended;
  };
  return { channel, kept, published, end };
}

const viewer = { person: "owner", role: "owner" } as const;
const part: OutboundPart = {
  id: "p",
  channel: "web",
  chatId: "one",
  sessionKey: "web:one",
  turnId: "T",
  text: "hi",
  media: [],
  kind: "answer",
  wasStreamed: true,
};

it("sends messages with the rights of the socket's person, under a key that is the request's", async () => {
  const { channel, published, end } = open("cli");
  await channel.say({ sessionKey: "cli:direct", text: "hello", viewer, requestId: "r1" });
  await channel.say({ sessionKey: "telegram:9", text: "all", viewer, requestId: "r2", group: "telegram-9" });
  expect(published).toMatchObject([
    {
      sourceKey: "cli:owner:r1",
      origin: { channel: "cli", chatId: "direct", role: "owner", cause: "user", format: "terminal" },
    },
    { sessionKey: "telegram:9", speaker: "owner", origin: { chatId: "=telegram:9", group: "telegram-9" } },
  ]);
  await end();
});

it("keeps next to the history what is no part of it: commands, notices, and answers of other sessions", async () => {
  const { channel, kept, end } = open("web");
  await channel.send(part);
  await channel.send({ ...part, kind: "command", text: "help" });
  await channel.send({ ...part, sessionKey: "heartbeat", text: "from the heartbeat" });
  // The owner wrote in a Telegram chat from the page: the heartbeat reports there.
  await channel.send({ ...part, sessionKey: "heartbeat", chatId: "=telegram:42", text: "there" });
  expect(kept).toEqual([
    ["web:one", "help"],
    ["web:one", "from the heartbeat"],
    ["telegram:42", "there"],
  ]);
  await end();
});
