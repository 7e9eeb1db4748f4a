import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChannelScene, startChannel } from "../../../test/support/channel-scene.ts";
import { type FakeDiscord, startFakeDiscord } from "../../../test/support/fake-discord.ts";
import { discord } from "./discord.ts";

interface Scene extends AsyncDisposable {
  platform: FakeDiscord;
  scene: ChannelScene;
}

async function start(options: Partial<Parameters<typeof startChannel>[0]> = {}): Promise<Scene> {
  const platform = await startFakeDiscord();
  const config = { token: platform.token, apiBase: platform.url, ...options.config };
  const scene = await startChannel({ kind: discord, ...options, config });
  return {
    platform,
    scene,
    async [Symbol.asyncDispose]() {
      await scene.stop();
      await platform[Symbol.asyncDispose]();
    },
  };
}

const begun = ({ platform }: Scene) => platform.waitFor(() => platform.beginnings.length > 0);
const guild = { guild_id: "55", channel_id: "7002" };

describe("a message on Discord", () => {
  it("of a server is heard when it is for the bot, and its thread is a chat of its own", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await begun(opened);
    const mention = { mentions: [{ id: platform.botId }] };
    platform.say("among us", guild);
    platform.say(`<@${platform.botId}> what time is it`, { ...guild, ...mention });
    expect(await scene.next()).toMatchObject({
      text: "what time is it",
      sessionKey: "discord:7002",
      speaker: "Ann",
    });
    platform.say(`<@${platform.botId}> and here`, { ...guild, ...mention, channel_id: "7003" });
    const inThread = await scene.next();
    await scene.answer(inThread, "here, too");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]).toMatchObject({ channelId: "7003", text: "here, too" });
    const answered = { referenced_message: { content: "x", author: { id: platform.botId } } };
    platform.say("thanks", { ...guild, ...answered, type: 19 });
    expect((await scene.next()).text).toBe("thanks");
  });

  it("is passed over when a bot, a join or garbage says it", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await begun(opened);
    platform.say("beep", { author: { id: "9", username: "robot", bot: true } });
    platform.say("joined", { type: 7 });
    platform.push("MESSAGE_CREATE", { id: 5 });
    platform.push("PRESENCE_UPDATE", {});
    platform.say("fine");
    expect((await scene.next()).text).toBe("fine");
  });

  it("with a file brings the file, and without it still brings the words", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await begun(opened);
    platform.files.set("/cdn/notes.txt", Buffer.from("content"));
    const attach = (name: string) => ({
      attachments: [{ url: `${platform.url}/cdn/${name}`, filename: name }],
    });
    platform.say("look", attach("notes.txt"));
    const [path = ""] = (await scene.next()).media ?? [];
    expect(await readFile(path, "utf8")).toBe("content");
    platform.say("lost", attach("gone.txt"));
    expect(await scene.next()).toMatchObject({ text: "lost", media: [] });
  });

  it("that was said while the connection was lost, or the program did not run, comes once", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await begun(opened);
    platform.say("one");
    expect((await scene.next()).text).toBe("one");
    platform.drop();
    await platform.waitFor(() => platform.beginnings.some((how) => how.startsWith("resume")));
    platform.say("two");
    expect((await scene.next()).text).toBe("two");
    await scene.stop();
    platform.mayResume = false;
    platform.sayUnheard("three");
    const config = { token: platform.token, apiBase: platform.url };
    const again = await startChannel({ kind: discord, config, home: scene.home });
    const texts = [(await again.next()).text, (await again.next()).text, (await again.next()).text];
    // The first two were taken and never finished: they wait in the inbox, and are no second copies.
    expect(texts).toEqual(["one", "two", "three"]);
    platform.say("four");
    expect((await again.next()).text).toBe("four");
  });
});

describe("an answer on Discord", () => {
  it("is written into one message, calls nobody, and is sent once although its receipt was lost", async () => {
    await using opened = await start({ config: { streamEditInterval: 0.1 } });
    const { platform, scene } = opened;
    await begun(opened);
    platform.say("tell me a story");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "discord", chatId: "7001" };
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await platform.waitFor(() => platform.messages.length === 1);
    await scene.answer(message, "Once upon a time. @everyone", { wasStreamed: true });
    await platform.waitFor(() => platform.messages[0]?.text.endsWith("@everyone") === true);
    expect(platform.messages[0]?.body).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 });
    platform.failNext(/^POST .*messages$/, "lost", { status: 429, body: { retry_after: 0.01 } });
    platform.say("again");
    await scene.answer(await scene.next(), "once");
    await expect.poll(() => scene.bus.outbox.list()).toEqual([]);
    expect(platform.messages.map(({ text }) => text)).toEqual(["Once upon a time. @everyone", "once"]);
  });

  it("brings files, and what Discord will never take is set aside", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await begun(opened);
    const path = join(scene.home, "plot.png");
    await writeFile(path, "x");
    platform.say("plot");
    await scene.answer(await scene.next(), "here", { media: [path] });
    await platform.waitFor(() => platform.messages.length === 2);
    expect(platform.messages.map(({ text }) => text)).toEqual(["here", "[file plot.png]"]);
    platform.failNext(/^POST .*messages$/, {
      status: 403,
      body: { message: "Cannot send messages to this user", code: 50007 },
    });
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await expect
      .poll(() => scene.bus.outbox.list())
      .toMatchObject([{ state: "dead", reason: { params: { quote: "Cannot send messages to this user" } } }]);
  });
});

describe("Discord's own controls", () => {
  it("offer the commands, and hand over what was chosen and pressed", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await platform.waitFor(() => platform.commands.length > 0);
    expect(platform.commands).toMatchObject([{ name: "new", description: "start a new conversation" }]);
    const user = { id: "42", username: "ann" };
    const about = { channel_id: "7001", user, token: "t" };
    platform.push("INTERACTION_CREATE", {
      ...about,
      id: "i1",
      type: 2,
      data: { name: "search", options: [{ value: "tea" }] },
    });
    expect(await scene.next()).toMatchObject({ text: "/search tea", sessionKey: "discord:7001" });
    platform.push("INTERACTION_CREATE", { ...about, id: "i2", type: 3, data: { custom_id: "abc.0" } });
    expect(await scene.next()).toMatchObject({ text: "", pressed: "abc.0", origin: { person: "owner" } });
    const stranger = { ...about, user: { id: "66", username: "eve" } };
    platform.push("INTERACTION_CREATE", { ...stranger, id: "i3", type: 3, data: { custom_id: "abc.0" } });
    platform.say("next");
    expect((await scene.next()).text).toBe("next");
    const isAnswered = (id: string) => platform.calls.includes(`POST /interactions/${id}/t/callback`);
    await platform.waitFor(() => ["i1", "i2", "i3"].every(isAnswered));
  });

  it("say at once that the bot may not read messages", async () => {
    const platform = await startFakeDiscord();
    platform.isIntentMissing = true;
    const scene = await startChannel({
      kind: discord,
      config: { token: platform.token, apiBase: platform.url },
    });
    await expect
      .poll(() => scene.manager.health()[0])
      .toMatchObject({ state: "failed", error: { code: "channels.discord-intents" } });
    await scene.stop();
    await platform[Symbol.asyncDispose]();
  });
});
