import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Host } from "../hosts/host.ts";
import { findHost } from "../hosts/hosts.ts";
import type { Message, ModelRequest, ToolDefinition } from "../types.ts";
import { toAnthropicBody } from "./request.ts";

const host = findHost("anthropic") as Host;
const tools: ToolDefinition[] = ["a", "b"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object" },
}));

interface Block {
  type?: string;
  cache_control?: unknown;
  [field: string]: unknown;
}

interface Body {
  system: Block[];
  tools: Block[];
  messages: Array<{ role: string; content: Block[] }>;
}

function toBody(messages: readonly Message[], changes: Partial<ModelRequest> = {}, target = host): Body {
  const attribution = { cause: "user", sessionKey: "s", turnId: "t" } as const;
  const system: Message = { role: "system", content: "You are a test." };
  const request = { model: "claude-opus-4-5", maxTokens: 100, tools, attribution, ...changes };
  return toAnthropicBody({ ...request, messages: [system, ...messages] }, target) as unknown as Body;
}

const isMarked = ({ cache_control: mark }: Block) => mark !== undefined;

/** The prompt in the order in which the service reads it, one entry a block. */
function toBlocks({ tools: definitions, system, messages }: Body): Block[] {
  const turns = messages.flatMap(({ role, content }) => content.map((block): Block => ({ role, ...block })));
  return [...definitions, ...system, ...turns];
}

function withoutMark(block: Block): string {
  const { cache_control: _, ...rest } = block;
  return JSON.stringify(rest);
}

const words = fc.string({ maxLength: 8 }).map((rest) => `x${rest}`);

/** Turns of a conversation as it grows: a question, rounds of calls with their results, an answer. */
const turn = fc.record({
  question: words,
  rounds: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  answer: words,
  hasThoughts: fc.boolean(),
});

type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

/** Every state of the conversation in which the model is asked. */
function* toRequests(turns: Turn[]): Generator<Message[]> {
  const history: Message[] = [];
  for (const [number, { question, rounds, answer, hasThoughts }] of turns.entries()) {
    const thoughts = hasThoughts
      ? [{ type: "thinking" as const, thinking: "Hm.", signature: `s${number}` }]
      : [];
    history.push({ role: "user", content: question });
    for (const [round, count] of rounds.entries()) {
      yield [...history];
      const ids = Array.from({ length: count }, (_, index) => `t${number}.${round}.${index}`);
      const calls = ids.map((id) => ({
        id,
        type: "function" as const,
        function: { name: "a", arguments: "{}" },
      }));
      history.push({ role: "assistant", content: null, tool_calls: calls, thinking_blocks: thoughts });
      for (const id of ids)
        history.push({ role: "tool", tool_call_id: id, name: "a", content: `result of ${id}` });
    }
    yield [...history];
    history.push({ role: "assistant", content: answer, thinking_blocks: thoughts });
  }
}

const conversations = fc.array(turn, { minLength: 2, maxLength: 5 });

describe("two requests in a row", () => {
  it("begin with the same bytes, marks aside", () => {
    fc.assert(
      fc.property(conversations, (turns) => {
        const prompts = [...toRequests(turns)].map((messages) => toBlocks(toBody(messages)).map(withoutMark));
        for (const [index, earlier] of prompts.entries()) {
          const later = prompts[index + 1] ?? earlier;
          expect(later.slice(0, earlier.length)).toEqual(earlier);
        }
      }),
    );
  });

  it("share everything the earlier one sent: its end is marked in both", () => {
    fc.assert(
      fc.property(conversations, (turns) => {
        const prompts = [...toRequests(turns)].map((messages) => toBlocks(toBody(messages)));
        for (const [index, earlier] of prompts.entries()) {
          const end = earlier.length - 1;
          expect(earlier[end]).toSatisfy(isMarked);
          expect(prompts[index + 1]?.[end] ?? earlier[end]).toSatisfy(isMarked);
        }
      }),
    );
  });
});

describe("marks", () => {
  it("are at most four, and are on no thinking and no answer", () => {
    fc.assert(
      fc.property(conversations, (turns) => {
        for (const messages of toRequests(turns)) {
          const marked = toBlocks(toBody(messages)).filter(isMarked);
          expect(marked.length).toBeLessThanOrEqual(4);
          for (const { role } of marked) expect(role).not.toBe("assistant");
        }
      }),
    );
  });

  it("are on the last tool, the last system block and the last block of the user", () => {
    const body = toBody([{ role: "user", content: "Hi" }]);
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body.tools.map(isMarked)).toEqual([false, true]);
    expect(body.system).toEqual([{ type: "text", text: "You are a test.", ...mark }]);
    expect(body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Hi", ...mark }] }]);
  });

  it("change nothing of the request that they were made for", () => {
    const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];
    const before = structuredClone({ messages, tools });
    toBody(messages);
    expect({ messages, tools }).toEqual(before);
  });

  it("stay when calls are forbidden, so that the prefix stays too", () => {
    const messages: Message[] = [{ role: "user", content: "Hi" }];
    expect(toBlocks(toBody(messages, { toolChoice: "none" }))).toEqual(toBlocks(toBody(messages)));
  });

  it("are left out where a host does not know them", () => {
    const plain = { ...host, quirks: {} };
    expect(JSON.stringify(toBody([{ role: "user", content: "Hi" }], {}, plain))).not.toContain(
      "cache_control",
    );
  });
});
