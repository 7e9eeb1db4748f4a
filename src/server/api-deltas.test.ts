import { expect, test } from "vitest";
import type { LiveBody } from "../bus/live.ts";
import { ApiDeltas, type Delta } from "./api-deltas.ts";

function play(...bodies: LiveBody[]): { content: string; reasoning: string; deltas: Delta[] } {
  const deltas = new ApiDeltas(({ name }) => `🔧 ${name}`);
  const taken = bodies.map((body) => deltas.take(body)).filter((delta) => delta !== undefined);
  const content = taken.map((delta) => delta.content ?? "").join("");
  expect(taken.map((delta) => delta.reasoning_content ?? "").join("")).toBe(deltas.reasoning);
  return { content, reasoning: deltas.reasoning, deltas: taken };
}

const text = (piece: string): LiveBody => ({ type: "text-delta", text: piece });
const start = (name: string): LiveBody => ({ type: "tool-start", callId: name, name, arguments: {} });
const end = (name: string, isError: boolean, content = "x"): LiveBody => ({
  type: "tool-end",
  callId: name,
  name,
  isError,
  ms: 1,
  content,
});

test("pieces of one text stay together, also where a reply was cut and goes on", () => {
  const bodies: LiveBody[] = [text("Once up"), { type: "text-end", isLast: false }, text("on a time.")];
  expect(play(...bodies).content).toBe("Once upon a time.");
});

test("what is said after tools is a paragraph of its own", () => {
  const { content, reasoning } = play(
    text("Let me look."),
    start("a"),
    end("a", false),
    start("b"),
    text("Done."),
  );
  expect(content).toBe("Let me look.\n\nDone.");
  expect(reasoning).toBe("🔧 a\n🔧 b\n");
});

test("an answer that follows tools at once begins without a gap", () => {
  expect(play(start("a"), end("a", false), text("Done.")).content).toBe("Done.");
});

test("a text that begins anew stands below what cannot be taken back", () => {
  expect(play(text("Once up"), { type: "text-reset" }, text("Once upon")).content).toBe(
    "Once up\n\nOnce upon",
  );
  expect(play({ type: "text-reset" }, text("Once upon")).content).toBe("Once upon");
});

test("thoughts, tools and their failures are lines of reasoning", () => {
  const thought: LiveBody = { type: "reasoning-delta", text: "Hm." };
  const { reasoning, content } = play(
    thought,
    start("a"),
    end("a", true, `no\nsuch file ${"x".repeat(500)}`),
    thought,
  );
  expect(content).toBe("");
  expect(reasoning).toMatch(/^Hm\.\n🔧 a\n✗ no such file x{100,}.*\nHm\.$/);
  expect(reasoning.length).toBeLessThan(300);
});

test("what is of no interest to a client is left out", () => {
  const bodies: LiveBody[] = [
    { type: "turn-start" },
    { type: "step-start", step: 1, id: "T.1" },
    { type: "step-end", step: 1, id: "T.1" },
    text(""),
    { type: "turn-end", stop: "completed" },
  ];
  expect(play(...bodies).deltas).toEqual([]);
});
