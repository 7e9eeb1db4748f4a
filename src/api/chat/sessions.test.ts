// What is done with whole conversations, over the gateway and a real socket.
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { sampled } from "../../../test/support/long-form.ts";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "../../../test/support/web-client.ts";
import { systemClock } from "../../lib/clock.ts";
import type { CodeScript } from "../../llm/scripted.ts";
import { SessionTrash } from "../../storage/sessions/session-trash.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";

interface Scene {
  gateway: TestGateway;
  client: WebClient;
  say(text: string, key?: string): Promise<string>;
  texts(key?: string): Promise<string[]>;
}

async function open(script: CodeScript = { steps: ["Yes."], loop: true }): Promise<Scene> {
  const gateway = await createTestGateway(script);
  const client = await openWebClient(gateway);
  return {
    gateway,
    client,
    async say(text, key = sessionKey) {
      const { turnId } = await client.ask("chat.send", { sessionKey: key, text });
      await client.waitFor(
        ({ event }) =>
          event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === turnId,
      );
      return turnId;
    },
    async texts(key = sessionKey) {
      const { entries } = await client.ask("chat.open", { sessionKey: key });
      return entries.map(({ text }) => text);
    },
  };
}

describe("labels", () => {
  it("are never a key: a conversation that a command began has none until something is said", async () => {
    const { client, say } = await open();
    await client.ask("chat.send", { sessionKey, text: "/model default" });
    await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "aside");
    const titles = async () => (await client.ask("chat.list", {})).sessions.map(({ title }) => title);
    expect((await titles()).join()).not.toContain(sessionKey);
    expect((await client.ask("chat.open", { sessionKey })).session.title).not.toContain(sessionKey);
    await say("about tea");
    expect(await titles()).toEqual(["about tea"]);
  });

  it("are in the session itself, move nothing in time, and go over to every open page", async () => {
    const { client, gateway, say } = await open();
    await say("first words of it");
    await say("another one", "web:two");
    const before = (await client.ask("chat.list", {})).sessions;
    expect(before.map(({ title }) => title)).toEqual(["another one", "first words of it"]);
    const other = await openWebClient(gateway);
    const card = await client.ask("chat.label", { sessionKey, title: "  旅行 plans ", isPinned: true });
    expect(card).toMatchObject({ title: "旅行 plans", isPinned: true, updatedAt: before[1]?.updatedAt });
    await other.waitFor(
      ({ event }) => event.type === "session-changed" && event.session.title === "旅行 plans",
    );
    expect((await client.ask("chat.list", {})).sessions[0]?.key).toBe(sessionKey);
    await client.ask("chat.label", { sessionKey, title: "", isArchived: true });
    expect((await client.ask("chat.list", {})).sessions.map(({ key }) => key)).toEqual(["web:two"]);
    expect((await client.ask("chat.list", { archived: true })).sessions).toMatchObject([
      { key: sessionKey, title: "first words of it", isArchived: true },
    ]);
  });

  it("are found in a folder of thousands, and only files that changed are read again", async () => {
    const { client, gateway } = await open();
    const { folder } = gateway.app.sessions;
    const count = sampled(1_000, 3_000);
    const line = (key: string) =>
      `${JSON.stringify({ _type: "metadata", key, metadata: { title: `T ${key}` } })}\n`;
    await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const name = Buffer.from(`web:${index}`).toString("base64url");
        return writeFile(join(folder, `${name}.jsonl`), line(`web:${index}`));
      }),
    );
    const { sessions } = await client.ask("chat.list", {});
    expect(sessions).toHaveLength(count);
    const path = join(folder, `${Buffer.from("web:7").toString("base64url")}.jsonl`);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace("T web:7", "N web:7"));
    await utimes(path, 2_000_000_000, 2_000_000_000);
    const titles = (await client.ask("chat.list", {})).sessions.map(({ title }) => title);
    expect(titles).toContain("N web:7");
    expect(titles).not.toContain("T web:7");
  });
});

