// The assistant of this process as a port of the chat: messages go over its own bus, answers come back over it.
import { terminalOrigin } from "../../agent/direct.ts";
import type { Aside } from "../../api/chat/wire.ts";
import type { App } from "../../app/build-app.ts";
import type { OutboundPart } from "../../bus/types.ts";
import type { Words } from "../../i18n/words.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { stripAddedBlocks } from "../../lib/runtime-block.ts";
import type { ChatEvent, ChatPort, PastMessage } from "../../server/chat-port.ts";
import { toText } from "../../session/content.ts";
import type { StoredMessage } from "../../session/message.ts";

export interface LocalPortOptions {
  app: App;
  words: Words;
  clock?: Clock;
}

const mostPast = 12;

export function openLocalPort({ app, words, clock = systemClock }: LocalPortOptions): ChatPort {
  const { bus, loop, sessions } = app;
  const { channel } = terminalOrigin;
  const ids = createIds(clock);
  const ending = new AbortController();
  let tell: (event: ChatEvent) => void = () => {};
  const unsubscribe = bus.onLive(({ sessionKey, turnId, body }) =>
    tell({ type: "shown", sessionKey, shown: { type: "live", turnId, body } }),
  );
  const opened = new Set<string>();
  const show = async (part: OutboundPart) => {
    // Of a job, or of what else nobody looks at: it is shown where the person is.
    const sessionKey = opened.has(part.sessionKey) ? part.sessionKey : ([...opened].at(-1) ?? "");
    if (!part.wasStreamed || part.media.length > 0 || !opened.has(part.sessionKey))
      tell({ type: "shown", sessionKey, shown: toAside(part, clock.now()) });
    return {};
  };
  const working = Promise.all([loop.run(ending.signal), deliver()]);
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

  /** Answers of jobs that were made here wait in the outbox of the home while no gateway runs. */
  async function showWaiting(): Promise<void> {
    const client = await app.clientFor({ person: "owner", role: "owner" });
    for (const { part } of (await client.call("outbox.list", {})).rows) {
      if (part.channel !== channel) continue;
      // Of several open chats, the one that removes it shows it.
      const { isDone } = await client.call("outbox.drop", { id: part.id });
      if (isDone) await show({ ...part, wasStreamed: false });
    }
  }

  return {
    isAttached: false,
    listen(listener) {
      tell = listener;
    },
    async open(key) {
      const session = await sessions.open(key);
      opened.delete(key);
      opened.add(key);
      const past = (await session.read(session.count - mostPast)).flatMap(toPast);
      const title = past.find(({ role }) => role === "user")?.text ?? "";
      setImmediate(() => showWaiting().catch((error) => app.log.warn("outbox-not-seen", { error })));
      return { title, model: (await app.modelOf(session)).settings.model, past };
    },
    async send({ files: media, ...message }) {
      const sourceKey = `${channel}:${ids.next()}`;
      return (await bus.publishInbound({ sourceKey, origin: terminalOrigin, ...message, media })).id;
    },
    stop: async (sessionKey) => void (await loop.stop(sessionKey)),
    answer: async ({ sessionKey, ...answer }) =>
      void loop.questions.settle(sessionKey, answer, terminalOrigin),
    async sessions() {
      const rows = await sessions.list();
      return rows.map(({ key, preview, updatedAt }) => ({
        key,
        title: preview,
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
    client: () => app.clientFor({ person: "owner", role: "owner" }),
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
