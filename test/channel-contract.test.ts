// What every channel keeps, whatever its platform.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { toButtonToken } from "../src/bus/ask.ts";
import type { ChannelInbox } from "../src/bus/channel.ts";
import type { InboundMessage, OutboundPart } from "../src/bus/types.ts";
import { channelRows } from "../src/channels/index.ts";
import { readOwnChannel } from "../src/channels/own-channel.ts";
import { splitText } from "../src/channels/split-text.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { packagePath } from "../src/lib/package-root.ts";
import { blackboard } from "./examples/blackboard.ts";
import { type ChannelScene, startChannel } from "./support/channel-scene.ts";
import { eventually } from "./support/eventually.ts";
import type { Platform } from "./support/platform.ts";
import { usePlatforms } from "./support/platforms.ts";
import { hasSystemPart } from "./support/system-part.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const platforms = usePlatforms();
/** Channels whose platform is a real server. */
const hasServer: Record<string, boolean> = {
  email: hasSystemPart(["dovecot", "--version"], "dovecot-imapd"),
  irc: hasSystemPart(["sh", "-c", "command -v /usr/sbin/ngircd"], "ngircd"),
  xmpp: hasSystemPart(["sh", "-c", "command -v prosody"], "prosody"),
};

/** The example of docs/adding-a-channel.md, as a custom channel. */
const ownRow = readOwnChannel({ blackboard }, { file: "blackboard.ts", taken: [], redact: String });

async function load(name: string) {
  const row = name === "blackboard" ? ownRow : channelRows.find((each) => each.name === name);
  if (row === undefined || "kind" in row) throw new Error(`there is no channel ${name}`);
  return row.load();
}

async function startOn(
  platform: Platform,
  name: string,
  config = platform.config,
  home?: string,
): Promise<ChannelScene> {
  const kind = await load(name);
  const { onCreated } = platform;
  const rules = { allowFrom: [platform.ann] };
  return startChannel({
    kind,
    config,
    rules,
    ...(onCreated && { onCreated }),
    ...(home !== undefined && { home }),
  });
}

it("every channel has a platform here", () => {
  expect(platforms.map(({ name }) => name).toSorted()).toEqual(
    ["blackboard", ...channelRows.map(({ name }) => name)].toSorted(),
  );
});

