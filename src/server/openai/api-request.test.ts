import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { ApiError, toErrorBody } from "../http/api-error.ts";
import { readApiRequest, toCallerLayer } from "./api-request.ts";

const read = (body: unknown) => readApiRequest(JSON.stringify(body));
const hello = { role: "user", content: "Hello" };

/** Values that stand where others are expected. */
const odd = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string(),
  fc.constant([]),
  fc.constant({}),
);
const part = fc.oneof(
  fc.record(
    { type: fc.constantFrom("text", "image_url", "refusal", "input_audio"), text: odd },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant("image_url"), image_url: fc.oneof(odd, fc.record({ url: fc.string() })) }),
  odd,
);
const message = fc.oneof(
  fc.record(
    {
      role: fc.oneof(fc.constantFrom("system", "developer", "user", "assistant", "tool"), odd),
      content: fc.oneof(fc.string(), fc.array(part, { maxLength: 4 }), odd),
      tool_calls: fc.oneof(odd, fc.array(odd, { maxLength: 3 })),
      tool_call_id: odd,
    },
    { requiredKeys: [] },
  ),
  odd,
);
const body = fc.record(
  {
    messages: fc.oneof(fc.array(message, { maxLength: 6 }), odd),
    model: odd,
    stream: odd,
    stream_options: fc.oneof(odd, fc.record({ include_usage: odd })),
    session_id: odd,
    user: odd,
    n: odd,
    tool_choice: odd,
    response_format: odd,
  },
  { requiredKeys: [] },
);

describe("whatever is sent", () => {
  test("is read, or refused with a sentence in OpenAI's form", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          body.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          try {
            const { text: asked, images, files, model, history } = readApiRequest(text);
            expect(asked.trim() !== "" || images.length > 0 || files.length > 0).toBe(true);
            expect(model).not.toBe("");
            expect(history.every(({ role }) => role !== "system")).toBe(true);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            expect(toErrorBody(error).error).toMatchObject({ type: "invalid_request_error" });
            expect(error.message).not.toBe("");
          }
        },
      ),
      { numRuns: cases(500) },
    );
  });

  test("every text of the user arrives, in its order, before or in the question", () => {
    const said = fc.array(
      fc.record({
        role: fc.constantFrom("user", "assistant"),
        content: fc.string().filter((text) => text.trim() !== ""),
      }),
    );
    fc.assert(
      fc.property(said, (messages) => {
        const { text, history } = read({ messages: [...messages, hello] });
        const told = history.map(({ role, content }) => ({
          role,
          content:
            typeof content === "string"
              ? content
              : content?.map((each) => "text" in each && each.text).join(),
        }));
        expect(told).toEqual(messages.slice(0, told.length));
        const rest = [...messages.slice(told.length), hello];
        expect(text).toBe(rest.map(({ content }) => content.trim()).join("\n\n"));
        expect(rest.every(({ role }) => role === "user")).toBe(true);
      }),
    );
  });
});

test("a session is named by session_id, else by a header, never by the user; a blank name is none", () => {
  const names = [
    { session_id: "a", user: "b" },
    { user: "b" },
    { session_id: " " },
    { session_id: null },
    {},
  ];
  const found = names.map((given) => read({ messages: [hello], ...given }).sessionId);
  expect(found).toEqual(["a", undefined, undefined, undefined, undefined]);
  const body = (given: object) => JSON.stringify({ messages: [hello], ...given });
  expect(readApiRequest(body({}), " desk ").sessionId).toBe("desk");
  expect(readApiRequest(body({ session_id: "a" }), "desk").sessionId).toBe("a");
});

test("what clients send by habit and what is null is no reason to refuse", () => {
  const given = {
    messages: [hello],
    model: null,
    stream: null,
    stream_options: null,
    n: 1,
    temperature: 0.2,
    max_tokens: 100,
    tools: [{ type: "function", function: { name: "f" } }],
    tool_choice: "auto",
    response_format: { type: "text" },
    metadata: { a: "b" },
  };
  expect(read(given)).toEqual({
    text: "Hello",
    images: [],
    files: [],
    tools: [{ name: "f", description: "", parameters: { type: "object", properties: {} } }],
    history: [],
    instructions: "",
    model: "nanobot",
    isStreaming: false,
    includesUsage: false,
  });
});

test("no instructions of a caller can end their own frame", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [, mark = ""] = /\[end ([0-9a-f]{12})\]/.exec(toCallerLayer(text).text) ?? [];
      expect(text).not.toContain(`[end ${mark}]`);
      expect(toCallerLayer(text).text.endsWith(`${text}\n[end ${mark}]`)).toBe(true);
    }),
  );
});
