import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { ToolRegistry } from "./registry.ts";

const sample = defineTool({
  name: "sample",
  description: "A tool with one of each.",
  parameters: z.object({
    path: z.string().describe("a path"),
    count: z.int().min(1).max(10).optional(),
    ratio: z.number().optional(),
    isDeep: z.boolean().default(false),
    names: z.array(z.string()).optional(),
    nested: z.object({ size: z.int() }).optional(),
    maybe: z.string().nullable().optional(),
    kind: z.enum(["short", "long"]).optional(),
    prices: z.record(z.string(), z.number()).optional(),
    steps: z.array(z.object({ at: z.int() })).optional(),
    day: z.iso.date().optional(),
    either: z.union([z.int(), z.boolean()]).optional(),
  }),
  execute: async ({ path }) => ({ content: path }),
});

const parse = (input: unknown) => sample.parameters.parse(input);

describe("the schema of a tool", () => {
  it("is a plain object that allows nothing else and holds no noise", () => {
    const schema = sample.parameters.jsonSchema;
    expect(schema).toMatchObject({ type: "object", required: ["path"], additionalProperties: false });
    expect(JSON.stringify(schema)).not.toMatch(/\$schema|9007199254740991|pattern/);
    expect(schema.properties).toMatchObject({
      count: { type: "integer", minimum: 1, maximum: 10 },
      day: { type: "string", format: "date" },
    });
  });

  it("writes what may be null as a list of types", () => {
    expect(sample.parameters.jsonSchema.properties).toMatchObject({ maybe: { type: ["string", "null"] } });
  });

  it("is copied into each definition, so that nobody can change the tool through it", () => {
    const registry = new ToolRegistry([sample]);
    const [definition] = registry.definitions();
    if (definition) definition.parameters.properties = {};
    expect(registry.definitions()[0]?.parameters.properties).toHaveProperty("path");
  });
});

describe("arguments", () => {
  it.each([
    ["an object", { path: "a", count: 3 }, { path: "a", count: 3, isDeep: false }],
    ["JSON text", '{"path":"a"}', { path: "a", isDeep: false }],
    ["a wrapper", { arguments: { path: "a" } }, { path: "a", isDeep: false }],
    ["a wrapper with text", { arguments: '{"path":"a"}' }, { path: "a", isDeep: false }],
    [
      "numbers as text",
      { path: "a", count: "5", ratio: "0.3" },
      { path: "a", count: 5, ratio: 0.3, isDeep: false },
    ],
    ["booleans as text", { path: "a", isDeep: "Yes" }, { path: "a", isDeep: true }],
    ["booleans as numbers", { path: "a", isDeep: 0 }, { path: "a", isDeep: false }],
    ["a number for text", { path: 42 }, { path: "42", isDeep: false }],
    ["a list as text", { path: "a", names: '["x", 1]' }, { path: "a", names: ["x", "1"], isDeep: false }],
    ["nested text", { path: "a", nested: { size: "7" } }, { path: "a", nested: { size: 7 }, isDeep: false }],
    [
      "an object as text",
      { path: "a", nested: '{"size":7}' },
      { path: "a", nested: { size: 7 }, isDeep: false },
    ],
    [
      "an object as text with numbers as text",
      { path: "a", nested: '{"size":"7"}' },
      { path: "a", nested: { size: 7 }, isDeep: false },
    ],
    [
      "texts deep in lists and tables",
      { path: "a", steps: '[{"at":"1"}]', prices: { tea: "2.5" } },
      { path: "a", steps: [{ at: 1 }], prices: { tea: 2.5 }, isDeep: false },
    ],
    ["an object for text", { path: { tea: [1] } }, { path: '{\n  "tea": [\n    1\n  ]\n}', isDeep: false }],
    ["truth for text", { path: true }, { path: "true", isDeep: false }],
    ["null for what is left out", { path: "a", count: null }, { path: "a", isDeep: false }],
    ["null where it is allowed", { path: "a", maybe: null }, { path: "a", maybe: null, isDeep: false }],
  ])("are understood as %s", (_name, input, value) => {
    expect(parse(input)).toEqual({ ok: true, value, unknown: [] });
  });

  it.each([
    ["a missing field", {}, "missing required path"],
    ["nothing", null, "missing required path"],
    ["blank text", "  ", "missing required path"],
    ["a value out of bounds", { path: "a", count: 11 }, /^count: /],
    ["a word for a number", { path: "a", count: "many" }, /^count: /],
    ["a deep problem", { path: "a", nested: { size: "x" } }, /^nested\.size: /],
    ["null for what is required", { path: null }, /^path: .*null/],
    ["a word that is no choice", { path: "a", kind: "Short" }, 'kind: must be one of "short", "long"'],
    ["a day that never was", { path: "a", day: "2026-02-30" }, /^day: /],
    ["neither of two", { path: "a", either: "x" }, /^either: .*number.*, or .*boolean/],
    ["a problem in a list", { path: "a", steps: [{ at: 1 }, {}] }, "missing required steps.1.at"],
    ["a list", "[1]", "arguments must be a JSON object, not [1]"],
    ["prose", "read the file", "arguments must be a JSON object, not read the file"],
    ["a wrapper around prose", { arguments: "read" }, "arguments must be a JSON object"],
  ])("are refused with the name of the field: %s", (_name, input, problem) => {
    const parsed = parse(input);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.problems[0]).toMatch(problem);
  });

  it("name what the schema does not have", () => {
    const nested = { path: "a", colour: "red", steps: [{ at: 1, speed: 2 }], prices: { tea: 1 } };
    expect(parse(nested)).toMatchObject({ ok: true, unknown: ["colour", "steps.0.speed"] });
  });

  it("that are wrapped are told from a property of that name", () => {
    const nested = defineTool({
      name: "nested",
      description: "Has arguments of its own.",
      parameters: z.object({ arguments: z.string(), mode: z.enum(["on", "off"]) }),
      execute: async () => ({ content: "" }),
    });
    expect(nested.parameters.parse({ arguments: "x" })).toEqual({
      ok: false,
      problems: ['missing required mode, one of "on", "off"'],
    });
  });

  it("of any shape never throw, and what is accepted fits the schema", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.string(), fc.record({ path: fc.jsonValue(), count: fc.jsonValue() })),
        (input) => {
          const parsed = parse(input);
          if (parsed.ok) expect(typeof parsed.value.path).toBe("string");
          else expect(parsed.problems.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("the registry", () => {
  const named = (name: string) => ({ ...sample, name });

  it("lists built-in tools first and everything in one stable order", () => {
    const registry = new ToolRegistry(["write", "mcp_b", "grep", "mcp_a"].map(named));
    expect(registry.names).toEqual(["grep", "write", "mcp_a", "mcp_b"]);
  });

  it("lists a person's own tools behind the built-in ones, which win", () => {
    const registry = new ToolRegistry(["write", "grep"].map(named));
    registry.replaceForeign({ listed: [named("mcp_a"), named("tool_search")], hidden: [] });
    registry.replaceOwn([{ ...named("grep"), description: "mine" }, named("b"), named("apple")]);
    expect(registry.names).toEqual(["grep", "tool_search", "write", "apple", "b", "mcp_a"]);
    expect(registry.get("grep")?.description).toBe(sample.description);
    registry.replaceOwn([]);
    expect(registry.names).toEqual(["grep", "tool_search", "write", "mcp_a"]);
  });

  it("refuses two tools of one name", () => {
    expect(() => new ToolRegistry([named("a"), named("a")])).toThrow("two tools have the same name");
  });
});
