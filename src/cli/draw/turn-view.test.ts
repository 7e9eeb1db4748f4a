import { describe, expect, it } from "vitest";
import type { LiveBody } from "../../bus/live.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeChoices } from "../../words/describe-ask.ts";
import { createWords } from "../../words/words.ts";
import { MarkdownStream } from "./markdown.ts";
import { Screen } from "./screen.ts";
import { createStyle } from "./style.ts";
import { describeQuestion, TurnView } from "./turn-view.ts";

const words = createWords("english");
const style = createStyle(false);

function draw(bodies: LiveBody[], { showsTools = true, drawsAnswers = true } = {}): string {
  let text = "";
  // A spinner would make the drawing depend on time: the view is shown without one here.
  const stderr = { write: (piece: string) => (text += piece), isTTY: false, columns: 80 };
  const stdout = { ...stderr, isTTY: true };
  const screen = new Screen({ stdout, stderr, clock: systemClock, spinnerHint: "" });
  const answers = new MarkdownStream({ style, columns: () => 80 });
  const view = new TurnView({
    screen,
    words,
    style,
    answers,
    streamsAnswers: drawsAnswers,
    showsTools,
    hintLength: 40,
  });
  for (const body of bodies) view.show(body);
  return text;
}

function call(callId: string, path: string, { isError = false, content = "" } = {}): LiveBody[] {
  return [
    { type: "tool-start", callId, name: "read_file", arguments: { path } },
    { type: "tool-end", callId, name: "read_file", isError, ms: 12, content },
  ];
}

const end: LiveBody = { type: "turn-end", stop: "completed" };

describe("TurnView", () => {
  it("draws text as it is written and one line per tool call", () => {
    const drawn = draw([
      { type: "turn-start" },
      { type: "text-delta", text: "Let me **lo" },
      { type: "text-delta", text: "ok**." },
      { type: "text-end", isLast: false },
      ...call("1", "a.md"),
      ...call("2", "b.md", { isError: true, content: "No such file.\nTry list_dir." }),
      { type: "text-delta", text: "Done." },
      { type: "text-end", isLast: true },
      end,
    ]);
    expect(drawn).toBe(
      "Let me look.\n  ✓ read a.md · 12 ms\n  ✗ read b.md · 12 ms · failed: No such file. Try list_dir.\nDone.\n",
    );
  });

  it("draws the same call several times in a row as one line", () => {
    expect(draw([...call("1", "a"), ...call("2", "a"), ...call("3", "a"), end])).toBe(
      "  ✓ read a × 3 · 36 ms\n",
    );
  });

  it("says that a retry happens and that an answer begins anew", () => {
    const drawn = draw([
      {
        type: "notice",
        notice: { kind: "retry", attempt: 2, waitMs: 2000, reason: "The host is overloaded." },
      },
      { type: "text-delta", text: "half" },
      { type: "text-reset" },
      { type: "text-delta", text: "whole" },
      end,
    ]);
    expect(drawn).toBe(
      "The host is overloaded. Trying again in 2 s (attempt 2).\nhalf\nThe answer stalled and begins anew.\nwhole\n",
    );
  });

  it("leaves out answers and tools where they are not wanted", () => {
    const bodies: LiveBody[] = [{ type: "text-delta", text: "x" }, ...call("1", "a"), end];
    expect(draw(bodies, { showsTools: false, drawsAnswers: false })).toBe("");
  });

  it("never obeys an escape sequence of a tool or a model", () => {
    const evil = "\u001b]0;title\u0007\u001b[2J";
    const drawn = draw([
      { type: "text-delta", text: evil },
      { type: "text-end", isLast: false },
      ...call("1", evil, { isError: true, content: evil }),
      { type: "tool-progress", callId: "x", text: evil },
      { type: "notice", notice: { kind: "images-dropped", reason: evil } },
      end,
    ]);
    expect(drawn).not.toContain("\u001b");
    expect(drawn).not.toContain("\u0007");
  });
});

describe("a question for approval", () => {
  const request = {
    title: "Run a command",
    detail: "rm -rf \u202ebuild\n\u001b[1Aecho ok",
    reason: "Not on the list.",
  };

  it("shows the exact command with everything that could disguise it", () => {
    expect(describeQuestion(request, words, style)).toEqual([
      "Allow? Run a command",
      "    rm -rf <U+202E>build",
      "    ␛[1Aecho ok",
      "Why it is asked: Not on the list.",
    ]);
  });

  it("offers a lasting yes only where the question says what that would cover", () => {
    expect(describeChoices(request, words)).toBe("[y]es, [N]o");
    const covered = { ...request, subject: "npm test" };
    expect(describeChoices(covered, words)).toBe("[y]es, [s]ession, [N]o");
    expect(describeChoices({ ...covered, isExact: true }, words)).toBe("[y]es, [s]ession, [a]lways, [N]o");
    expect(describeQuestion(covered, words, style).at(-1)).toMatch(/"session" covers.*npm test/);
    expect(describeQuestion({ ...covered, isExact: true }, words, style).at(-1)).toMatch(
      /"always".*npm test/,
    );
  });

  it("tells the risk, and where content from outside came from, in the reader's language", () => {
    const tainted = {
      ...request,
      reason: "Something in this conversation came from outside and may have asked for it.",
      risk: "network" as const,
      labels: ["web:example.com", "guest:li\u202e", "elsewhere"],
    };
    expect(describeQuestion(tainted, words, style).slice(-3)).toEqual([
      "Why it is asked: Something in this conversation came from outside and may have asked for it.",
      "This conversation holds content from outside: the web (example.com), a guest (li<U+202E>), elsewhere",
      "Risk: what is sent can hold anything that was read here.",
    ]);
    expect(describeQuestion(tainted, createWords("chinese"), style).slice(-3)).toEqual([
      "为什么要问：本次会话里有外来的内容，可能是它要求这样做的。",
      "本次会话含有外来内容：网页 (example.com), 访客 (li<U+202E>), elsewhere",
      "风险：发出去的内容可能包含这里读到的任何东西。",
    ]);
  });
});