it("every package that a channel needs is an optional peer with an exact version", async () => {
  const manifest = JSON.parse(await readFile(packagePath("package.json"), "utf8")) as Record<
    "peerDependencies" | "peerDependenciesMeta" | "devDependencies",
    Record<string, unknown>
  >;
  const needed = channelRows.flatMap(({ packages }) => packages).toSorted();
  expect(Object.keys(manifest.peerDependencies).toSorted()).toEqual(needed);
  for (const name of needed) {
    expect(manifest.peerDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(manifest.peerDependencies[name]).toBe(manifest.devDependencies[name]);
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  }
});

describe.each(platforms)("the channel $name", ({ name, open }) => {
  const test = it.runIf(hasServer[name] ?? true);

  test("hands over what was said, and brings the answer back", async () => {
    const platform = await open();
    const scene = await startOn(platform, name);
    await platform.say("How are you? 你好吗？");
    const message = await scene.next();
    expect(message.text).toContain("How are you? 你好吗？");
    expect(message.origin).toMatchObject({ channel: name, person: "owner", cause: "user" });
    expect(message.sessionKey.startsWith(`${name}:${message.origin.chatId}`)).toBe(true);
    await scene.answer(message, "Well. 很好。");
    await eventually(platform.sent).toEqual(["Well. 很好。"]);
    await eventually(() => scene.bus.outbox.list()).toEqual([]);
    expect(scene.manager.health()).toMatchObject([{ name, state: "running", received: 1, sent: 1 }]);
  });

  test("drops what the platform repeats, also after a restart", async ({ skip }) => {
    const platform = await open();
    if (platform.isLossy) return skip("not of this platform");
    const scene = await startOn(platform, name);
    await platform.say("one", { id: 901 });
    await platform.say("one", { id: 901 });
    await platform.say("two", { id: 902 });
    const [first, second] = [await scene.next(), await scene.next()];
    expect([first.text, second.text]).toEqual([
      expect.stringContaining("one"),
      expect.stringContaining("two"),
    ]);
    await scene.bus.finish([first.id, second.id], []);
    await scene.stop();
    const again = await startOn(platform, name, platform.config, scene.home);
    await platform.say("two", { id: 902 });
    await platform.say("three", { id: 903 });
    expect((await again.next()).text).toContain("three");
  });

  test("fails at once with a reason when its credentials are wrong, and tells none of them", async () => {
    const platform = await open();
    const scene = await startOn(platform, name, platform.wrong);
    await eventually(() => scene.manager.health()[0]?.state).toBe("failed");
    const reason = scene.manager.health()[0]?.error ?? phrase("channels.ended");
    expect(reason.code).toMatch(/^channels\./);
    expect(reason.code).not.toBe("channels.unreachable");
    expect(JSON.stringify(scene.manager.health())).not.toContain(platform.wrongSecret);
  });

  test("comes back when the platform was away, and loses nothing of either side", async () => {
    const platform = await open();
    const scene = await startOn(platform, name);
    await platform.say("before");
    const message = await scene.next();
    platform.cable.disconnect();
    if (!platform.isPushed) await eventually(() => scene.manager.health()[0]?.state).toBe("retrying");
    if (!platform.isLossy) await platform.say("meanwhile");
    await scene.answer(message, "an answer");
    platform.cable.reconnect();
    if (!platform.isLossy) expect((await scene.next()).text).toContain("meanwhile");
    await eventually(platform.sent).toEqual(["an answer"]);
  });

  test("ends when it is told to, also while the platform keeps silent", async () => {
    const platform = await open();
    const { schema, create } = await load(name);
    const channel = await create(schema.parse(platform.config), {
      clock: systemClock,
      log: silentLog,
      fetch: globalThis.fetch,
      folder: await createTemporaryFolder(),
      commands: [],
    });
    for (const isSilent of [false, true]) {
      if (isSilent) platform.cable.fallSilent();
      const alive = Promise.withResolvers<void>();
      const inbox: ChannelInbox = {
        publish: () => Promise.reject(new Error("not used")),
        receive: () => Promise.resolve(true),
        revise: () => Promise.resolve(true),
        choose: () => Promise.resolve(true),
        keep: () => Promise.resolve(undefined),
        reportAlive: alive.resolve,
      };
      const controller = new AbortController();
      const running = channel.start(inbox, controller.signal);
      if (!isSilent) await alive.promise;
      controller.abort(new Error("over"));
      await expect(running).resolves.toBeUndefined();
    }
    const already = AbortSignal.abort(new Error("over"));
    await expect(channel.start({} as ChannelInbox, already)).resolves.toBeUndefined();
  });

  test("is not shaken by odd names and texts, in either direction", async () => {
    const platform = await open();
    const scene = await startOn(platform, name);
    const odd = "a\u202eb <b>&amp; `x` $y ]]> </script> \u{1F469}‍\u{1F680} ‮";
    await platform.say(odd, { name: 'Eve\r\nBcc: x@y.z\u0000 "<admin>' });
    const long = "x".repeat(platform.mostSaid ?? 5_000);
    await platform.say(long, { name: "长".repeat(500) });
    const message = await scene.next();
    expect(message.text).toContain("]]> </script> \u{1F469}‍\u{1F680}");
    expect(message.origin).toMatchObject({ role: "owner" });
    expect((await scene.next()).text).toContain(long.slice(0, 4_000));
    await scene.answer(message, "1 < 2 && \"3\" > '2' </div> 好");
    await eventually(() => platform.sent().map(decode)).toEqual(["1 < 2 && \"3\" > '2' </div> 好"]);
  });

  test("sends a long answer with code in pieces, all of it and in order", async () => {
    const platform = await open();
    const scene = await startOn(platform, name);
    await platform.say("tell me");
    const message = await scene.next();
    const most = Math.min(scene.manager.capabilitiesOf(name)?.maxTextLength ?? 4_000, 6_000);
    const lines = Array.from({ length: Math.ceil(most / 20) }, (_, index) => `- line ${index + 1} 说`);
    const pieces = splitText(`Look:\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n\n**Done.**`, most);
    await scene.answer(message, pieces[0] ?? "");
    const rest = pieces.slice(1).map((text, index) => toPart(message, text, index + 1));
    await scene.bus.publishOutbound(rest);
    await eventually(() => platform.sent().join("\n")).toContain("Done.");
    const seen = [
      ...platform
        .sent()
        .join("\n")
        .matchAll(/line (\d+)/g),
    ].map(([, number]) => Number(number));
    expect(seen).toEqual(lines.map((_, index) => index + 1));
  });

  test("hears a group when it is addressed", async ({ skip }) => {
    const platform = await open();
    if (platform.sayInGroup === undefined) return skip("not of this platform");
    const scene = await startOn(platform, name);
    await platform.sayInGroup("among us", { isMention: false });
    await platform.sayInGroup("what time is it", { isMention: true });
    const message = await scene.next();
    expect(message.text).toBe("what time is it");
    expect(message.origin.group).toBe(`${name}-${message.origin.chatId}`);
    expect(message.speaker).toBeTruthy();
  });

  test("answers in the thread in which it was asked", async ({ skip }) => {
    const platform = await open();
    if (platform.sayInThread === undefined) return skip("not of this platform");
    const scene = await startOn(platform, name);
    await platform.sayInThread("what time is it");
    const message = await scene.next();
    const { chatId, thread = "" } = message.origin;
    expect(message).toMatchObject({ text: "what time is it", sessionKey: `${name}:${chatId}:${thread}` });
    await scene.answer(message, "nine");
    await eventually(() => scene.bus.outbox.list()).toEqual([]);
    expect(thread.endsWith(String(platform.lastThread?.()))).toBe(true);
  });

  test("brings files both ways where it says that it can", async ({ skip }) => {
    const platform = await open();
    const scene = await startOn(platform, name);
    if (platform.sayWithFile === undefined) return skip("not of this platform");
    await platform.sayWithFile("look", "notes.txt");
    const message = await scene.next();
    const [path = ""] = message.media ?? [];
    expect(await readFile(path, "utf8")).toBe("content");
    await scene.answer(message, "here", { media: [path] });
    await eventually(() => platform.sent().join("\n")).toMatch(/^here\n.*notes/s);
  });

  test("hands over what was edited and deleted, once", async ({ skip }) => {
    const platform = await open();
    const { edit, remove } = platform;
    const scene = await startOn(platform, name);
    const { revisions = [] } = scene.manager.capabilitiesOf(name) ?? {};
    expect(revisions).toEqual([...(edit ? ["edits"] : []), ...(remove ? ["deletions"] : [])]);
    if (revisions.length === 0) return skip("not of this platform");
    await platform.say("at nine", { id: 911 });
    const { id, sessionKey } = await scene.next();
    await edit?.(911, "at ten");
    await edit?.(911, "at ten");
    if (edit !== undefined)
      expect(await scene.next()).toMatchObject({
        sessionKey,
        text: "at ten",
        revises: { id, before: "at nine" },
      });
    await remove?.(911);
    if (remove !== undefined)
      expect(await scene.next()).toMatchObject({ sessionKey, text: "", revises: { id, isDeleted: true } });
    await platform.say("that is all", { id: 912 });
    expect((await scene.next()).text).toContain("that is all");
  });

  test("shows an answer while it is written in one message, where messages can be edited", async ({
    skip,
  }) => {
    const platform = await open();
    const scene = await startOn(platform, name);
    if (scene.manager.capabilitiesOf(name)?.streaming !== "edit") return skip("not of this platform");
    await platform.say("tell me a story");
    const message = await scene.next();
    const { sessionKey, id: turnId, origin } = message;
    const live = { sessionKey, turnId, channel: name, chatId: origin.chatId };
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await eventually(platform.sent).toEqual(["Once upon a time there was"]);
    await scene.answer(message, "Once upon a time. The end.", { wasStreamed: true });
    await eventually(platform.sent).toEqual(["Once upon a time. The end."]);
  });

  test("asks with buttons where it has them, otherwise in words", async ({ skip }) => {
    const platform = await open();
    const scene = await startOn(platform, name);
    const { canAsk, buttons } = scene.manager.capabilitiesOf(name) ?? {};
    if (canAsk !== true || (buttons === true && platform.press === undefined))
      return skip("not of this platform");
    await platform.say("do it");
    const { sessionKey, id: turnId, origin } = await scene.next();
    const live = { sessionKey, turnId, channel: name, chatId: origin.chatId };
    const choices = [
      { id: "yes", phrase: phrase("channels.quoted", { quote: "yes" }) },
      { id: "no", phrase: phrase("channels.quoted", { quote: "no" }) },
    ];
    const question = {
      kind: "choice",
      person: "owner",
      phrase: phrase("channels.ended"),
      detail: "rm x",
      choices,
    } as const;
    scene.bus.publishLive({ ...live, body: { type: "ask-start", askId: "a1", question } });
    await eventually(() => platform.sent().join("\n")).toContain("rm x");
    if (buttons !== true) return;
    platform.press?.(1);
    expect(await scene.next()).toMatchObject({ text: "", pressed: toButtonToken("a1", 1), sessionKey });
  });

  test.for(["limit", "before", "after"] as const)(
    "sends a part again that was not taken: %s",
    async (how, { skip }) => {
      const platform = await open();
      if (platform.failNext === undefined) return skip("not of this platform");
      const scene = await startOn(platform, name);
      await platform.say("hi");
      const message = await scene.next();
      await platform.failNext(how);
      await scene.answer(message, "an answer");
      await eventually(() => scene.bus.outbox.list()).toEqual([]);
      const isTwice = how === "after" && platform.knowsKeys !== true;
      expect([...new Set(platform.sent())]).toEqual(["an answer"]);
      if (!isTwice) expect(platform.sent()).toHaveLength(1);
    },
  );

  test("fails with a reason when its credentials are revoked", async ({ skip }) => {
    const platform = await open();
    if (platform.revoke === undefined) return skip("not of this platform");
    const scene = await startOn(platform, name);
    await platform.say("hi");
    await scene.next();
    platform.revoke();
    await eventually(() => scene.manager.health()[0]?.state).toBe("failed");
    expect(scene.manager.health()[0]?.error?.code).not.toBe("channels.unreachable");
  });
});

function toPart({ id, origin, sessionKey }: InboundMessage, text: string, number: number): OutboundPart {
  const { channel, chatId, thread } = origin;
  const address = { channel, chatId, sessionKey, ...(thread !== undefined && { thread }) };
  const kind = "answer" as const;
  return { ...address, id: `${id}:final#${number}`, turnId: id, text, media: [], kind, wasStreamed: false };
}

/** What a platform with HTML shows of it. */
function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
