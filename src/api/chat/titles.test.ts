// Titles by the model, over the gateway and a real socket; and what is made of its words.
import { afterEach, describe, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import type { CodeScript } from "../../llm/scripted.ts";
import { toCopyTitle, toTitle } from "./titles.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";
const isOn = { variables: { NANOBOT_AGENTS__DEFAULTS__GENERATE_TITLES: "true" } };

async function open(script: CodeScript, options = isOn) {
  const gateway = await createTestGateway(script, options);
  const client = await openWebClient(gateway);
  const cards: string[] = [];
  return {
    gateway,
    client,
    cards,
    say: (text: string, key = sessionKey) => client.ask("chat.send", { sessionKey: key, text }),
    isCalled: (title: string) =>
      client.waitFor(({ event }) => event.type === "session-changed" && event.session.title === title),
  };
}

describe("a conversation in the browser", () => {
  it("gets a title after its first answer, by one small request without tools that the ledger names", async () => {
    const { client, gateway, say, isCalled } = await open([
      "Start with lisbon.",
      "“Spring trip to Portugal.”",
    ]);
    await say("where should we go in spring?");
    await isCalled("Spring trip to Portugal");
    const [, asked] = gateway.provider.requests;
    expect(asked?.tools ?? []).toEqual([]);
    expect(JSON.stringify(asked?.messages)).toContain("where should we go in spring?");
    expect(asked?.attribution).toMatchObject({ cause: "title", sessionKey, person: "owner" });
    const report = await client.ask("usage.report", { by: "cause" });
    expect(JSON.stringify(report)).toContain('"title"');
  });

  it("keeps the title that a person gave, and is asked for another only on request", async () => {
    const { client, gateway, say, isCalled } = await open(["Yes.", "First", "Yes.", "By request"]);
    await say("hello");
    await isCalled("First");
    await client.ask("chat.label", { sessionKey, title: "Mine", folder: " Trips\n" });
    await say("and more");
    await client.waitFor(
      ({ event }) =>
        event.type === "session-changed" && !event.session.isRunning && event.session.title === "Mine",
    );
    expect(await client.ask("chat.title", { sessionKey })).toMatchObject({
      title: "By request",
      folder: "Trips",
    });
    expect(gateway.provider.requests).toHaveLength(4);
    const { sessionKey: copy } = await client.ask("chat.branch", { sessionKey });
    expect((await client.ask("chat.open", { sessionKey: copy })).session).toMatchObject({
      title: "By request (2)",
      folder: "Trips",
    });
    expect((await client.ask("chat.label", { sessionKey, folder: "" })).folder).toBeUndefined();
  });

  it("has its first words where the model gives no title, and none is asked for where that is off", async () => {
    const { client, say } = await open(["Yes.", "https://evil.example/"]);
    await say("hello there");
    await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
    await expect(client.ask("chat.title", { sessionKey: "web:none" })).rejects.toMatchObject({
      problem: { code: "chat.no-title" },
    });
    expect((await client.ask("chat.list", {})).sessions).toMatchObject([{ title: "hello there" }]);
    const off = await open({ steps: ["Yes."], loop: true }, { variables: {} as never });
    await off.say("hello");
    await off.client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
    await off.say("hello again");
    await off.gateway.isAsked(2);
    expect(off.gateway.provider.requests.map(({ attribution }) => attribution.cause)).toEqual([
      "user",
      "user",
    ]);
  });
});

describe("what a model says", () => {
  it.each([
    ['"Trip to Lisbon."', "Trip to Lisbon"],
    ["Title: **Trip** to `Lisbon`", "Trip to Lisbon"],
    ["《里斯本之行》。", "里斯本之行"],
    ["<think>hm</think>\nTea for two", "Tea for two"],
    ["[Click me](https://evil.example) now", "Click me now"],
    ["see https://evil.example/a?b now", "see now"],
    ["<img src=x onerror=alert(1)>Tea", "Tea"],
    ["a\u202Eb\u0007\nc", "ab c"],
  ])("becomes a plain line: %j", (reply, title) => {
    expect(toTitle(reply)?.replaceAll(/\s+/g, " ")).toBe(title);
  });

  it("is no title when it is empty, only an address, or an essay", () => {
    for (const reply of ["", " ** ", "https://evil.example/", "word ".repeat(60)])
      expect(toTitle(reply)).toBeUndefined();
    expect(toTitle("word ".repeat(30))?.length).toBeLessThanOrEqual(60);
  });

  it("a copy has the next free number", () => {
    expect(toCopyTitle("Tea", new Set())).toBe("Tea (2)");
    expect(toCopyTitle("Tea (2)", new Set(["Tea (2)", "Tea (3)"]))).toBe("Tea (4)");
  });
});
