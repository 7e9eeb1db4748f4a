import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findIllegalities } from "../../../../test/support/legal-history.ts";
import { sampled } from "../../../../test/support/long-form.ts";
import type { Message } from "../../../llm/types.ts";
import { Transcript } from "../transcript.ts";
import type { NewEntry, StoredMessage } from "./message.ts";
import { closeOpenTail, replay } from "./replay.ts";

/** Messages as a file with these records would give them. */
function read(records: readonly unknown[]): readonly StoredMessage[] {
  const transcript = new Transcript("2026-08-01T10:00:00");
  for (const record of records) transcript.accept(Buffer.from(JSON.stringify(record)));
  return transcript.recent;
}

function replayAll(...records: unknown[]): Message[] {
  return replay(read(records), { from: 0 });
}

function toRecord({ id, turn, message }: NewEntry): unknown {
  return { ...message, id, turn };
}

const hello = { role: "user", content: "hello" };
const answer = { role: "assistant", content: "hi" };

function call(...ids: string[]) {
  const toolCalls = ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } }));
  return { role: "assistant", content: null, tool_calls: toolCalls };
}

function result(id: string, content = `result of ${id}`) {
  return { role: "tool", tool_call_id: id, name: "look", content };
}

describe("a legal history", () => {
  test("comes out as it is stored, in the order of its fields, without what is ours", () => {
    const sent = [
      hello,
      { ...call("a", "b"), content: "let me see", reasoning_content: "hm" },
      result("a"),
      result("b"),
      {
        content: "done",
        role: "assistant",
        thinking_blocks: [{ type: "thinking", thinking: "x", signature: "s" }],
      },
      { role: "user", content: [{ type: "image_url", image_url: { url: "file:///a.png" } }] },
    ];
    const stored = sent.map((message, n) => ({
      ...message,
      id: `m${n}`,
      turn: "m0",
      at: n,
      timestamp: "t",
      mood: 1,
    }));
    expect(JSON.stringify(replayAll(...stored))).toBe(JSON.stringify(sent));
  });

  test("keeps messages of one role apart, for the wire protocol to merge", () => {
    expect(replayAll(hello, hello, answer, answer)).toEqual([hello, hello, answer, answer]);
  });

  test("begins at the given position, or at the next thing the user said", () => {
    const messages = read([hello, call("a"), result("a"), answer, { role: "user", content: "more" }]);
    expect(replay(messages, { from: 2 })).toEqual([{ role: "user", content: "more" }]);
    expect(replay(messages, { from: 99 })).toEqual([]);
    expect(replay(messages, { from: -3 })).toHaveLength(5);
  });
});

describe("the start", () => {
  test("may be a text that the assistant pushed directly before the user spoke", () => {
    const pushed = { role: "assistant", content: "reminder", _channel_delivery: true };
    const history = replayAll(answer, pushed, hello);
    expect(history.slice(1)).toEqual([{ role: "assistant", content: "reminder" }, hello]);
    expect(history[0]?.role).toBe("user");
    expect(replayAll(pushed, answer, hello)).toEqual([hello]);
    expect(replayAll(pushed)).toEqual([]);
  });

  test("is not a slash command", () => {
    expect(replayAll({ ...hello, _command: true }, { ...answer, _command: true }, hello)).toEqual([hello]);
  });
});

