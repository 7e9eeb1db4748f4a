import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { StateDatabase } from "../storage/database/state-database.ts";
import { DurableBus } from "../storage/queues/durable-bus.ts";
import { findThread, parseSessionKey, toBrowserKey, toSessionKey, toSubagentKey } from "./session-key.ts";

describe("a session key", () => {
  it.each([
    ["telegram:42", { kind: "chat", channel: "telegram", chatId: "42" }],
    ["telegram:-7:topic:9", { kind: "chat", channel: "telegram", chatId: "-7", thread: "topic:9" }],
    ["email:a@b.org:thread:0f", { kind: "chat", channel: "email", chatId: "a@b.org", thread: "thread:0f" }],
    ["web:ann:k1", { kind: "chat", channel: "web", chatId: "ann:k1", person: "ann" }],
    ["web:k1", { kind: "chat", channel: "web", chatId: "k1" }],
    ["subagent:t.1.0", { kind: "subagent", channel: "subagent", chatId: "t.1.0" }],
    ["heartbeat", { kind: "chat", channel: "heartbeat", chatId: "" }],
  ])("is read: %s", (key, parsed) => expect(parseSessionKey(key)).toEqual(parsed));

  it("is made of what it is read as", () => {
    const address = { channel: "feishu", chatId: "oc_1", thread: "topic:om_1" };
    expect(parseSessionKey(toSessionKey(address))).toEqual({ kind: "chat", ...address });
    expect(parseSessionKey(toSubagentKey("t.1.0"))).toMatchObject({ kind: "subagent", chatId: "t.1.0" });
    expect(toBrowserKey("k1", { person: "owner", role: "owner" })).toBe("web:k1");
    expect(parseSessionKey(toBrowserKey("k1", { person: "ann", role: "guest" })).person).toBe("ann");
  });

  it("names a thread only of its own chat", () => {
    const chat = { channel: "mine", chatId: "board:7" };
    expect(findThread("mine:board:7:corner", chat)).toBe("corner");
    expect(findThread("mine:board:7", chat)).toBeUndefined();
    expect(findThread("mine:board:70:corner", chat)).toBeUndefined();
  });
});

/** As 0.1.0 wrote them: nothing but the key says which thread it is. */
const part = `{"id":"t:final#0","channel":"telegram","chatId":"-7","sessionKey":"telegram:-7:topic:9","turnId":"t","text":"hi","media":[],"replyTo":"5","kind":"answer","wasStreamed":true}`;
const message = `{"sourceKey":"telegram:-7:5","sessionKey":"telegram:-7:topic:9","origin":{"channel":"telegram","chatId":"-7","senderId":"42","person":"owner","role":"owner","group":"telegram--7","cause":"user","format":"messaging","replyTo":"5"},"text":"hello","media":[],"isBurst":true,"id":"u","receivedAt":1}`;

it("rows of 0.1.0 are handed out with the thread that they belong to", async () => {
  const home = await createTemporaryFolder();
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  onTestFinished(() => state.close());
  await state.write(() => {
    state.run(
      "INSERT INTO outbox (id, channel, chat_id, part, created_at) VALUES (?, ?, ?, ?, ?)",
      "t:final#0",
      "telegram",
      "-7",
      part,
      1,
    );
    state.run(
      "INSERT INTO inbox (id, source_key, message, received_at) VALUES (?, ?, ?, ?)",
      "u",
      "telegram:-7:5",
      message,
      1,
    );
  });
  const bus = await DurableBus.open({ state, clock: systemClock, ids: createIds(systemClock) });
  const { signal } = new AbortController();
  expect(bus.outbox.list()[0]?.part.thread).toBe("topic:9");
  expect(await bus.takeOutbound("telegram", signal)).toMatchObject({ id: "t:final#0", thread: "topic:9" });
  expect((await bus.takeInbound(signal)).origin).toMatchObject({ chatId: "-7", thread: "topic:9" });
});
