// Versions of answers, over the gateway and a real socket.
import { afterEach, describe, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";

async function open() {
  const gateway = await createTestGateway(Array.from({ length: 9 }, (_, index) => `answer ${index + 1}`));
  const client = await openWebClient(gateway);
  const read = () => client.ask("chat.open", { sessionKey });
  return {
    gateway,
    client,
    async say(text: string) {
      const { turnId } = await client.ask("chat.send", { sessionKey, text });
      await client.waitFor(
        ({ event }) =>
          event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === turnId,
      );
      return turnId;
    },
    read,
    texts: async () => (await read()).entries.map(({ text }) => text),
    /** The version with that number, of the last message that has some. */
    async choose(number: number) {
      const { entryId = "", keys = [] } = (await read()).versions?.at(-1) ?? {};
      const version = keys[number - 1] ?? "";
      return client.ask("chat.switch", { sessionKey, entryId, version });
    },
  };
}

describe("versions", () => {
  it("are switched back and forth, each with what followed it and with what it took", async () => {
    const { client, say, read, texts, choose } = await open();
    await say("one");
    const second = await say("two");
    await say("three");
    await client.ask("chat.rewind", { sessionKey, entryId: second });
    expect(await read()).toMatchObject({ isTakenBack: true });
    const again = await say("two");
    const opened = await read();
    expect(opened.isTakenBack).toBeUndefined();
    expect(opened.versions).toEqual([{ entryId: again, keys: [expect.any(String), ""] }]);
    await choose(1);
    expect(await texts()).toEqual(["one", "answer 1", "two", "answer 2", "three", "answer 3"]);
    expect((await read()).entries.at(-1)?.cost).toBeDefined();
    expect((await read()).versions).toEqual([{ entryId: second, keys: ["", expect.any(String)] }]);
    await say("four");
    await choose(2);
    expect(await texts()).toEqual(["one", "answer 1", "two", "answer 4"]);
    await choose(1);
    expect((await texts()).slice(-2)).toEqual(["four", "answer 5"]);
    expect((await client.ask("chat.list", { archived: true })).sessions).toEqual([]);
    expect((await client.ask("chat.list", {})).sessions).toHaveLength(1);
  });

  it("are a tree: a version brings those of its own later messages along", async () => {
    const { client, say, read, texts, choose } = await open();
    const first = await say("one");
    const second = await say("two");
    await client.ask("chat.rewind", { sessionKey, entryId: second });
    await say("two again");
    await client.ask("chat.rewind", { sessionKey, entryId: first });
    await say("one again");
    expect(await texts()).toEqual(["one again", "answer 4"]);
    expect((await read()).versions).toHaveLength(1);
    await choose(1);
    expect(await texts()).toEqual(["one", "answer 1", "two again", "answer 3"]);
    expect((await read()).versions).toHaveLength(2);
    await choose(1);
    expect(await texts()).toEqual(["one", "answer 1", "two", "answer 2"]);
    const { undo } = await client.ask("chat.remove", { sessionKey });
    // Without the conversation that they are versions of, they are found in the archive.
    expect((await client.ask("chat.list", { archived: true })).sessions).toHaveLength(2);
    await client.ask("chat.recover", { undo });
    expect((await client.ask("chat.list", { archived: true })).sessions).toEqual([]);
  });

  it("are no way to another conversation, and bring nothing back that was forgotten since", async () => {
    const { client, gateway, say, choose, texts } = await open();
    const first = await say("my plan is zanzibar");
    await client.ask("chat.send", { sessionKey: "web:two", text: "hello" });
    await expect(
      client.ask("chat.switch", { sessionKey, entryId: first, version: "web:two" }),
    ).rejects.toMatchObject({ problem: { code: "chat.not-found" } });
    await client.ask("chat.rewind", { sessionKey, entryId: first });
    await say("my plan is to stay");
    const words = "zanzibar";
    const { digest } = await client.ask("memory.preview", { words });
    await client.ask("memory.forget", { words, digest });
    await choose(1);
    expect(await texts()).toHaveLength(2);
    const { metadata } = await gateway.app.sessions.open(sessionKey, "owner");
    expect(metadata.forgotten).toEqual([first]);
    const { hits } = await client.ask("memory.search", { query: words });
    expect(JSON.stringify(hits)).not.toContain(words);
  });
});
