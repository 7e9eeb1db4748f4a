import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { cases } from "../../test/support/long-form.ts";
import { foreignParameters, loadCompiler, normaliseSchema } from "./schema.ts";

const compile = await loadCompiler();

function propertyOf(property: unknown, rest: object = {}): unknown {
  const { schema } = normaliseSchema({ type: "object", properties: { x: property }, ...rest });
  return (schema.properties as Record<string, unknown>).x;
}

describe("a foreign schema", () => {
  test.each([
    ["a type that may be null", { type: ["string", "null"] }, { type: "string", nullable: true }],
    [
      "a choice with null",
      { anyOf: [{ type: "integer" }, { type: "null" }], description: "How many" },
      { type: "integer", description: "How many", nullable: true },
    ],
    ["a choice of one", { oneOf: [{ type: "string" }] }, { type: "string" }],
    [
      "a choice of several",
      { oneOf: [{ type: "string" }, { type: "number" }] },
      { anyOf: [{ type: "string" }, { type: "number" }] },
    ],
    ["a type that nobody knows", { type: "date", format: "date" }, { format: "date" }],
    [
      "bounds of the wrong kind",
      { type: "number", exclusiveMinimum: true, minimum: 1 },
      { type: "number", minimum: 1 },
    ],
    ["a list of fixed places", { type: "array", items: [{ type: "string" }] }, { type: "array" }],
    [
      "decoration",
      { type: "string", title: "X", $comment: "y", examples: ["z"], "x-order": 1 },
      { type: "string" },
    ],
    ["what is no schema", "string", {}],
  ])("is simplified: %s", (_, given, expected) => {
    expect(propertyOf(given)).toEqual(expected);
  });

  it("has its local references written out, with what is next to them", () => {
    const $defs = { a: { type: "string", description: "old" }, "b/c~d": { type: "number" } };
    expect(propertyOf({ $ref: "#/$defs/a", description: "new" }, { $defs })).toEqual({
      type: "string",
      description: "new",
    });
    expect(propertyOf({ $ref: "#/$defs/b~1c~0d" }, { $defs })).toEqual({ type: "number" });
    expect(propertyOf({ $ref: "#/$defs/none", type: "string" }, { $defs })).toEqual({ type: "string" });
  });

  it("ends where it would go on for ever", () => {
    const $defs = { tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } } } };
    expect(propertyOf({ $ref: "#/$defs/tree" }, { $defs })).toEqual({
      type: "object",
      properties: { next: {} },
    });
    expect(propertyOf({ $ref: "#" })).toEqual({});
  });

  it("offers the properties of every form that the root may take, and demands none of one form alone", () => {
    const form = (name: string) => ({ properties: { [name]: { type: "string" } }, required: [name] });
    expect(normaliseSchema({ oneOf: [form("a"), form("b")] }).schema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
    });
    expect(normaliseSchema({ allOf: [form("a"), form("b")] }).schema).toMatchObject({ required: ["a", "b"] });
  });

  it("gets names that hosts take, and gives the arguments their own names back", () => {
    const normal = normaliseSchema({
      properties: { 日期: { type: "string", description: "哪一天" }, city: { type: "string" } },
      required: ["日期"],
      additionalProperties: false,
    });
    expect(normal.schema).toEqual({
      type: "object",
      properties: { field_1: { type: "string", description: "日期. 哪一天" }, city: { type: "string" } },
      required: ["field_1"],
      additionalProperties: false,
    });
    const { parse } = foreignParameters(normal, compile);
    expect(parse({ field_1: "今天", city: "上海", surprise: 1 })).toEqual({
      ok: true,
      value: { 日期: "今天", city: "上海" },
    });
    expect(parse({ city: "上海" })).toEqual({ ok: false, problems: ["missing required field_1"] });
  });

  it("is plain, small and can be validated against, whatever a server sends", () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), (raw, input) => {
        const normal = normaliseSchema(raw);
        const text = JSON.stringify(normal.schema);
        expect(text.length).toBeLessThanOrEqual(12_000);
        expect(text).not.toMatch(/"\$(ref|defs|schema)":/);
        expect(normal.schema).toMatchObject({ type: "object", properties: expect.any(Object) });
        for (const name of Object.keys(normal.schema.properties as object))
          expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        foreignParameters(normal, compile).parse(input);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("arguments for a foreign schema", () => {
  const parameters = (properties: object, rest: object = {}) =>
    foreignParameters(normaliseSchema({ type: "object", properties, ...rest }), compile);

  it("are cast as for any tool", () => {
    const { parse } = parameters({
      count: { type: "integer" },
      on: { type: "boolean" },
      tags: { type: "array" },
    });
    expect(parse('{"count": "5", "on": "yes", "tags": "[1]"}')).toEqual({
      ok: true,
      value: { count: 5, on: true, tags: [1] },
    });
    expect(parse(undefined)).toEqual({ ok: true, value: {} });
  });

  it("are refused with the name of the field, however deep", () => {
    const list = {
      type: "array",
      items: { type: "object", properties: { id: {}, kind: { enum: ["a", "b"] } }, required: ["id"] },
    };
    const { parse } = parameters({ list });
    expect(parse({ list: [{ id: 1, kind: "c" }, { kind: "a" }] })).toEqual({
      ok: false,
      problems: [
        'list.0.kind: must be equal to one of the allowed values: ["a","b"]',
        "missing required list.1.id",
      ],
    });
    expect(parse("words")).toEqual({ ok: false, problems: ["arguments must be a JSON object"] });
  });

  it("may be null where the schema says so", () => {
    const { parse } = parameters({ x: { type: ["string", "null"] } }, { required: ["x"] });
    expect(parse({ x: null })).toEqual({ ok: true, value: { x: null } });
  });

  it("are never held against a pattern, which might take for ever", () => {
    const { parse } = parameters({ x: { type: "string", pattern: "^(a+)+$" } });
    expect(parse({ x: `${"a".repeat(50)}!` })).toMatchObject({ ok: true });
  });
});

/** Trees of what schemas are made of, right and wrong. */
const anySchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.record(
      {
        type: fc.oneof(fc.constantFrom("string", "object", "array", "null", "integer", "x"), fc.jsonValue()),
        description: fc.oneof(fc.string(), fc.integer()),
        properties: fc.dictionary(fc.string(), tie("schema"), { maxKeys: 4 }),
        required: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
        items: tie("schema"),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        enum: fc.array(fc.jsonValue(), { maxLength: 3 }),
        const: fc.jsonValue(),
        minimum: fc.oneof(fc.integer(), fc.string()),
        multipleOf: fc.integer(),
        pattern: fc.string(),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        $ref: fc.constantFrom("#", "#/properties/a", "#/anyOf/0", "#/$defs/x", "http://x"),
        $defs: fc.dictionary(fc.constantFrom("x", "y"), tie("schema")),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;
