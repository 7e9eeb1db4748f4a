import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChannelScene, startChannel } from "../../../test/support/channel-scene.ts";
import { type FakeSlack, startFakeSlack } from "../../../test/support/fake-slack.ts";
import { slack } from "./slack.ts";

interface Scene extends AsyncDisposable {
  platform: FakeSlack;
  scene: ChannelScene;
}

async function start(options: Partial<Parameters<typeof startChannel>[0]> = {}): Promise<Scene> {
  const platform = await startFakeSlack();
  const { botToken, appToken, url: apiBase } = platform;
  const config = { botToken, appToken, apiBase, ...options.config };
  const scene = await startChannel({ kind: slack, rules: { allowFrom: ["U42"] }, ...options, config });
  return {
    platform,
    scene,
    async [Symbol.asyncDispose]() {
      await scene.stop();
      await platform[Symbol.asyncDispose]();
    },
  };
}

const inChannel = { channel: "C1", channel_type: "channel" };

describe("a message on Slack", () => {
  it("is acknowledged once it is stored, and comes once however often Slack sends it", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const first = platform.say("see <https://x.org|the site> &amp; more", { ts: "1.1" });
    expect(await scene.next()).toMatchObject({ text: "see the site (https://x.org) & more" });
    await platform.waitFor(() => platform.acknowledged.includes(first));
    platform.say("again", { ts: "1.1" });
    platform.move();
    platform.say("two", { ts: "1.2" });
    expect((await scene.next()).text).toBe("two");
  });

  it("of a channel is heard when it is for the bot, and answered in a thread that goes on", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("among us", inChannel);
    platform.say("<@UBOT> what time is it", { ...inChannel, type: "app_mention", ts: "5.5" });
    // The same words come as a message, too.
    platform.say("<@UBOT> what time is it", { ...inChannel, ts: "5.5" });
    const message = await scene.next();
    expect(message).toMatchObject({
      text: "what time is it",
      sessionKey: "slack:C1:thread:5.5",
      speaker: "Ann",
    });
    await scene.answer(message, "**Noon** & <later>");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]).toMatchObject({
      text: "*Noon* &amp; &lt;later&gt;",
      body: { channel: "C1", thread_ts: "5.5" },
    });
    platform.say("thanks", { ...inChannel, ts: "5.6", thread_ts: "5.5" });
    expect(await scene.next()).toMatchObject({ text: "thanks", sessionKey: "slack:C1:thread:5.5" });
  });

  it("is passed over when a bot or a change of the channel says it", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("beep", { bot_id: "B1" });
    platform.say("ann has joined", { subtype: "channel_join" });
    platform.say("x", { ts: 5 });
    platform.push("events_api", {});
    platform.say("fine");
    expect((await scene.next()).text).toBe("fine");
  });

  it("with a file brings the file, asked for with our token", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.files.set("/files/notes.txt", Buffer.from("content"));
    const files = [{ name: "notes.txt", url_private_download: `${platform.url}/files/notes.txt` }];
    platform.say("look", { subtype: "file_share", files });
    const [path = ""] = (await scene.next()).media ?? [];
    expect(await readFile(path, "utf8")).toBe("content");
  });
});

describe("an answer on Slack", () => {
  it("is shown while it is written, and waits as long as Slack asks for", async () => {
    await using opened = await start({ config: { streamEditInterval: 0.1 } });
    const { platform, scene } = opened;
    platform.say("tell me a story");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "slack", chatId: "D1" };
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await platform.waitFor(() => platform.messages.length === 1);
    const limit = {
      status: 429,
      body: { ok: false, error: "ratelimited" },
      headers: { "retry-after": "0.01" },
    };
    platform.failNext(/chat\.update/, limit);
    await scene.answer(message, "Once upon a time. The end.", { wasStreamed: true });
    await platform.waitFor(() => platform.messages[0]?.text.endsWith("The end.") === true);
    expect(platform.messages).toHaveLength(1);
  });

  it("brings files, and what Slack will never take is set aside", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const path = join(scene.home, "plot.png");
    await writeFile(path, "x");
    platform.say("plot");
    await scene.answer(await scene.next(), "here", { media: [path] });
    await platform.waitFor(() => platform.messages.length === 2);
    expect(platform.messages.map(({ text }) => text)).toEqual(["here", "[file plot.png]"]);
    platform.failNext(/postMessage/, { status: 200, body: { ok: false, error: "is_archived" } });
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await expect
      .poll(() => scene.bus.outbox.list())
      .toMatchObject([{ state: "dead", reason: { params: { quote: "is_archived" } } }]);
  });
});

describe("Slack's own controls", () => {
  it("show a question with buttons, and hand over presses and commands", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const button = { value: "abc.1", action_ts: "9.1" };
    const press = { type: "block_actions", user: { id: "U42" }, channel: { id: "D1" }, actions: [button] };
    const id = platform.push("interactive", press);
    expect(await scene.next()).toMatchObject({ text: "", pressed: "abc.1", sessionKey: "slack:D1" });
    await platform.waitFor(() => platform.acknowledged.includes(id));
    const command = { channel_id: "D1", user_id: "U42", trigger_id: "t1" };
    platform.push("slash_commands", { ...command, command: "/nanobot", text: "search tea" });
    expect((await scene.next()).text).toBe("/search tea");
    platform.push("slash_commands", { ...command, command: "/nano-new", trigger_id: "t2" });
    expect((await scene.next()).text).toBe("/new");
  });

  it("fail with the reason when the app token is wrong", async () => {
    await using opened = await start({ config: { appToken: "xapp-wr0ng" } });
    await expect
      .poll(() => opened.scene.manager.health()[0])
      .toMatchObject({ state: "failed", error: { code: "channels.slack-app-token" } });
    expect(JSON.stringify(opened.scene.manager.health())).not.toContain("wr0ng");
  });
});
