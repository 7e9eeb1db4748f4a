// The assistant of this process as a port of the chat: messages go over its own bus, answers come back over it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalOrigin } from "../../agent/direct.ts";
import type { App } from "../../app/build-app.ts";
import type { AskScope } from "../../bus/ask.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { stripAddedBlocks } from "../../lib/runtime-block.ts";
import type { Aside } from "../../server/protocol/chat.ts";
import { toText } from "../../session/content.ts";
import type { StoredMessage } from "../../session/message.ts";
import type { Words } from "../../words/words.ts";
import type { ChatEvent, ChatPort, PastMessage } from "./chat-port.ts";
import { showWaitingAnswers } from "./waiting-answers.ts";

export interface LocalPortOptions {
  app: App;
  home: string;
  words: Words;
  clock?: Clock;
}

const mostPast = 12;
/** Questions are answered by a message; these words are understood in every language. */
const answerWords: Record<AskScope, string> = { once: "yes", session: "session", always: "always" };

export function openLocalPort({ app, home, words, clock = systemClock }: LocalPortOptions): ChatPort {
  const { bus, loop, sessions } = app;
  const { channel } = terminalOrigin;
  const ids = createIds(clock);
  const ending = new AbortController();
  let tell: (event: ChatEvent) => void = () => {};
  const unsubscribe = bus.onLive(({ sessionKey, turnId, body }) =>
    tell({ type: "shown", sessionKey, shown: { type: "live", turnId, body } }),
  );
  const show = async (part: OutboundPart) => {
    if (!part.wasStreamed || part.media.length > 0)
      tell({ type: "shown", sessionKey: part.sessionKey, shown: toAside(part, clock.now()) });
    return {};
  };
  const waiting = { app, home, channel: { name: channel, send: show }, clock };
  const working = Promise.all([
    loop.run(ending.signal),
    deliver(),
    showWaitingAnswers(waiting, ending.signal),
  ]);
  // Whoever closes hears of it; until then it must not end the process unheard.
  working.catch((error: unknown) => app.log.error("chat-broken", { error }));

  /** Hands the outbox on, part by part. */
  async function deliver(): Promise<void> {
    for (;;) {
      const part = await bus.takeOutbound(channel, ending.signal).catch((error) => {
        if (!ending.signal.aborted) throw error;
      });
      if (part === undefined) return;
      await bus.markSent(part.id, await show(part));
    }
  }

  async function publish(message: { sessionKey: string; text: string; media?: string[]; labels?: string[] }) {
    const sourceKey = `${channel}:${ids.next()}`;
    return (await bus.publishInbound({ sourceKey, origin: terminalOrigin, ...message })).id;
  }

  return {
    isAttached: false,
    listen(listener) {
      tell = listener;
    },
    async open(key) {
      const session = await sessions.open(key);
      const past = session.messages.slice(-mostPast).flatMap(toPast);
      const title = past.find(({ role }) => role === "user")?.text ?? key;
      return { title, model: app.model.settings.model, past };
    },
    send: ({ files, ...message }) => publish({ ...message, media: files }),
    stop: async (sessionKey) => void (await publish({ sessionKey, text: "/stop" })),
    answer: async ({ sessionKey, isAllowed, scope }) =>
      void (await publish({ sessionKey, text: isAllowed ? answerWords[scope] : "no" })),
    async sessions() {
      const rows = await sessions.list();
      return rows.map(({ key, preview, updatedAt }) => ({
        key,
        title: preview === "" ? key : preview,
        updatedAt: Date.parse(updatedAt),
        isRunning: loop.isServed(key),
      }));
    },
    async complete() {
      const skills = (await app.skills.survey()).list({ withUnavailable: false });
      const commands = Object.entries(words.reply.commands).map(([name, about]) => ({ name, about }));
      return { commands, skills: skills.map(({ name, description: about }) => ({ name, about })) };
    },
    run: ({ sessionKey, command }, signal) => app.runOwnCommand({ sessionKey, command, signal }),
    async cost(key) {
      if (!existsSync(join(home, "state.db"))) return undefined;
      const { control } = await app.reach();
      const { currency, rows } = await control.reportUsage({ by: "session" });
      const amount = rows.find(({ group }) => group === key)?.cost;
      return amount === undefined ? undefined : { amount, currency };
    },
    async close() {
      ending.abort();
      unsubscribe();
      await working;
    },
  };
}

function toAside({ id, turnId, text, media, kind }: OutboundPart, at: number): Aside {
  const attachments = media.map((path) => ({ name: path, url: path, isImage: false }));
  return { type: "aside", id, turnId, at, kind: kind === "answer" ? "message" : kind, text, attachments };
}

function toPast({ id, turn, role, content }: StoredMessage): PastMessage[] {
  const text = stripAddedBlocks(toText(content)).trim();
  const isSaid = role === "user" || role === "assistant";
  return isSaid && text !== "" ? [{ id, turn: turn ?? id, role, text }] : [];
}
