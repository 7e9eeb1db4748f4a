// Which chat hears what the heartbeat has to tell.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPast } from "../src/api/chat/shown-log.ts";
import { configSchema } from "../src/config/schema.ts";
import { channelFolder, resolveHome } from "../src/storage/home.ts";
import { eventually } from "./support/eventually.ts";
import { type FakeTelegram, startFakeTelegram } from "./support/fake-telegram.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";

let telegram: FakeTelegram;

beforeEach(async () => {
  telegram = await startFakeTelegram();
});

afterEach(async () => {
  await closeTestGateways();
  await telegram[Symbol.asyncDispose]();
});

async function open(target: string): Promise<TestGateway> {
  const { token, url: apiBase } = telegram;
  const lists = { owners: ["42"], allowFrom: ["7"] };
  const config = {
    gateway: { heartbeat: { intervalS: 1, target } },
    channels: {
      collectMs: 0,
      telegram: { enabled: true, token, apiBase, ...lists, streaming: false, reactEmoji: "" },
    },
  };
  const step = (request: unknown) =>
    JSON.stringify(request).includes("[Heartbeat]") ? "The plant needs water." : "Hello.";
  const gateway = await createTestGateway({ steps: [step], loop: true }, { config });
  await writeFile(join(gateway.app.workspace, "HEARTBEAT.md"), "- look after the plant\n");
  return gateway;
}

const heard = (chatId: string) =>
  telegram.messages.filter((message) => message.chatId === chatId).map(({ text }) => text);

describe("the heartbeat of a gateway", () => {
  it("reports in the chosen chat, although no one ever wrote there, with the rights of its person", async () => {
    const gateway = await open("telegram:42");
    await telegram.waitFor(() => heard("42").length > 0);
    expect(heard("42")[0]).toBe("The plant needs water.");
    expect(gateway.problems).toEqual([]);
    const rows = await gateway.client.call("usage.report", { by: "person" });
    expect(rows.rows.map(({ group }) => group)).toEqual(["owner"]);
  });

  it("speaks there also when the owner spoke last elsewhere, and as a guest in a guest's chat", async () => {
    const gateway = await open("telegram:7");
    telegram.say("hi");
    await telegram.waitFor(() => heard("7").length > 0 && heard("42").length > 0);
    expect(new Set(heard("42"))).toEqual(new Set(["Hello."]));
    const { rows } = await gateway.client.call("usage.report", { by: "person" });
    expect(rows.map(({ group }) => group)).toEqual(["owner", "telegram-7"]);
  });

  it("speaks to the owner in private, also when the owner spoke last in a group", async () => {
    await open("last");
    telegram.say("hi");
    await telegram.waitFor(() => heard("42").includes("Hello."));
    telegram.say("@nano_bot hi all", { chat: { id: -10, type: "group" } });
    await telegram.waitFor(() => heard("-10").includes("Hello."));
    const before = heard("42").length;
    await telegram.waitFor(() => heard("42").length > before + 1);
    expect(heard("-10")).toEqual(["Hello."]);
  });

  it("may speak in the browser, which is the owner's", async () => {
    const gateway = await open("web:1");
    await gateway.isAsked(1);
    expect(gateway.problems).toEqual([]);
    const report = () => gateway.client.call("usage.report", { by: "person" });
    await eventually(async () => (await report()).rows.map(({ group }) => group)).toEqual(["owner"]);
  });

  it("speaks in the terminal, where nothing else is in use: the page and the next terminal show it", async () => {
    const gateway = await open("last");
    const request = { sessionKey: "cli:direct", limit: 20 };
    const sent = async () => JSON.stringify((await gateway.client.call("chat.open", request)).asides);
    await eventually(sent).toContain("The plant needs water.");
    const paths = resolveHome({ env: { NANOBOT_HOME: gateway.home } });
    const { asides } = await openPast(channelFolder(paths, "web"), paths.home).read("cli:direct");
    expect(asides[0]).toMatchObject({ text: "The plant needs water." });
  });

  it("says at the start that a channel which does not run will hear of nothing", async () => {
    const gateway = await open("feishu:oc_1");
    expect(gateway.problems).toEqual([
      { phrase: { code: "channels.heartbeat-target", params: { target: "feishu:oc_1" } } },
    ]);
    telegram.say("hi");
    await telegram.waitFor(() => heard("42").length > 0);
    expect(heard("42")).toEqual(["Hello."]);
  });
});

it("a target is a channel and a chat, or the last one", () => {
  const read = (target: unknown) => configSchema.safeParse({ gateway: { heartbeat: { target } } });
  expect(read(undefined).data?.gateway.heartbeat.target).toBe("last");
  for (const good of ["last", "telegram:42", "feishu:oc_a1", "email:ann@example.org", "telegram:-100:x"])
    expect([good, read(good).success]).toEqual([good, true]);
  for (const bad of ["", "telegram", "telegram:", ":42", "tele gram:42", "telegram: 42", 42])
    expect([bad, read(bad).success]).toEqual([bad, false]);
});