describe("removing", () => {
  it("takes a conversation out of the list and can be undone", async () => {
    const { client, say, texts } = await open();
    await say("keep me");
    const { undo } = await client.ask("chat.remove", { sessionKey });
    await client.waitFor(({ event }) => event.type === "session-removed");
    expect((await client.ask("chat.list", { archived: true })).sessions).toEqual([]);
    expect(await texts()).toEqual([]);
    expect(await client.ask("chat.recover", { undo })).toMatchObject({ key: sessionKey, title: "keep me" });
    expect(await texts()).toEqual(["keep me", "Yes."]);
    await expect(client.ask("chat.recover", { undo })).rejects.toMatchObject({
      problem: { code: "chat.not-found" },
    });
    await expect(client.ask("chat.recover", { undo: "../../config.json" })).rejects.toMatchObject({
      problem: { code: "chat.not-found" },
    });
  });

  it("comes back under another key when its key is in use again", async () => {
    const { client, say, texts } = await open();
    await say("old");
    const { undo } = await client.ask("chat.remove", { sessionKey });
    await say("new");
    const card = await client.ask("chat.recover", { undo });
    expect(card).toMatchObject({ title: "old", isClosed: true });
    expect(await texts()).toEqual(["new", "Yes."]);
    expect(await texts(card.key)).toEqual(["old", "Yes."]);
    await client.ask("chat.remove", { sessionKey: card.key });
    expect((await client.ask("chat.list", { archived: true })).sessions).toEqual([]);
  });

  it("is final after thirty days", async () => {
    const { client, gateway, say } = await open();
    await say("old");
    const { undo } = await client.ask("chat.remove", { sessionKey });
    const { sessions } = gateway.app;
    const inDays = (days: number) => {
      const clock = { ...systemClock, now: () => Date.now() + days * 86_400_000 };
      return new SessionTrash(sessions.folder, clock).prune();
    };
    await inDays(29);
    expect(await readdir(join(sessions.folder, ".trash"))).toEqual([undo]);
    await inDays(31);
    expect(await readdir(join(sessions.folder, ".trash"))).toEqual([]);
  });
});

