import fc from "fast-check";
import { expect, it } from "vitest";
import { indentJson } from "./web-content.ts";

it("breaks lines and changes nothing else", () => {
  const text =
    '{"id":12345678901234567890,"price":1.10,"tags":["a, b","{}"],"none":[],"empty":{ },"名":null}';
  expect(indentJson(text)).toBe(`{
  "id": 12345678901234567890,
  "price": 1.10,
  "tags": [
    "a, b",
    "{}"
  ],
  "none": [],
  "empty": {},
  "名": null
}`);
});

it("means the same as before", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text));
    }),
  );
});

it.each(["", "no json", '{"a":', "{'a': 1}", '{"a":1}\n{"b":2}'])("leaves %j as it is", (text) => {
  expect(indentJson(text)).toBe(text);
});

it("does not grow beyond measure with the depth of nesting", () => {
  const deep = "[".repeat(3_000) + "]".repeat(3_000);
  expect(indentJson(deep).length).toBeLessThan(deep.length * 50);
  const deeper = "[".repeat(1_000_000);
  expect(indentJson(deeper)).toBe(deeper);
});

it("copes with one very long string", () => {
  const text = JSON.stringify({ a: '\\"x'.repeat(1_000_000) });
  expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text));
});
