import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { parseTextCalls, repairArguments } from "./tool-calls.ts";

describe("repairing the arguments of a call", () => {
  it.each<[title: string, raw: string, repaired: string]>([
    ["keeps valid JSON byte for byte", ' { "a" : 1 ,"b":"\\u00e9"}\n', ' { "a" : 1 ,"b":"\\u00e9"}\n'],
    ["makes an empty object of nothing", "", "{}"],
    ["makes an empty object of white space", " \n", "{}"],
    ["makes an empty object of null", "null", "{}"],
    ["makes an empty object of an empty list", "[]", "{}"],
    ["closes what was cut off", '{"path": "a.txt", "content": "x', '{"path":"a.txt","content":"x"}'],
    ["mends quotes and commas", "{'path': 'a.txt',}", '{"path":"a.txt"}'],
    ["reads Python's literals", '{"all": True, "none": None}', '{"all":true,"none":null}'],
    ["takes away a code fence", '```json\n{"a": 1}\n```', '{"a":1}'],
    ["unwraps what was encoded twice", '"{\\"a\\":1}"', '{"a":1}'],
    ["unwraps a list of one object", '[{"a":1}]', '{"a":1}'],
    ["keeps another list where it can be seen", "[1,2]", '{"input":[1,2]}'],
    ["keeps a number where it can be seen", "5", '{"input":5}'],
    ["keeps a word where it can be seen", '"ls"', '{"input":"ls"}'],
    ["keeps Chinese text", '{"text": "你好', '{"text":"你好"}'],
  ])("%s", async (_title, raw, repaired) => {
    expect(await repairArguments(raw)).toBe(repaired);
  });

  it("gives JSON of an object for any text", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(fc.constantFrom(..."{}[]\":,\\'a1 \n", "true", "/*"), { maxLength: 20 })
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (raw) => {
        const value: unknown = JSON.parse(await repairArguments(raw));
        expect(value).toBeTypeOf("object");
        expect(value).not.toBeNull();
        expect(Array.isArray(value)).toBe(false);
      }),
      { numRuns: cases(500) },
    );
  });

  it("survives nesting deeper than the stack", async () => {
    const deep = "[".repeat(200_000);
    expect(JSON.parse(await repairArguments(deep))).toEqual({ input: deep });
  });
});

describe("calls written as text", () => {
  const isTool = (name: string) => ["read_file", "exec"].includes(name);

  it("are read and taken out of the text", async () => {
    const text =
      'Let me look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>\n';
    expect(await parseTextCalls(text, isTool)).toEqual({
      text: "Let me look.",
      calls: [{ name: "read_file", arguments: '{"path":"a"}' }],
    });
  });

  it("may be several, and the last may lack its closing tag", async () => {
    const text =
      '<tool_call>{"name":"exec","arguments":"{\\"command\\":\\"ls\\"}"}</tool_call><tool_call>{"name":"exec"}';
    expect(await parseTextCalls(text, isTool)).toEqual({
      text: "",
      calls: [
        { name: "exec", arguments: '{"command":"ls"}' },
        { name: "exec", arguments: "{}" },
      ],
    });
  });

  it.each([
    ["a tool that is not on offer", '<tool_call>{"name":"rm","arguments":{}}</tool_call>'],
    ["a mention of the form", "Write <tool_call> and then JSON."],
    ["something else in the tags", "<tool_call>exec ls</tool_call>"],
  ])("leave %s as text", async (_title, text) => {
    expect(await parseTextCalls(text, isTool)).toEqual({ text, calls: [] });
  });
});
