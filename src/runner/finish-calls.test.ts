import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { terminalOrigin } from "../../test/support/origins.ts";
import { createScripted } from "../llm/scripted.ts";
import type { ToolCall } from "../llm/types.ts";
import { defineTool } from "./define-tool.ts";
import { ToolRegistry } from "./registry.ts";
import { AgentRunner } from "./runner.ts";
import type { Tool } from "./tool.ts";

const calls: ToolCall[] = ["T.0.1", "T.0.2"].map((id) => ({
  id,
  type: "function",
  function: { name: "act", arguments: "{}" },
}));

async function finish(tool: Partial<Tool>): Promise<{ ran: string[]; results: Array<[string, unknown]> }> {
  const ran: string[] = [];
  const act = defineTool({
    name: "act",
    description: "acts",
    parameters: z.object({}),
    async execute(_args, { callId }) {
      ran.push(callId);
      return { content: "done" };
    },
  });
  const events = new AgentRunner(createFakeClock()).finishCalls(
    {
      turnId: "T",
      sessionKey: "s",
      origin: terminalOrigin,
      provider: createScripted([]),
      settings: { model: "m", maxTokens: 100 },
      messages: [],
      tools: new ToolRegistry([{ ...act, ...tool } as Tool]),
      toolDefinitions: [],
      maxSteps: 5,
      signal: new AbortController().signal,
      ask: async () => ({ choice: "no" }),
    },
    calls,
  );
  const results: Array<[string, unknown]> = [];
  for await (const event of events) {
    if (event.type === "message") results.push([event.id, event.message.content]);
  }
  return { ran, results };
}

describe("calls that a crash left without results", () => {
  it("are not repeated where the first may have happened; those after it never began and are run", async () => {
    const { ran, results } = await finish({});
    expect(ran).toEqual(["T.0.2"]);
    expect(results).toEqual([
      ["T.0.1", expect.stringContaining("may have taken effect")],
      ["T.0.2", "done"],
    ]);
  });

  it.each([{ readOnly: true }, { repeat: "safe" as const }, { repeat: "by-call-id" as const }])(
    "are all run where that is harmless: %j",
    async (tool) => {
      const { ran } = await finish(tool);
      expect(ran).toEqual(["T.0.1", "T.0.2"]);
    },
  );
});
