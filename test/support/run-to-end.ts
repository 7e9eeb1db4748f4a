// Pulls an AgentRunner to its end and keeps everything that it yielded.
import { expect } from "vitest";
import { terminalOrigin } from "../../src/agent/job.ts";
import { type CodeScript, createScripted, type ScriptedProvider } from "../../src/llm/scripted.ts";
import type { Message } from "../../src/llm/types.ts";
import type { TurnEvent, TurnRequest, TurnResult } from "../../src/runner/events.ts";
import { ToolRegistry } from "../../src/runner/registry.ts";
import { AgentRunner } from "../../src/runner/runner.ts";
import type { Tool } from "../../src/runner/tool.ts";

export interface Ran {
  events: TurnEvent[];
  result: TurnResult;
  messages: Message[];
  model: ScriptedProvider;
}

export type RunOptions = Partial<Omit<TurnRequest, "tools">> & { tools?: Tool[] };

export function toTurnRequest(
  model: ScriptedProvider,
  { tools = [], ...rest }: RunOptions = {},
): TurnRequest {
  const registry = new ToolRegistry(tools);
  return {
    turnId: "t1",
    sessionKey: "cli:direct",
    origin: terminalOrigin,
    provider: model,
    settings: { model: "test", maxTokens: 100 },
    messages: [
      { role: "system", content: "You are a test." },
      { role: "user", content: "Hello" },
    ],
    tools: registry,
    toolDefinitions: registry.definitions(),
    maxSteps: 20,
    signal: new AbortController().signal,
    ask: async () => ({ choice: "no", silence: "nobody" }),
    ...rest,
  };
}

export async function runToEnd(
  script: CodeScript,
  options: RunOptions = {},
  onEvent: (event: TurnEvent) => void | Promise<void> = () => {},
): Promise<Ran> {
  const model = createScripted(script);
  const generator = new AgentRunner().run(toTurnRequest(model, options));
  const events: TurnEvent[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done) {
      const messages = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
      expectUniqueIds(events);
      return { events, result: next.value, messages, model };
    }
    events.push(next.value);
    await onEvent(next.value);
  }
}

/** A message under an id that was given before would not be stored. */
function expectUniqueIds(events: TurnEvent[]): void {
  const ids = events.flatMap((event) => (event.type === "message" ? [event.id] : []));
  expect(new Set(ids).size, ids.join(" ")).toBe(ids.length);
}