describe("calls and results", () => {
  test("a call that never got a result gets a note in its place", () => {
    const history = replayAll(hello, call("a", "b"), result("b"), hello);
    expect(history.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
    expect(history[2]).toMatchObject({ tool_call_id: "a", content: expect.stringContaining("interrupted") });
    expect(history[3]).toEqual(result("b"));
  });

  test("results are put in the order of their calls, and superfluous ones dropped", () => {
    const late = result("a", "late");
    const history = replayAll(
      hello,
      result("x"),
      call("a", "b"),
      result("b"),
      result("a"),
      late,
      answer,
      late,
    );
    expect(history).toEqual([hello, call("a", "b"), result("a"), result("b"), answer]);
  });

  test("a text pushed while calls run is after their results", () => {
    const pushed = { role: "assistant", content: "sent", _channel_delivery: true };
    const history = replayAll(hello, call("a"), pushed, result("a"), answer);
    expect(history).toEqual([hello, call("a"), result("a"), { role: "assistant", content: "sent" }, answer]);
  });

  test("repeated ids are renamed, each result with its call", () => {
    const history = replayAll(
      hello,
      call("a", "a"),
      result("a", "first"),
      result("a", "second"),
      call("a-2"),
      result("a-2", "third"),
      call("a"),
      result("a", "fourth"),
      answer,
    );
    expect(findIllegalities(history)).toEqual([]);
    const results = history.filter((message) => message.role === "tool");
    expect(results.map(({ tool_call_id, content }) => `${tool_call_id} ${content}`)).toEqual([
      "a first",
      "a-2 second",
      "a-2-2 third",
      "a-3 fourth",
    ]);
  });

  test("calls at the very end are held back until their results are there", () => {
    expect(replayAll(hello, call("a", "b"), result("a"))).toEqual([hello]);
    expect(replayAll(hello, call("a", "b"), result("b"), result("a"))).toHaveLength(4);
    expect(replayAll(hello, call("a", "b"), result("a"), hello)).toHaveLength(5);
  });

  test("malformed calls are dropped, odd names and arguments repaired", () => {
    const odd = {
      role: "assistant",
      content: "",
      tool_calls: [
        null,
        { id: "x", function: { name: " ", arguments: "{}" } },
        { function: { name: "look" } },
        { id: "a", type: "function", function: { name: "functions.look", arguments: "[1" } },
        { id: "b", function: { name: "look", arguments: { path: "p" } } },
      ],
    };
    const history = replayAll(hello, odd, result("a"), result("b"), answer);
    expect(findIllegalities(history)).toEqual([]);
    expect(history[1]).toMatchObject({
      tool_calls: [
        { id: "a", function: { name: "functions_look", arguments: "{}" } },
        { id: "b", type: "function", function: { name: "look", arguments: '{"path":"p"}' } },
      ],
    });
  });
});

describe("odd messages", () => {
  test.each([
    ["blank assistant", { role: "assistant", content: " \n" }],
    ["assistant that only thought", { role: "assistant", content: null, reasoning_content: "hm" }],
    ["unknown role", { role: "narrator", content: "meanwhile" }],
    ["no role", { content: "?" }],
    ["result without a call id", { role: "tool", content: "?" }],
    ["a list of no calls", { role: "assistant", content: null, tool_calls: [] }],
  ])("%s is left out", (_name, record) => {
    expect(replayAll(hello, record, hello)).toEqual([hello, hello]);
  });

  test.each([
    [null, "(empty message)"],
    [undefined, "(empty message)"],
    [42, "42"],
    [{ text: "x" }, '{"text":"x"}'],
    [[{ type: "text", text: "" }], "(empty message)"],
    [
      ["a", { type: "text", text: "b", _meta: 1 }],
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    ],
    [[{ type: "input_audio", data: "…" }], [{ type: "text", text: "[input_audio left out]" }]],
    [[{ type: "image_url", image_url: { url: "/a.png" } }], [{ type: "text", text: "[image: /a.png]" }]],
  ])("content %j is sent as %j", (content, sent) => {
    expect(replayAll({ role: "user", content })).toEqual([{ role: "user", content: sent }]);
  });

  test("a system message in the middle is said by the user", () => {
    expect(replayAll(hello, { role: "system", content: "note" })[1]).toEqual({
      role: "user",
      content: "note",
    });
  });

  test("attachments of the Python original are named, unless the text names them already", () => {
    const media = ["/a.png", "/b.png", 7];
    expect(replayAll({ role: "user", content: "see\n[image: /a.png]", media })).toEqual([
      { role: "user", content: "see\n[image: /a.png]\n[image: /b.png]" },
    ]);
    expect(replayAll({ role: "user", content: "ours", media, turn: "T" })).toEqual([
      { role: "user", content: "ours" },
    ]);
  });
});

describe("an interrupted turn", () => {
  function close(...records: unknown[]): Message[] {
    const messages = read(records);
    return replay(read([...records, ...closeOpenTail(messages).map(toRecord)]), { from: 0 });
  }

  test("gets a result for each open call and a last word", () => {
    const history = close(hello, call("a", "b", "c"), result("b"));
    expect(findIllegalities(history)).toEqual([]);
    expect(history.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "assistant",
    ]);
    expect(history[3]).toEqual(result("b"));
  });

  test.each([
    ["the user waits", [hello]],
    ["results wait", [hello, call("a"), result("a")]],
    ["only a blank followed", [hello, { role: "assistant", content: "" }]],
    ["only a pushed text followed", [hello, { ...answer, _channel_delivery: true }]],
    ["only stray results followed", [hello, result("x")]],
  ])("is closed when %s", (_name, records) => {
    expect(close(...records).at(-1)).toMatchObject({
      role: "assistant",
      content: expect.stringMatching(/interrupted/),
    });
  });

  test.each([
    ["nothing was said", []],
    ["an answer stands", [hello, answer]],
    ["an answer and a command stand", [hello, answer, { ...hello, _command: true }]],
    ["an answer and a pushed text stand", [hello, answer, { ...answer, _channel_delivery: true }]],
  ])("needs nothing when %s", (_name, records) => {
    expect(closeOpenTail(read(records))).toEqual([]);
  });

  test("can be closed again after a crash in the middle of closing", () => {
    const records = [hello, call("a", "b", "c"), result("b")];
    const whole = closeOpenTail(read(records));
    for (let stored = 0; stored <= whole.length; stored++) {
      const first = [...records, ...whole.slice(0, stored).map(toRecord)];
      const rest = closeOpenTail(read(first));
      expect([...whole.slice(0, stored), ...rest]).toEqual(whole);
    }
  });
});

