import { expect, it } from "vitest";
import { readParamHeaders, toParamHeaders } from "./param-headers.ts";

const marked = (name: unknown, type = "string") => ({ type, "x-mcp-header": name });
const withArgument = (schema: unknown) => ({ type: "object", properties: { a: schema } });

it("finds marked arguments at any depth, and fills headers with what is given", () => {
  const schema = {
    properties: {
      region: marked("Region"),
      more: {
        type: "object",
        properties: { most: marked("Most", "integer"), dry: marked("Dry", "boolean") },
      },
      rest: { type: "string" },
    },
  };
  const headers = readParamHeaders(schema) ?? [];
  expect(headers.map(({ name }) => name)).toEqual(["Region", "Most", "Dry"]);
  expect(toParamHeaders(headers, { region: "eu", more: { most: 3, dry: false }, rest: "x" })).toEqual({
    "Mcp-Param-Region": "eu",
    "Mcp-Param-Most": "3",
    "Mcp-Param-Dry": "false",
  });
  expect(toParamHeaders(headers, { more: "x" })).toEqual({});
});

it.each(["北京", " eu", "eu\r\nX-Evil: 1", "=?base64?eu?="])(
  "wraps %j, so that nothing else gets into the headers",
  (value) => {
    const { "Mcp-Param-A": header = "" } = toParamHeaders([{ path: ["a"], name: "A" }], { a: value });
    expect(header).toMatch(/^=\?base64\?[\w+/=]+\?=$/);
    expect(Buffer.from(header.slice(9, -2), "base64").toString()).toBe(value);
  },
);

it.each<[string, unknown]>([
  ["no name", withArgument(marked(""))],
  ["null", withArgument(marked(null))],
  ["a name that is no header's", withArgument(marked("a b\r\n"))],
  ["a list", withArgument(marked("A", "array"))],
  ["a number with a fraction", withArgument(marked("A", "number"))],
  ["one in a list", withArgument({ type: "array", items: marked("A") })],
  ["one in a choice", { anyOf: [withArgument(marked("A"))] }],
  ["the whole", { ...marked("A"), properties: {} }],
  ["the same twice", { properties: { a: marked("A"), b: marked("a") } }],
])("refuses a tool that marks %s", (_, schema) => {
  expect(readParamHeaders(schema)).toBeUndefined();
});
