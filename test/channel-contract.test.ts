// What every channel keeps, whatever its platform.

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { ChannelInbox } from "../src/bus/channel.ts";
import { channelRows } from "../src/channels/index.ts";
import { readOwnChannel } from "../src/channels/own-channel.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { packagePath } from "../src/lib/package-root.ts";
import { blackboard } from "./examples/blackboard.ts";
import { type ChannelScene, startChannel } from "./support/channel-scene.ts";
import { eventually } from "./support/eventually.ts";
import { type Platform, usePlatforms } from "./support/platforms.ts";
import { hasSystemPart } from "./support/system-part.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const platforms = usePlatforms();
const hasDovecot = hasSystemPart(["dovecot", "--version"], "dovecot-imapd");

/** The example of docs/adding-a-channel.md, as one's own channel. */
const ownRow = readOwnChannel({ blackboard }, { file: "blackboard.ts", taken: [], redact: String });

async function load(name: string) {
  const row = name === "blackboard" ? ownRow : channelRows.find((each) => each.name === name);
  if (row === undefined || "kind" in row) throw new Error(`there is no channel ${name}`);
  return row.load();
}

async function startOn(platform: Platform, name: string, config = platform.config): Promise<ChannelScene> {
  return startChannel({ kind: await load(name), config, rules: { allowFrom: [platform.ann] } });
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
  const test = it.runIf(name !== "email" || hasDovecot);

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

  test("drops what the platform repeats, also after a restart", async () => {
    const platform = await open();
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
    const rules = { allowFrom: [platform.ann] };
    const again = await startChannel({
      kind: await load(name),
      config: platform.config,
      rules,
      home: scene.home,
    });
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
    await eventually(() => scene.manager.health()[0]?.state).toBe("retrying");
    await platform.say("meanwhile");
    await scene.answer(message, "an answer");
    platform.cable.reconnect();
    expect((await scene.next()).text).toContain("meanwhile");
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
    await platform.say("x".repeat(5_000), { name: "长".repeat(500) });
    const message = await scene.next();
    expect(message.text).toContain("]]> </script> \u{1F469}‍\u{1F680}");
    expect(message.origin).toMatchObject({ role: "owner" });
    expect((await scene.next()).text).toContain("x".repeat(4_000));
    await scene.answer(message, "1 < 2 && \"3\" > '2' </div> 好");
    await eventually(() => platform.sent().map(decode)).toEqual(["1 < 2 && \"3\" > '2' </div> 好"]);
  });
});

/** What a platform with HTML shows of it. */
function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
