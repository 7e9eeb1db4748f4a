import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { findIllegalities } from "../../../test/support/legal-history.ts";
import { readPythonSession } from "../../../test/support/python-session-reader.ts";
import {
  answered,
  createSessionHome,
  said,
  sampleEpoch,
  textsOf,
} from "../../../test/support/session-home.ts";
import { replay } from "../sessions/format/replay.ts";
import { closeInterruptedTurn } from "../sessions/interrupted-turn.ts";
import type { Session } from "../sessions/session.ts";

const calls = [
  { id: "call_1", type: "function" as const, function: { name: "exec", arguments: '{"command":"ls"}' } },
  { id: "call_2", type: "function" as const, function: { name: "exec", arguments: '{"command":"pwd"}' } },
];

function time(second: number): string {
  return `2026-08-01T10:00:0${second}.123456`;
}

/** A file as the Python original writes it. */
function pythonFile(metadata: Record<string, unknown>, messages: Array<Record<string, unknown>>): string {
  const records = [
    {
      _type: "metadata",
      key: "telegram:123",
      created_at: time(0),
      updated_at: time(9),
      metadata,
      last_consolidated: 1,
    },
    { _type: "provider_state", state: { kind: "compaction", payload: {} } },
    ...messages.map((message, index) => ({ ...message, timestamp: time(index) })),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function openPython(
  messages: Array<Record<string, unknown>>,
  metadata: Record<string, unknown> = {},
): Promise<{ session: Session; bytes: string; reload(): Promise<Session> }> {
  const home = await createSessionHome();
  const { path } = await (await home.openStore()).open("telegram:123", "owner");
  const bytes = pythonFile(metadata, messages);
  await writeFile(path, bytes);
  const reload = async () => (await home.openStore()).open("telegram:123", "owner");
  return { session: await reload(), bytes, reload };
}

const conversation = [
  { role: "user", content: "older" },
  { role: "assistant", content: "answered", latency_ms: 12 },
  { role: "user", content: "/status", _command: true },
  { role: "assistant", content: "all well", _command: true },
  { role: "user", content: "look\n[image: /a.png]", media: ["/a.png"], sender_id: "7" },
  { role: "assistant", content: null, tool_calls: calls, reasoning_content: "hm" },
  { role: "tool", tool_call_id: "call_1", name: "exec", content: "files" },
  { role: "tool", tool_call_id: "call_2", name: "exec", content: "/" },
  {
    role: "assistant",
    content: "done",
    thinking_blocks: [{ type: "thinking", thinking: "a", signature: "b" }],
  },
];

describe("a file of the Python original", () => {
  test("loads whole, is not rewritten, and goes on", async () => {
    const { session, bytes, reload } = await openPython(conversation, {
      title: "old",
      _last_usage: { a: 1 },
    });
    expect(session.recent).toHaveLength(9);
    expect(session.lastConsolidated).toBe(1);
    expect(session.createdAt).toBe(time(0));
    expect(session.metadata).toEqual({ title: "old", _last_usage: { a: 1 } });
    await session.append([said("T", "new")]);
    expect((await readFile(session.path, "utf8")).startsWith(bytes)).toBe(true);
    expect((await reload()).recent).toStrictEqual(session.recent);
  });

  test("gets ids, turns and moments by position, the same with every reading", async () => {
    const { session, reload } = await openPython(conversation);
    expect(session.recent.map(({ turn }) => turn)).toEqual([
      ...Array(2).fill("message-0"),
      ...Array(2).fill("message-2"),
      ...Array(5).fill("message-4"),
    ]);
    expect(new Set(session.recent.map(({ id }) => id)).size).toBe(9);
    expect(session.recent[3]?.at).toBe(new Date(2026, 7, 1, 10, 0, 3, 123).getTime());
    expect((await reload()).recent).toStrictEqual(session.recent);
  });

  test("is replayed without commands and bookkeeping", async () => {
    const { session } = await openPython(conversation);
    const history = replay(session.recent, { from: 0 });
    expect(findIllegalities(history)).toEqual([]);
    expect(history.map(({ content }) => content)).toEqual([
      "older",
      "answered",
      "look\n[image: /a.png]",
      null,
      "files",
      "/",
      "done",
    ]);
  });

  test("interrupted in a step is restored from its checkpoint and closed, once", async () => {
    const checkpoint = {
      phase: "awaiting_tools",
      assistant_message: { role: "assistant", content: "let me see", tool_calls: calls },
      completed_tool_results: [{ role: "tool", tool_call_id: "call_1", name: "exec", content: "files" }],
      pending_tool_calls: [calls[1]],
    };
    const metadata = { runtime_checkpoint: checkpoint, pending_user_turn: true, title: "t" };
    const { session, reload } = await openPython([{ role: "user", content: "go" }], metadata);
    await closeInterruptedTurn(session);
    expect(session.recent.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
    expect(textsOf(session).slice(1, 3)).toEqual(["let me see", "files"]);
    expect(session.metadata).toEqual({ title: "t" });
    const loaded = await reload();
    await closeInterruptedTurn(loaded);
    expect(loaded.recent).toStrictEqual(session.recent);
    expect(findIllegalities(replay(loaded.recent, { from: 0 }))).toEqual([]);
  });

  test.each([
    ["its whole checkpoint already stored", conversation.slice(4, 7)],
    ["a part of its checkpoint already stored", conversation.slice(4, 6)],
  ])("with %s gets nothing twice", async (_name, stored) => {
    const checkpoint = { assistant_message: stored[1], completed_tool_results: [conversation[6]] };
    const { session } = await openPython(stored, { runtime_checkpoint: checkpoint });
    await closeInterruptedTurn(session);
    expect(session.recent.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
  });

  test.each([null, 3, {}, { assistant_message: 7 }, { assistant_message: {}, completed_tool_results: "x" }])(
    "with the checkpoint %j is closed all the same",
    async (checkpoint) => {
      const { session } = await openPython([{ role: "user", content: "go" }], {
        runtime_checkpoint: checkpoint,
      });
      await closeInterruptedTurn(session);
      expect(session.recent.map(({ role }) => role)).toEqual(["user", "assistant"]);
      expect(session.metadata).toEqual({});
    },
  );
});

test("the Python original reads what we write", async () => {
  const home = await createSessionHome();
  const session = await (await home.openStore()).open("feishu:群聊/1", "owner");
  const parts = [
    { type: "text" as const, text: "see" },
    { type: "image_url" as const, image_url: { url: "file:///x.png" } },
  ];
  await session.append([
    { id: "T", turn: "T", message: { role: "user", content: parts }, extra: { media: ["/x.png"] } },
    { id: "T.1", turn: "T", message: { role: "assistant", content: null, tool_calls: calls } },
  ]);
  await session.updateMetadata({ epoch: sampleEpoch() });
  await closeInterruptedTurn(session);
  await session.append([said("T2", "再见"), answered("T2.1", "bye")], { sync: true });
  await session.updateMetadata({ title: "two" }, { lastConsolidated: 3 });
  const read = readPythonSession(session.path);
  expect(read).toEqual({
    key: "feishu:群聊/1",
    metadata: { scope: "owner", epoch: sampleEpoch(), title: "two" },
    lastConsolidated: 3,
    messages: session.recent,
  });
});
