// Answers that no chat can hold, and characters that no chat should get.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ChannelCapabilities } from "../src/bus/channel.ts";
import { createSplit } from "../src/channels/split-text.ts";
import { createWords } from "../src/i18n/words.ts";
import { anything, like, words } from "./support/english.ts";
import { startFakeFeishu } from "./support/fake-feishu.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

describe("on Telegram", () => {
  it("ten megabytes are their beginning and a file, and control characters stay behind", async () => {
    await using platform = await startFakeTelegram();
    const long = "A long story. ".repeat((10 * 1024 * 1024) / 14);
    const telegram = {
      enabled: true,
      token: platform.token,
      apiBase: platform.url,
      allowFrom: ["42"],
      streaming: false,
    };
    const gateway = await createTestGateway([long, "a\u0000b\u001b[31mc\u009d\u202ed\r\ne"], {
      config: { channels: { telegram, collectMs: 0 } },
    });
    platform.say("Tell me a story");
    await platform.waitFor(() => platform.messages.length === 2);
    const [beginning, file] = platform.messages;
    expect(beginning?.text).toMatch(/^A long story\. /);
    expect(beginning?.text).toMatch(like(` …\n\n${words.gateway.answerInFile(anything)}`));
    expect(file).toMatchObject({ method: "sendDocument", text: "[file answer.md]" });
    const folder = join(gateway.home, "media", "sent");
    const [name = ""] = await readdir(folder);
    const kept = await readFile(join(folder, name, "answer.md"), "utf8");
    expect(kept.trim() === long.trim()).toBe(true);
    platform.say("And now?");
    await platform.waitFor(() => platform.messages.length === 3);
    expect(platform.messages[2]?.text).toBe("ab[31mcd\ne");
  });
});

describe("on the page", () => {
  it.each(["web:one", "cli:direct"])(
    "ten megabytes in %s are whole in the conversation, with no file and nothing else",
    async (sessionKey) => {
      const long = "A long story. ".repeat((10 * 1024 * 1024) / 14).trim();
      const gateway = await createTestGateway([long, "Yes."]);
      const client = await openWebClient(gateway);
      for (const text of ["Tell me a story", "Is it over?"]) {
        const { turnId } = await client.ask("chat.send", { sessionKey, text });
        await client.waitFor(({ event }) => {
          const shown = event.type === "shown" ? event.shown : undefined;
          return shown?.type === "settled" && shown.turnId === turnId;
        });
      }
      const { entries, asides } = await client.ask("chat.open", { sessionKey });
      expect(entries.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
      expect(entries[1]?.text === long).toBe(true);
      expect(asides).toEqual([]);
      expect(client.events.length).toBeLessThan(100);
      await expect(readdir(join(gateway.home, "media", "sent"))).rejects.toThrow("ENOENT");
    },
  );
});

describe("on Feishu, which takes a second message under the same key for the first one", () => {
  it("every text between tool calls is shown, also those that are equally long or cut to the same length", async () => {
    await using platform = await startFakeFeishu();
    const { appId, appSecret, url: apiBase } = platform;
    const feishu = { enabled: true, appId, appSecret, apiBase, allowFrom: ["ou_ann"], streaming: false };
    const texts = ["Let me see.", "And on now.", "a".repeat(20_000), "b".repeat(30_000)];
    const looks = texts.map((text) => ({
      text,
      toolCalls: [{ name: "list_dir", arguments: { path: "." } }],
    }));
    await createTestGateway([...looks, "Done."], {
      config: { channels: { feishu, collectMs: 0, sendToolHints: false } },
    });
    platform.say("Look around");
    await platform.waitFor(() => platform.messages.some(({ text }) => text === "Done."));
    const isShown = (text: string) => platform.messages.some((shown) => shown.text === text.slice(0, 8_000));
    await platform.waitFor(() => texts.every(isShown));
    expect(platform.messages).toHaveLength(5);
  });
});

describe("a text for a channel", () => {
  const usual: ChannelCapabilities = {
    format: "plain",
    markup: "plain",
    streaming: "none",
    media: false,
    typing: false,
    canAsk: false,
  };

  async function split(capabilities: Partial<ChannelCapabilities> | undefined, text: string) {
    const folder = await createTemporaryFolder();
    const words = createWords("english");
    const capabilitiesOf = () => capabilities && { ...usual, ...capabilities };
    return createSplit({ capabilitiesOf, folder, words })("x", text);
  }

  it("is split into at most twenty messages, none longer than the channel takes", async () => {
    const words = "some words ".repeat(1_000);
    expect(await split({ maxTextLength: 1_000 }, words)).toHaveLength(12);
    for (const maxTextLength of [50, 200, 4_000]) {
      const pieces = await split({ maxTextLength }, words.repeat(100));
      expect(pieces.length).toBeLessThanOrEqual(20);
      for (const { text } of pieces) expect(text.length).toBeLessThanOrEqual(maxTextLength);
    }
  });

  it("that has no room for it, says where the rest is when files are not taken either", async () => {
    const [only, ...others] = await split({ maxTextLength: 4_000 }, "x".repeat(1_000_000));
    expect(others).toEqual([]);
    expect(only?.media).toEqual([]);
    expect(only?.text).toMatch(like(words.gateway.answerInChat(anything)));
  });

  it("is a file also where nothing limits a message, such as in a mail, and whole where it is shown as it is", async () => {
    const [mail] = await split({ media: true }, "word ".repeat(100_000));
    expect(mail?.media).toHaveLength(1);
    expect(mail?.text.length).toBeLessThan(4_000);
    expect(await split(undefined, "x".repeat(1_000_000))).toEqual([{ text: "x".repeat(1_000_000) }]);
  });
});
