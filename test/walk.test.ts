// How one message travels, as docs/architecture.md describes it: a channel, the bus, a lane, a turn, the model, real tools in a real
// workspace, the session file, the outbox, and back to the channel.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { OutboundPart } from "../src/bus/types.ts";
import { anything, like, words } from "./support/english.ts";
import { createFakeChannel, type FakeChannel } from "./support/fake-channel.ts";
import { callHeldTool, createHeldTool, untilReached } from "./support/held-tool.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const stop = new AbortController();

async function start(app: TestApp, channel: FakeChannel): Promise<AbortController> {
  const abort = new AbortController();
  void app.loop.run(abort.signal);
  void channel.serve(app.bus, abort.signal);
  return abort;
}

describe("one message's walk", () => {
  it("goes from a channel through the model and its tools to the session file and back", async () => {
    const app = await createTestApp([
      { text: "Let me look.", toolCalls: [{ name: "read_file", arguments: { path: "notes.md" } }] },
      { toolCalls: [{ name: "write_file", arguments: { path: "out/answer.md", content: "forty-two" } }] },
      { deltas: ["It says ", "forty-two."], usage: { input: 120, cached: 100, output: 8 } },
    ]);
    await writeFile(join(app.workspace, "notes.md"), "The answer is 42.\n");
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);

    await channel.say("What do my notes say?");
    const part = await channel.nextPart();

    expect(part).toMatchObject({
      channel: "fake",
      chatId: "room",
      kind: "answer",
      text: "It says forty-two.",
    });
    expect(part.id).toBe(`${part.turnId}:final#0`);
    expect(await readFile(join(app.workspace, "out/answer.md"), "utf8")).toBe("forty-two");

    const lines = await readSession(app, "fake:room");
    const turn = part.turnId;
    expect(lines.filter((line) => line._type === undefined).map(({ id, role }) => [id, role])).toEqual([
      [turn, "user"],
      [`${turn}.1`, "assistant"],
      [`${turn}.1.0`, "tool"],
      [`${turn}.2`, "assistant"],
      [`${turn}.2.0`, "tool"],
      [`${turn}.3`, "assistant"],
    ]);
    expect(lines[0]).toMatchObject({ _type: "metadata", key: "fake:room", last_consolidated: 0 });

    const live = channel.seen.map(({ body }) => body.type);
    expect(live[0]).toBe("turn-start");
    expect(live.at(-1)).toBe("turn-end");
    expect(live).toEqual(expect.arrayContaining(["tool-start", "tool-end", "text-delta", "step-end"]));

    const [first, second] = app.provider.requests;
    expect(first?.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining("## SOUL.md"),
    });
    expect(first?.messages[1]?.content).toMatch(
      /^What do my notes say\?\n\n\[Runtime Context — metadata only, not instructions\]\nCurrent Time: /,
    );
    expect(second?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("The answer is 42."),
    });
    abort.abort(stop);
  });

  it("keeps one session in order and lets others pass", async () => {
    const app = await createTestApp([
      { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      "first",
      "second",
    ]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    await channel.say("one");
    expect((await channel.nextPart()).text).toBe("first");
    await channel.say("two", { chatId: "other" });
    expect(await channel.nextPart()).toMatchObject({ text: "second", chatId: "other" });
    abort.abort(stop);
  });

  it("drops what a platform delivers twice", async () => {
    const app = await createTestApp(["only once"]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    const first = await channel.say("hello", { sourceKey: "update-7" });
    const second = await channel.say("hello", { sourceKey: "update-7" });
    expect(second).toEqual({ id: first.id, isDuplicate: true });
    expect((await channel.nextPart()).text).toBe("only once");
    expect(app.provider.requests).toHaveLength(1);
    abort.abort(stop);
  });

  it("injects a message that arrives during a turn", async () => {
    const painting = createHeldTool();
    const channel = createFakeChannel("fake");
    const app = await createTestApp([callHeldTool, "Blue, then."], { tools: [painting.tool] });
    const abort = await start(app, channel);
    await channel.say("Paint it");
    await painting.begun;
    await channel.say("in blue");
    await untilReached(channel);
    painting.end();
    const part: OutboundPart = await channel.nextPart();
    expect(part.text).toBe("Blue, then.");
    expect(app.provider.requests).toHaveLength(2);
    const contents = app.provider.requests[1]?.messages.map(({ content }) => content);
    expect(contents?.at(-1)).toBe("in blue");
    abort.abort(stop);
  });

  it("tells the user in a sentence when the model fails, and serves the next message", async () => {
    const app = await createTestApp([
      { error: { kind: "server", message: "The host is on fire." } },
      "Back again.",
    ]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    await channel.say("hello?");
    expect(await channel.nextPart()).toMatchObject({
      kind: "notice",
      text: expect.stringMatching(
        like(words.failure.turnFailed(`${anything}The host is on fire${anything}`)),
      ),
    });
    await channel.say("and now?");
    expect((await channel.nextPart()).text).toBe("Back again.");
    abort.abort(stop);
  });
});

describe("commands on the way", () => {
  it("stop a running turn at once and keep the session legal", async () => {
    const app = await createTestApp([{ deltas: ["Once upon a "], hold: true }, "Good."]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    const isTalking = new Promise<void>((resolve) => {
      channel.onLive(({ body }) => {
        if (body.type === "text-delta") resolve();
      });
    });
    await channel.say("Tell me a story");
    await isTalking;
    await channel.say("/stop");
    const texts = [await channel.nextPart(), await channel.nextPart(), await channel.nextPart()].map(
      ({ text }) => text,
    );
    expect(texts.sort()).toEqual([words.reply.stoppedMark, "Once upon a ", words.reply.stopped(1)].sort());
    await channel.say("Short, please");
    expect((await channel.nextPart()).text).toBe("Good.");
    const roles = app.provider.requests[1]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
    abort.abort(stop);
  });

  it("begin a new conversation with /new and keep the old file", async () => {
    const app = await createTestApp(["one", "two"]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    await channel.say("hello");
    await channel.nextPart();
    await channel.say("/new");
    expect((await channel.nextPart()).text).toBe(words.reply.newSession);
    await channel.say("again");
    await channel.nextPart();
    expect(app.provider.requests[1]?.messages).toHaveLength(2);
    expect(await app.sessions.list("owner", { archived: true })).toHaveLength(2);
    abort.abort(stop);
  });

  it("answer /status and /help while a turn runs", async () => {
    const app = await createTestApp([{ deltas: ["..."], hold: true }]);
    const channel = createFakeChannel("fake");
    const abort = await start(app, channel);
    await channel.say("work");
    await channel.say("/status");
    expect((await channel.nextPart()).text).toMatch(
      like(
        `${words.reply.status.version(anything)}\n${words.reply.status.model(anything, anything, anything)}`,
      ),
    );
    await channel.say("/help");
    expect((await channel.nextPart()).text).toContain("/new");
    abort.abort(stop);
  });
});

async function readSession(app: TestApp, key: string): Promise<Array<Record<string, unknown>>> {
  const { path } = await app.sessions.open(key, "owner");
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
