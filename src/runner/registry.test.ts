import { expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { ToolRegistry } from "./registry.ts";
import type { Tool } from "./tool.ts";

function named(name: string, description = name): Tool {
  const tool = { name, description, parameters: z.object({}), execute: async () => ({ content: "" }) };
  return defineTool(tool) as Tool;
}

it("keeps our own tools first and foreign ones behind them, each part sorted", () => {
  const tools = new ToolRegistry([named("write"), named("read")]);
  tools.replaceForeign({ listed: [named("mcp_b"), named("mcp_a"), named("call_tool")], hidden: [] });
  expect(tools.definitions().map(({ name }) => name)).toEqual([
    "call_tool",
    "read",
    "write",
    "mcp_a",
    "mcp_b",
  ]);
  tools.replaceForeign({ listed: [], hidden: [] });
  expect(tools.names).toEqual(["read", "write"]);
});

it("finds a hidden tool without listing it, and suggests it for a mistyped name", () => {
  const tools = new ToolRegistry([named("read")]);
  tools.replaceForeign({ listed: [], hidden: [named("mcp_weather")] });
  expect(tools.names).toEqual(["read"]);
  expect(tools.get("mcp_weather")?.name).toBe("mcp_weather");
  expect(tools.describeUnknown("mcp_wether")).toBe(
    'There is no tool "mcp_wether". Did you mean "mcp_weather"? Names must match exactly. Available: read.',
  );
});

it("does not let a foreign tool take the place of one of ours", () => {
  const tools = new ToolRegistry([named("read", "ours")]);
  tools.replaceForeign({ listed: [named("read", "theirs")], hidden: [] });
  expect(tools.get("read")?.description).toBe("ours");
  expect(tools.names).toEqual(["read"]);
  expect(() => new ToolRegistry([named("read"), named("read")])).toThrow("same name");
});
