import { describe, expect, it } from "vitest";
import * as z from "zod";
import { sentence } from "../../test/support/english.ts";
import { runToEnd } from "../../test/support/run-to-end.ts";
import type { ScriptedReply } from "../llm/scripted.ts";
import type { Message } from "../llm/types.ts";
import { defineTool } from "./define-tool.ts";
import type { TurnMessage } from "./events.ts";
import { type Tool, ToolError } from "./tool.ts";

const usage = { input: 10, cached: 4, output: 2 };

function call(
  name: string,
  args: Record<string, unknown> = {},
): NonNullable<ScriptedReply["toolCalls"]>[number] {
  return { name, arguments: args };
}

/** A tool that answers from a list, then repeats its last answer. */
function tool(name: string, answers: string[], options: Partial<Tool> = {}): Tool {
  let used = 0;
  return {
    ...defineTool({
      name,
      description: name,
      parameters: z.object({ value: z.string().optional() }),
      execute: async () => ({ content: answers[Math.min(used++, answers.length - 1)] ?? "" }),
    }),
    ...options,
  } as Tool;
}

describe("a turn without tools", () => {
  it("ends with the model's text, its usage, and one final durable message", async () => {
    const { result, events } = await runToEnd([{ deltas: ["Hel", "lo."], usage }]);
    expect(result).toMatchObject({ text: "Hello.", stop: "completed", usage, tools: [] });
    expect(events.filter((event) => event.type === "text-delta").map((event) => event.text)).toEqual([
      "Hel",
      "lo.",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "message", id: "t1.1", isFinal: true, isDurable: true });
  });

  it("does nothing after a message until it is pulled", async () => {
    const order: string[] = [];
    const slow = defineTool({
      name: "mark",
      description: "",
      parameters: z.object({}),
      execute: async () => {
        order.push("tool ran");
        return { content: "ok" };
      },
    });
    await runToEnd([{ toolCalls: [call("mark")] }, "done"], { tools: [slow as Tool] }, async (event) => {
      if (event.type !== "message") return;
      await Promise.resolve();
      order.push(`stored ${event.message.role}`);
    });
    expect(order).toEqual(["stored assistant", "tool ran", "stored tool", "stored assistant"]);
  });
});