describe("going back", () => {
  it("starts again before a message, with the bytes of what is kept, and keeps the rest as a copy", async () => {
    const { client, gateway, say, texts } = await open();
    await say("one");
    const second = await say("two");
    await say("three");
    await client.ask("chat.label", { sessionKey, title: "Named" });
    const sent = gateway.provider.requests.map(({ messages }) => JSON.stringify(messages));
    const rewound = await client.ask("chat.rewind", { sessionKey, entryId: second });
    expect(rewound).toEqual({ text: "two" });
    await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "rewritten");
    expect(await texts()).toEqual(["one", "Yes."]);
    expect((await client.ask("chat.list", {})).sessions).toMatchObject([{ title: "Named" }]);
    await say("two, but better");
    expect(await texts()).toEqual(["one", "Yes.", "two, but better", "Yes."]);
    const next = gateway.provider.requests.at(-1)?.messages ?? [];
    // System text, the first message and its answer, as they were sent with the second one.
    expect(sent[1]?.startsWith(JSON.stringify(next.slice(0, 3)).slice(0, -1))).toBe(true);
    const { versions = [] } = await client.ask("chat.open", { sessionKey });
    expect(await texts(versions[0]?.keys[0])).toContain("three");
    expect((await client.ask("chat.list", { archived: true })).sessions).toEqual([]);
  });

  it("is refused while the assistant is at work, and for what no turn began with", async () => {
    const { client } = await open([{ deltas: ["Hm"], hold: true }]);
    const { turnId } = await client.ask("chat.send", { sessionKey, text: "think" });
    await client.waitFor(
      ({ event }) =>
        event.type === "shown" && event.shown.type === "live" && event.shown.body.type === "text-delta",
    );
    await expect(client.ask("chat.rewind", { sessionKey, entryId: turnId })).rejects.toMatchObject({
      problem: { code: "chat.busy" },
    });
    await expect(client.ask("chat.remove", { sessionKey })).rejects.toMatchObject({
      problem: { code: "chat.busy" },
    });
    await client.ask("chat.stop", { sessionKey });
    await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
    const reply = { sessionKey, entryId: `${turnId}.1` };
    await expect(client.ask("chat.rewind", reply)).rejects.toMatchObject({
      problem: { code: "chat.not-a-beginning" },
    });
  });

  it("gives no right back that was taken away since", async () => {
    const { client, gateway, say } = await open();
    await say("one");
    const session = await gateway.app.sessions.open(sessionKey, "owner");
    await session.updateMetadata({ trustedUntil: Date.now() + 3_600_000 });
    const second = await say("two");
    await session.updateMetadata({ trustedUntil: undefined });
    await client.ask("chat.rewind", { sessionKey, entryId: second });
    expect((await gateway.app.sessions.open(sessionKey, "owner")).metadata.trustedUntil).toBeUndefined();
  });

  it("brings nothing back that was forgotten since, neither when it is taken back nor in a branch", async () => {
    const { client, gateway, say } = await open();
    await say("my plan is zanzibar");
    const session = await gateway.app.sessions.open(sessionKey, "owner");
    await session.updateMetadata({ _last_summary: { text: "wants to see zanzibar" } });
    const second = await say("two");
    const words = "zanzibar";
    const { digest, counts } = await client.ask("memory.preview", { words });
    expect(counts.messages).toBe(1);
    await client.ask("memory.forget", { words, digest });
    const branch = await client.ask("chat.branch", { sessionKey, before: second });
    await client.ask("chat.rewind", { sessionKey, entryId: second });
    const { hits } = await client.ask("memory.search", { query: words });
    expect(JSON.stringify(hits)).not.toContain(words);
    for (const key of [sessionKey, branch.sessionKey]) {
      const { metadata } = await gateway.app.sessions.open(key, "owner");
      expect(metadata).toMatchObject({ forgotten: [expect.any(String)] });
      expect(metadata._last_summary).toBeUndefined();
    }
  });

  it("keeps messages without an id forgotten in a branch, as the Python original has stored them", async () => {
    const { client, gateway } = await open();
    const key = "web:python";
    const lines = [
      { _type: "metadata", key, metadata: {}, last_consolidated: 0 },
      { role: "user", content: "my plan is zanzibar", timestamp: "2026-01-01T10:00:00" },
      { role: "assistant", content: "Good.", timestamp: "2026-01-01T10:00:01" },
    ];
    const { path } = await gateway.app.sessions.open(key, "owner");
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const words = "zanzibar";
    const { digest, counts } = await client.ask("memory.preview", { words });
    expect(counts.messages).toBe(1);
    await client.ask("memory.forget", { words, digest });
    const branch = await client.ask("chat.branch", { sessionKey: key });
    const { hits } = await client.ask("memory.search", { query: words });
    expect(JSON.stringify(hits)).not.toContain(words);
    expect((await gateway.app.sessions.open(branch.sessionKey, "owner")).recent).toHaveLength(2);
  });

  it("makes a branch whole at once: every line of its file says whose it is and gives no right", async () => {
    const { client, gateway, say } = await open();
    await say("one");
    const session = await gateway.app.sessions.open(sessionKey, "owner");
    await session.updateMetadata({ trustedUntil: Date.now() + 3_600_000 });
    const second = await say("two");
    await session.updateMetadata({ scope: "group:choir" });
    const branch = await client.ask("chat.branch", { sessionKey, before: second });
    const { path } = await gateway.app.sessions.open(branch.sessionKey, "group:choir");
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    const stated = lines.map((line) => JSON.parse(line)).filter((line) => line._type === "metadata");
    expect(stated.length).toBeGreaterThan(0);
    for (const { metadata } of stated) {
      expect(metadata.scope).toBe("group:choir");
      expect(metadata.trustedUntil).toBeUndefined();
    }
  });

  it("in a branch leaves the old conversation as it is", async () => {
    const { client, gateway, say, texts } = await open();
    await say("one");
    const second = await say("two");
    const session = await gateway.app.sessions.open(sessionKey, "owner");
    await session.updateMetadata({ trustedUntil: Date.now() + 3_600_000 });
    const branch = await client.ask("chat.branch", { sessionKey, before: second });
    expect(branch.text).toBe("two");
    expect(await texts(branch.sessionKey)).toEqual(["one", "Yes."]);
    await say("another two", branch.sessionKey);
    expect(await texts()).toEqual(["one", "Yes.", "two", "Yes."]);
    const whole = await client.ask("chat.branch", { sessionKey });
    expect(await texts(whole.sessionKey)).toEqual(["one", "Yes.", "two", "Yes."]);
    const { metadata } = await gateway.app.sessions.open(whole.sessionKey, "owner");
    expect(metadata.trustedUntil).toBeUndefined();
  });
});

describe("taking a conversation out", () => {
  it("gives Markdown as /export does, and entries as JSON", async () => {
    const { client, say } = await open();
    const turnId = await say("hello");
    const markdown = await client.ask("chat.export", { sessionKey, format: "markdown" });
    expect(markdown.name).toMatch(/^hello-\d.*\.md$/);
    expect(markdown.text).toMatch(/hello[\s\S]*Yes\./);
    expect(markdown.text).not.toContain("Runtime Context");
    const page = await client.ask("chat.export", { sessionKey, format: "html" });
    expect(page.name).toMatch(/^hello-\d.*\.html$/);
    expect(page.text).toMatch(/<title>hello<\/title>[\s\S]*hello[\s\S]*Yes\./);
    const json = await client.ask("chat.export", { sessionKey, format: "json" });
    expect(JSON.parse(json.text)).toMatchObject({
      entries: [{ id: turnId, text: "hello" }, { text: "Yes." }],
    });
  });
});

