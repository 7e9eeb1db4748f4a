import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createToolContext } from "../../test/support/tool-context.ts";
import { defineTool, type ToolSpecification } from "../runner/define-tool.ts";
import { type Tool, ToolError } from "../runner/tool.ts";
import { type OwnToolProblem, readOwnTools } from "./own-tools.ts";

const parameters = z.object({ id: z.string() });
type Specification = Partial<ToolSpecification<typeof parameters>>;

function define(more: Specification = {}): Tool<{ id: string }> {
  const execute = async () => ({ content: "4.20" });
  return defineTool({ name: "price", description: "A price.", parameters, execute, ...more });
}

function read(exported: Record<string, unknown>): Tool[] | OwnToolProblem {
  const result = readOwnTools(exported, { file: "price.ts", taken: new Set(["mine"]) });
  return "kind" in result ? result : result.tools;
}

function readOne(more: Specification = {}): Tool {
  const tools = read({ price: define(more) });
  return (Array.isArray(tools) ? tools[0] : undefined) ?? expect.fail(JSON.stringify(tools));
}

const context = createToolContext();

describe("what a file exports", () => {
  it("is every tool in it, once, whatever else is there", () => {
    const price = define();
    const tools = read({
      default: price,
      price,
      other: define({ name: "other" }),
      helper: () => {},
      version: 1,
    });
    expect(Array.isArray(tools) && tools.map(({ name }) => name)).toEqual(["price", "other"]);
  });

  it.each([
    ["nothing", {}, { kind: "no-export", subject: "price.ts" }],
    [
      "half a tool",
      { price: { name: "price", description: "" } },
      { kind: "no-export", subject: "price.ts" },
    ],
    ["a built-in name", { a: define({ name: "exec" }) }, { kind: "taken", subject: "exec" }],
    ["a name in use", { a: define({ name: "mine" }) }, { kind: "taken", subject: "mine" }],
    ["one name twice", { a: define(), b: define() }, { kind: "taken", subject: "price" }],
    ["an MCP server's name", { a: define({ name: "mcp_x" }) }, { kind: "bad-name", subject: "mcp_x" }],
    ["a name with blanks", { a: define({ name: "my price" }) }, { kind: "bad-name", subject: "my price" }],
    [
      "a novel for a description",
      { a: define({ description: "word ".repeat(1000) }) },
      { kind: "too-long", subject: "price" },
    ],
  ])("is left out when it is %s", (_, exported, problem) => {
    expect(read(exported)).toEqual(problem);
  });

  it("cannot escape the bounds of results", () => {
    expect(readOne({ boundsItself: true }).boundsItself).toBeUndefined();
  });
});

describe("a call of a custom tool", () => {
  it("that does not say what it does counts as foreign, and so does what it brings", async () => {
    const tool = readOne();
    const call = { type: "call", server: "price.ts", tool: "price", isReadOnly: false, input: { id: "tea" } };
    expect(tool.effects?.({ id: "tea" })).toEqual([call]);
    expect(readOne({ readOnly: true }).effects?.({})).toMatchObject([{ isReadOnly: true }]);
    expect(await tool.execute({}, context)).toEqual({ content: "4.20", labels: ["tool:price"] });
  });

  it("that says that it touches nothing is not labelled", async () => {
    const tool = readOne({ effects: () => [] });
    expect(tool.effects?.({})).toEqual([]);
    expect(await tool.execute({}, context)).toEqual({ content: "4.20" });
  });

  it("that fetches brings content of that host", async () => {
    const tool = readOne({
      effects: ({ id }) => [{ type: "fetch", url: `https://shop.example/${id}`, sendsData: false }],
      execute: async () => ({ content: "4.20", labels: ["mail"] }),
    });
    const { labels } = await tool.execute({ id: "tea" }, context);
    expect(labels).toEqual(["mail", "web:shop.example"]);
  });

  it("may give a text alone, but not nothing", async () => {
    const execute = (async () => "4.20") as unknown as Specification["execute"];
    expect(await readOne({ effects: () => [], execute }).execute({}, context)).toEqual({ content: "4.20" });
    const nothing = (async () => undefined) as unknown as Specification["execute"];
    const result = await readOne({ effects: () => [], execute: nothing }).execute({}, context);
    expect(result).toEqual({ content: expect.stringContaining("price gave no result"), isError: true });
  });

  it("that declares what nobody knows is refused", () => {
    const effects = (() => [{ type: "explode" }]) as unknown as Specification["effects"];
    expect(() => readOne({ effects }).effects?.({})).toThrow(/not a list of known ones.*price\.ts/);
  });

  it("fails in words for the model, also by another copy of the error", async () => {
    const url = new URL("../runner/tool.ts?copy", import.meta.url).href;
    const copy = (await import(url)) as { ToolError: typeof ToolError };
    expect(copy.ToolError).not.toBe(ToolError);
    for (const error of [new ToolError("Give an id."), new copy.ToolError("Give an id.")]) {
      const tool = readOne({ execute: () => Promise.reject(error) });
      const failure = { content: "Give an id.", isError: true, labels: ["tool:price"] };
      expect(await tool.execute({}, context)).toEqual(failure);
    }
    const crash = new TypeError("x is not a function");
    await expect(readOne({ execute: () => Promise.reject(crash) }).execute({}, context)).rejects.toBe(crash);
  });
});