describe("tool calls", () => {
  it("get ids of ours, because providers repeat theirs", async () => {
    const { messages } = await runToEnd(
      [
        {
          toolCalls: [
            { ...call("a"), id: "same" },
            { ...call("a", { value: "2" }), id: "same" },
          ],
        },
        "done",
      ],
      { tools: [tool("a", ["1", "2"])] },
    );
    const ids = messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
    expect(ids).toEqual(["t1.1.0", "t1.1.1"]);
  });

  it("get a name that every provider takes back, whatever the model called them", async () => {
    const { messages } = await runToEnd([{ toolCalls: [call("functions.read file:0")] }, "done"]);
    const [first] = messages;
    expect(first?.role === "assistant" && first.tool_calls?.[0]?.function.name).toBe("functions_read_file_0");
  });

  it("run side by side when read-only, with results in the order of the calls", async () => {
    const running: string[] = [];
    let release: (() => void) | undefined;
    const slow = defineTool({
      name: "slow",
      description: "",
      readOnly: true,
      parameters: z.object({}),
      execute: async () => {
        running.push("slow");
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return { content: "slow result" };
      },
    });
    const fast = defineTool({
      name: "fast",
      description: "",
      readOnly: true,
      parameters: z.object({}),
      execute: async () => {
        running.push("fast");
        release?.();
        return { content: "fast result" };
      },
    });
    const { messages } = await runToEnd([{ toolCalls: [call("slow"), call("fast")] }, "done"], {
      tools: [slow as Tool, fast as Tool],
    });
    expect(running).toEqual(["slow", "fast"]);
    expect(contents(messages, "tool")).toEqual(["slow result", "fast result"]);
  });

  it("run alone when they change something, after all earlier results are stored", async () => {
    const order: string[] = [];
    const writer = defineTool({
      name: "write",
      description: "",
      parameters: z.object({ value: z.string() }),
      execute: async ({ value }) => {
        order.push(`write ${value}`);
        return { content: value };
      },
    });
    await runToEnd(
      [{ toolCalls: [call("write", { value: "1" }), call("write", { value: "2" })] }, "done"],
      { tools: [writer as Tool] },
      (event) => {
        if (event.type === "message" && event.message.role === "tool")
          order.push(`stored ${event.message.content}`);
      },
    );
    expect(order).toEqual(["write 1", "stored 1", "write 2", "stored 2"]);
  });

  it("ask for durable storage only where something was changed, or is about to be", async () => {
    const { events } = await runToEnd(
      [{ toolCalls: [call("look")] }, { toolCalls: [call("look", { value: "x" }), call("change")] }, "done"],
      { tools: [tool("look", ["a", "b"], { readOnly: true }), tool("change", ["c"])] },
    );
    const durable = events.flatMap((event) =>
      event.type === "message" ? [[event.id, event.isDurable]] : [],
    );
    expect(durable).toEqual([
      ["t1.1", false],
      ["t1.1.0", false],
      ["t1.2", true],
      ["t1.2.0", true],
      ["t1.2.1", true],
      ["t1.3", true],
    ]);
  });

  it("answer errors, unknown names and wrong arguments in words that the model can act on", async () => {
    const failing = defineTool({
      name: "failing",
      description: "",
      parameters: z.object({ path: z.string() }),
      execute: async ({ path }) => {
        if (path === "bug") throw new TypeError("x is not a function");
        throw new ToolError(`No file ${path}. Use list_dir first.`);
      },
    });
    const { messages, result } = await runToEnd(
      [
        { toolCalls: [call("failing", { path: "a" }), call("failing", { path: "bug" })] },
        { toolCalls: [call("failing"), call("Failling", { path: "a" })] },
        "sorry",
      ],
      { tools: [failing as Tool] },
    );
    expect(contents(messages, "tool")).toEqual([
      "No file a. Use list_dir first.",
      "failing failed: x is not a function",
      "Invalid arguments for failing: missing required path.",
      'There is no tool "Failling". Did you mean "failing"? Names must match exactly. Available: failing.',
    ]);
    expect(result.tools.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(result.stop).toBe("completed");
  });

  it("report progress while they run and unite their labels", async () => {
    const fetching = defineTool({
      name: "fetch",
      description: "",
      parameters: z.object({}),
      execute: async (_args, { progress, labels }) => {
        progress(`half way, ${[...labels].join()}`);
        return { content: "page", labels: ["web:example.org"] };
      },
    });
    const { events, result } = await runToEnd([{ toolCalls: [call("fetch")] }, "done"], {
      tools: [fetching as Tool],
      labels: ["mail"],
    });
    expect(events).toContainEqual({ type: "tool-progress", callId: "t1.1.0", text: "half way, mail" });
    expect(result.labels).toEqual(["mail", "web:example.org"]);
  });

  it("never leave an empty result behind", async () => {
    const { messages } = await runToEnd([{ toolCalls: [call("quiet")] }, "done"], {
      tools: [tool("quiet", ["  "])],
    });
    expect(contents(messages, "tool")).toEqual(["(no output)"]);
  });
});

describe("going in circles", () => {
  it("gets an answer that says so the third time, and ends the turn the fifth time", async () => {
    const { messages, result, model } = await runToEnd(
      { steps: [{ toolCalls: [call("look")] }], loop: true },
      {
        tools: [tool("look", ["same"], { readOnly: true })],
      },
    );
    const results = contents(messages, "tool");
    expect(results.slice(0, 2)).toEqual(["same", "same"]);
    expect(results[2]).toMatch(/^Not run: you have made this very call before/);
    expect(results).toHaveLength(5);
    expect(model.requests).toHaveLength(5);
    expect(result.stop).toBe("loop");
    expect(result.text).toContain("`look`");
    expect(messages.at(-1)).toEqual({ role: "assistant", content: result.text });
  });

  it("is noticed when two calls alternate", async () => {
    const steps = [{ toolCalls: [call("a")] }, { toolCalls: [call("b")] }];
    const { result, model } = await runToEnd(
      { steps, loop: true },
      { tools: [tool("a", ["1"]), tool("b", ["2"])], maxSteps: 50 },
    );
    expect(result.stop).toBe("loop");
    expect(model.requests.length).toBeLessThan(12);
  });

  it("is not seen in a poll whose result changes", async () => {
    const steps = [...Array.from({ length: 7 }, () => ({ toolCalls: [call("poll")] })), "done"];
    const { result } = await runToEnd(steps, { tools: [tool("poll", ["1", "2", "3", "4", "5", "6", "7"])] });
    expect(result).toMatchObject({ stop: "completed", text: "done" });
  });
});

describe("replies that are not answers", () => {
  it("are asked again when blank, then asked for without tools, then given up", async () => {
    const { result, model, messages } = await runToEnd([" ", "", ""], { tools: [tool("a", ["1"])] });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "none"]);
    expect(model.requests[2]?.messages.at(-1)?.content).toMatch(/^Your last replies were empty/);
    expect(model.requests[2]?.tools).toHaveLength(1);
    expect(result.stop).toBe("empty");
    expect(messages.at(-1)).toEqual({ role: "assistant", content: result.text });
  });

  it("are continued when the output limit cut them, as one text", async () => {
    const { result, model } = await runToEnd([
      { text: "One, two, ", stop: "length" },
      { text: "three, ", stop: "length" },
      "four.",
    ]);
    expect(result).toMatchObject({ text: "One, two, three, four.", stop: "completed" });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(
      "<already_delivered_tail>One, two, </already_delivered_tail>",
    );
  });

  it("are continued three times at the most", async () => {
    const { result, model } = await runToEnd({ steps: [{ text: "more ", stop: "length" }], loop: true });
    expect(model.requests).toHaveLength(4);
    expect(result.stop).toBe("completed");
    expect(result.text).toMatch(/^more more more more \n\n\[Cut off: /);
  });

  it("are asked for in smaller steps when the limit came before any text", async () => {
    const { result, model } = await runToEnd([{ stop: "length" }, "short"]);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
      /^Your last reply hit the output limit before/,
    );
    expect(result.text).toBe("short");
  });

  it("never run a call of a reply that was cut or refused", async () => {
    const cut = await runToEnd([{ text: "I", toolCalls: [call("a")], stop: "length" }, " go on."], {
      tools: [tool("a", ["1"])],
    });
    expect(cut.result).toMatchObject({ text: "I go on.", tools: [] });
    expect(cut.messages[0]).toEqual({ role: "assistant", content: "I" });
    const refused = await runToEnd([{ text: "No.", toolCalls: [call("a")], stop: "refusal" }], {
      tools: [tool("a", ["1"])],
    });
    expect(refused.result).toMatchObject({ text: "No.", stop: "completed", tools: [] });
  });

  it("say that the model declined when it did so without a word", async () => {
    const { result } = await runToEnd([{ stop: "refusal" }]);
    expect(result).toMatchObject({ stop: "completed", text: "The model declined to answer this." });
  });

  it("end the turn when the model fails, with the history closed by an assistant message", async () => {
    const { result, messages } = await runToEnd([
      { deltas: ["Half an "], error: { kind: "server", message: "The host is down." } },
    ]);
    expect(result).toMatchObject({ stop: "error", text: "Half an ", error: { kind: "server" } });
    expect(messages).toEqual([
      {
        role: "assistant",
        content: `Half an \n\n[No reply: ${sentence("model.server", { host: "scripted", detail: "The host is down" })}]`,
      },
    ]);
  });

  it("ask once for a smaller prompt when the context is too long, and then fail", async () => {
    const overflow: ScriptedReply = { error: { kind: "context-overflow", message: "too long" } };
    const smaller: Message[] = [{ role: "user", content: "Only this" }];
    const shrink = async () => ({ messages: smaller, toolDefinitions: [] });
    const { result, model } = await runToEnd([overflow, "fits"], { shrink });
    expect(model.requests[1]?.messages).toEqual(smaller);
    expect(result.text).toBe("fits");
    const again = await runToEnd([overflow, overflow, "never"], { shrink });
    expect(again.result).toMatchObject({ stop: "error", error: { kind: "context-overflow" } });
    expect(again.model.requests).toHaveLength(2);
  });
});