describe("a page to share", () => {
  it("is one file that runs and loads nothing, whatever was said", async () => {
    const hostile = [
      "<script>alert(1)</script><img src=https://evil.example/x onerror=alert(2)>",
      "![x](https://evil.example/y.png) [go](javascript:alert(3)) [fine](https://example.com/a?b=1&c=2)",
      "</style></title><meta http-equiv=refresh content=0>",
      "**".repeat(1_500),
    ].join("\n");
    const { client, say } = await open({ steps: [hostile], loop: true });
    await say("</title><script>alert(4)</script>");
    const { text } = await client.ask("chat.export", { sessionKey, format: "html" });
    expect(text).not.toMatch(
      /<(script|img|iframe|link|object|svg)\b|href="javascript|<meta http-equiv=refresh/i,
    );
    expect(text).toContain('<a href="https://example.com/a?b=1&amp;c=2">fine</a>');
    expect(text).toContain("default-src 'none'");
    const tags = [...text.matchAll(/<([a-z]+)[ >]/g)].map(([, tag]) => tag);
    expect(tags.filter((tag) => tag === "meta")).toHaveLength(4);
  });
});

describe("pages of a long conversation", () => {
  it.each([0, 140, 250])(
    "are a hundred entries, older ones on demand, and one around a message (%i consolidated)",
    async (lastConsolidated) => {
      const { client, gateway } = await open();
      const session = await gateway.app.sessions.open(sessionKey, "owner");
      await session.append(
        Array.from({ length: 250 }, (_, index) => {
          const message = { role: index % 2 === 0 ? "user" : "assistant", content: `m${index}` } as const;
          return { id: `m${index}`, turn: `m${index - (index % 2)}`, message };
        }),
      );
      await session.updateMetadata({}, { lastConsolidated });
      const last = await client.ask("chat.open", { sessionKey });
      expect(last.entries.map(({ text }) => text)).toEqual(
        Array.from({ length: 100 }, (_, index) => `m${150 + index}`),
      );
      expect(last).toMatchObject({ hasMore: true });
      const before = last.entries[0]?.id ?? "";
      const older = await client.ask("chat.open", { sessionKey, before, limit: 120 });
      expect(older.entries.at(-1)?.text).toBe("m149");
      const oldest = await client.ask("chat.open", { sessionKey, before: older.entries[0]?.id ?? "" });
      expect(oldest).toMatchObject({ hasMore: false });
      expect(oldest.entries).toHaveLength(30);
      const around = await client.ask("chat.open", { sessionKey, around: "m20" });
      expect(around.entries.map(({ id }) => id)).toContain("m20");
      await expect(client.ask("chat.open", { sessionKey, before: "gone" })).rejects.toMatchObject({
        problem: { code: "chat.not-found" },
      });
      expect(await client.ask("chat.entry", { sessionKey, entryId: "m21" })).toMatchObject({ text: "m21" });
      const { text } = await client.ask("chat.export", { sessionKey, format: "markdown" });
      expect([...text.matchAll(/^m\d+$/gm)]).toHaveLength(250);
      const branch = await client.ask("chat.branch", { sessionKey, before: "m22" });
      expect(await (await gateway.app.sessions.open(branch.sessionKey, "owner")).read()).toHaveLength(22);
    },
  );

  it("finds what was said by its words, and where it was said", async () => {
    const { client, say } = await open();
    const turnId = await say("the boiler was repaired by Mr Vogel");
    await say("what a lovely day", "web:two");
    const { found } = await client.ask("chat.search", { query: "boiler" });
    expect(found[0]).toMatchObject({ sessionKey, entryId: turnId, title: expect.stringContaining("boiler") });
    await client.ask("chat.send", { sessionKey, text: "/new" });
    await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "rewritten");
    const findClosed = async () => (await client.ask("chat.search", { query: "boiler" })).found[0];
    await eventually(findClosed).toMatchObject({
      entryId: turnId,
      sessionKey: expect.stringMatching(/^web:one@\d/),
    });
    const { sessionKey: closed = "" } = (await findClosed()) ?? {};
    const there = await client.ask("chat.open", { sessionKey: closed, around: turnId });
    expect(there.entries[0]?.id).toBe(turnId);
    const { commands, skills, canTranscribe } = await client.ask("chat.complete", {});
    expect(canTranscribe).toBe(false);
    expect(commands.map(({ name }) => name)).toContain("new");
    expect(skills.every(({ about }) => about !== "")).toBe(true);
    expect(await client.ask("chat.models", {})).toMatchObject({ presets: [], isGiven: true });
  });
});