const id = fc.constantFrom("a", "b", "a-2", "c", "");
const scalar = fc.oneof(fc.constant(null), fc.constant(""), fc.constant("text"), fc.integer(), fc.boolean());
const content = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("one", "two", "三") },
  scalar,
  fc.array(fc.oneof(fc.record({ type: fc.constant("text"), text: scalar }), fc.jsonValue()), {
    maxLength: 3,
  }),
  fc.jsonValue(),
);
const toolCall = fc.record({
  id,
  type: fc.constantFrom("function", null),
  function: fc.record({
    name: fc.constantFrom("look", "functions.look", "", null),
    arguments: fc.constantFrom("{}", '{"a":1}', "[", "3", null),
  }),
});
const marks = { _command: fc.constant(true), _channel_delivery: fc.boolean(), media: fc.jsonValue() };
const record = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ role: fc.constant("user"), content, ...marks }, { requiredKeys: ["role"] }),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        role: fc.constant("assistant"),
        content,
        tool_calls: fc.oneof(fc.array(toolCall, { maxLength: 3 }), fc.jsonValue()),
        thinking_blocks: fc.jsonValue(),
        reasoning_content: scalar,
        ...marks,
      },
      { requiredKeys: ["role"] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      { role: fc.constant("tool"), tool_call_id: id, content },
      { requiredKeys: ["role"] },
    ),
  },
  fc.record({ role: fc.oneof(fc.constant("system"), scalar), content }),
  fc.jsonValue(),
);
const records = fc.array(record, { maxLength: 14 });

describe("whatever a file holds", () => {
  test("every provider accepts its history, from every position", () => {
    fc.assert(
      fc.property(records, fc.nat(14), (lines, from) => {
        expect(findIllegalities(replay(read(lines), { from }))).toEqual([]);
      }),
      { numRuns: sampled(500, 2000) },
    );
  });

  test("what is appended later only appends to the history", () => {
    fc.assert(
      fc.property(records, records, (before, after) => {
        const early = replay(read(before), { from: 0 });
        const late = replay(read([...before, ...after]), { from: 0 });
        expect(late.slice(0, early.length)).toEqual(early);
      }),
      { numRuns: sampled(500, 2000) },
    );
  });

  test("closing its tail loses nothing and leaves nothing to close", () => {
    fc.assert(
      fc.property(records, (lines) => {
        const closed = [...lines, ...closeOpenTail(read(lines)).map(toRecord)];
        expect(closeOpenTail(read(closed))).toEqual([]);
        const history = replay(read(closed), { from: 0 });
        expect(findIllegalities(history)).toEqual([]);
        if (history.length > 0) expect(history.at(-1)?.role).toBe("assistant");
      }),
      { numRuns: sampled(500, 2000) },
    );
  });
});