it("a prompt that has grown full is exchanged for a smaller one before each further call", async () => {
  const smaller: Message[] = [{ role: "user", content: "Only this" }];
  const reasons: string[] = [];
  const call: ScriptedReply = { toolCalls: [{ name: "a", arguments: {} }] };
  const { result, model } = await runToEnd([call, call, "Done."], {
    tools: [tool("a", ["1", "2"])],
    isFull: () => true,
    shrink: async (why) => {
      reasons.push(why);
      return { messages: smaller, toolDefinitions: [] };
    },
  });
  expect(result.text).toBe("Done.");
  expect(reasons).toEqual(["full", "full"]);
  expect(model.requests[0]?.messages).not.toEqual(smaller);
  expect(model.requests[1]?.messages).toEqual(smaller);
  expect(model.requests[2]?.messages).toEqual(smaller);
});

describe("malformed calls", () => {
  it("are corrected once, then an answer is asked for without tools", async () => {
    const malformed = {
      async *stream() {
        yield {
          type: "reply-end" as const,
          reply: {
            message: { role: "assistant" as const, content: null },
            stop: "tool-calls" as const,
            model: "test",
            malformedCalls: 1,
          },
        };
      },
    };
    const { result, messages } = await runToEnd([], { provider: malformed, tools: [tool("a", ["1"])] });
    expect(contents(messages, "user")).toEqual([
      expect.stringMatching(/^Your last reply announced a tool call/),
      expect.stringMatching(/^Your last replies were empty/),
    ]);
    expect(result.stop).toBe("empty");
  });
});

