import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createConfigHome } from "../../test/support/config-home.ts";
import { cases } from "../../test/support/long-form.ts";
import { resolveHome } from "../storage/home.ts";
import { interpret } from "./interpret.ts";
import { configSchema } from "./schema.ts";
import { type toNode, walkKeys } from "./schema-node.ts";

const canary = "CANARY-7f3a";
const home = resolveHome({ env: { HOME: "/home/me" } });
const read = (value: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) =>
  interpret({ value, home, env, movedIn: { unset: [], isWritten: true } });

const knownPaths = [...walkKeys(configSchema)].map(({ path }) =>
  path.map((part) => (part === "<name>" ? "some_name" : part)),
);
const toSnake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function nest(path: readonly string[], value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path;
  return { [key]: rest.length === 0 ? value : nest(rest, value) };
}

/** Values of every kind with the canary in each string. */
const secretive = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) =>
    JSON.parse(JSON.stringify(value), (_, item: unknown) =>
      typeof item === "string" ? `${canary}${item}` : item,
    ),
  );

describe("any JSON whatever", () => {
  test("is taken or refused, never thrown at", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const { config, problems } = read(value as Record<string, unknown>);
        expect(config === undefined).toBe(problems.length > 0);
      }),
      { numRuns: cases(500) },
    );
  });

  test("at any known key is taken or refused without a word of it in what is said", () => {
    fc.assert(
      fc.property(fc.constantFrom(...knownPaths), secretive, fc.boolean(), (path, value, isSnake) => {
        const { config, problems, warnings } = read(nest(isSnake ? path.map(toSnake) : path, value));
        expect(config === undefined).toBe(problems.length > 0);
        expect(JSON.stringify([...problems, ...warnings])).not.toContain(canary);
      }),
      { numRuns: cases(3000) },
    );
  });

  test("in any NANOBOT variable is taken or refused without a word of it in what is said", () => {
    const variables = knownPaths.map(
      (path) => `NANOBOT_${path.map((key) => toSnake(key).toUpperCase()).join("__")}`,
    );
    const text = fc.oneof(
      fc.string(),
      secretive.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...variables), text, (variable, content) => {
        const { problems, warnings } = read({}, { [variable]: canary + content, NANOBOT_TOOLS: content });
        expect(JSON.stringify([...problems, ...warnings])).not.toContain(canary);
      }),
      { numRuns: cases(1000) },
    );
  });

  test("as bytes of a file is taken or refused without a word of it in what is said", async () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string().map((text) => Buffer.from(`{"api": {"apiKey": "${canary}"${text}`)),
      fc.json().map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const load = await (await createConfigHome(Buffer.from(content))).load();
        expect(JSON.stringify([...load.problems, ...load.warnings])).not.toContain(canary);
      }),
      { numRuns: cases(150) },
    );
  });
});

describe("every key of the schema", () => {
  const leaves = [...walkKeys(configSchema)].filter(
    ({ node }) => node.kind === "value" || node.kind === "list",
  );

  test("means the same in camelCase and snake_case", () => {
    for (const { path, node } of leaves) {
      const named = path.map((part) => (part === "<name>" ? "name" : part));
      const value = sampleOf(node, path.at(-1) ?? "");
      const [camel, snake] = [read(nest(named, value)), read(nest(named.map(toSnake), value))];
      expect(snake.given, path.join(".")).toEqual(camel.given);
      const said = [...camel.warnings, ...snake.warnings].filter(
        ({ phrase }) => phrase.code !== "config.uses-default",
      );
      expect(said, path.join(".")).toEqual([]);
    }
  });

  test("can be set by its variable", () => {
    for (const { path, node } of leaves) {
      const named = path.map((part) => (part === "<name>" ? "name" : part));
      const value = sampleOf(node, path.at(-1) ?? "");
      const variable = `NANOBOT_${named.map((key) => toSnake(key).toUpperCase()).join("__")}`;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      expect(read({}, { [variable]: text }).given, variable).toEqual(read(nest(named, value)).given);
    }
  });

  test("has a description, and a default or a place for nothing", () => {
    for (const { path, schema } of walkKeys(configSchema)) {
      if (path.at(-1) === "<name>") continue;
      expect(schema.description, path.join(".")).toMatch(/^\S.{2,119}$/);
      const required = /^(modelPresets\.<name>\.model|memory\.embeddings\.(provider|model))$/;
      const isRequired = required.test(path.join("."));
      expect(schema.safeParse(undefined).success, path.join(".")).toBe(!isRequired);
    }
  });

  function sampleOf(node: ReturnType<typeof toNode>, key: string): unknown {
    if (node.kind === "list") return ["x"];
    if (node.kind !== "value") return {};
    if (key === "timezone") return "UTC";
    return { text: "x", number: 5, truth: true, any: "x" }[node.type];
  }
});