describe("limits", () => {
  it("end with a summary that the model writes without tools", async () => {
    const steps = Array.from({ length: 3 }, (_, index) => ({
      toolCalls: [call("a", { value: String(index) })],
    }));
    const { result, model } = await runToEnd([...steps, "Two of five are done."], {
      tools: [tool("a", ["1", "2", "3"])],
      maxSteps: 3,
    });
    expect(result).toMatchObject({ stop: "max-steps", text: "Two of five are done." });
    expect(model.requests.at(-1)?.toolChoice).toBe("none");
  });

  it("end in words of our own when the model gives no summary", async () => {
    const { result } = await runToEnd([{ toolCalls: [call("a")] }, ""], {
      tools: [tool("a", ["1"])],
      maxSteps: 1,
    });
    expect(result.stop).toBe("max-steps");
    expect(result.text).toMatch(/^I stopped after 1 steps/);
  });
});

describe("follow-ups", () => {
  const queue =
    (...batches: TurnMessage[][]) =>
    async () =>
      batches.shift() ?? [];

  it("join after tool calls", async () => {
    const followUp: TurnMessage = { id: "t2", message: { role: "user", content: "in blue, please" } };
    const { model, events } = await runToEnd([{ toolCalls: [call("a")] }, "Blue it is."], {
      tools: [tool("a", ["1"])],
      takeFollowUps: queue([followUp]),
    });
    expect(model.requests[1]?.messages.at(-1)).toEqual(followUp.message);
    expect(events.filter((event) => event.type === "message").map(({ id }) => id)).toEqual([
      "t1.1",
      "t1.1.0",
      "t2",
      "t1.2",
    ]);
  });

  it("join before a final answer, which then becomes the first of two", async () => {
    const followUp: TurnMessage = { id: "t2", message: { role: "user", content: "and in French?" } };
    const { result, events } = await runToEnd(["Hello.", "Bonjour."], { takeFollowUps: queue([followUp]) });
    expect(result.text).toBe("Hello.\n\nBonjour.");
    expect(events.filter((event) => event.type === "text-end").map(({ isLast }) => isLast)).toEqual([
      false,
      true,
    ]);
  });
});

describe("an abort", () => {
  it("reaches the model at once and keeps what was already shown", async () => {
    const abort = new AbortController();
    const { result, messages } = await runToEnd(
      [{ deltas: ["As I was say"], hold: true }],
      { signal: abort.signal },
      (event) => {
        if (event.type === "text-delta") abort.abort(new Error("stop"));
      },
    );
    expect(result).toMatchObject({ stop: "cancelled", text: "As I was say" });
    expect(messages).toEqual([{ role: "assistant", content: "As I was say\n\n[Stopped by the user.]" }]);
  });

  it("reaches every tool at once, even one that does not listen, and closes its calls", async () => {
    const abort = new AbortController();
    const deaf = defineTool({
      name: "deaf",
      description: "",
      parameters: z.object({}),
      execute: () => new Promise<never>(() => {}),
    });
    const { result, messages } = await runToEnd(
      [{ toolCalls: [call("deaf"), call("deaf")] }],
      { tools: [deaf as Tool], signal: abort.signal },
      (event) => {
        if (event.type === "tool-start") abort.abort(new Error("stop"));
      },
    );
    expect(result.stop).toBe("cancelled");
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "assistant"]);
    expect(contents(messages, "tool")[0]).toMatch(/^Interrupted/);
  });
});

function contents(messages: Message[], role: Message["role"]): unknown[] {
  return messages.filter((message) => message.role === role).map(({ content }) => content);
}
