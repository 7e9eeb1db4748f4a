import { beforeAll, describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { type Approval, toApprovalChoices } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords, sayInEnglish } from "../../i18n/words.ts";
import { describeQuestion } from "./event-lines.ts";
import { createMarkdown, loadTuiLibrary, type TuiLibrary } from "./markdown.ts";
import { createStyle } from "./style.ts";
import { TurnView } from "./turn-view.ts";

let library: TuiLibrary;
beforeAll(async () => {
  library = await loadTuiLibrary();
});

const words = createWords("english");
const style = createStyle(false);
const approval: Approval = {
  kind: "approval",
  phrase: phrase("approval.run", {}),
  detail: "",
  reasons: [],
  risk: phrase("approval.risk-network"),
  choices: toApprovalChoices({}),
};

function watch(...bodies: LiveBody[]) {
  const printed: string[] = [];
  const view = new TurnView({
    words,
    style,
    hintLength: 40,
    clock: createFakeClock(),
    markdown: createMarkdown(library, style),
    columns: () => 80,
    print: (lines) => printed.push(...lines),
    hint: "Esc stops",
  });
  for (const body of bodies) view.show(body);
  return { view, printed };
}

const start = (callId: string, name: string, args: Record<string, unknown>): LiveBody => ({
  type: "tool-start",
  callId,
  name,
  arguments: args,
});
const end = (callId: string, name: string, content = "", isError = false): LiveBody => ({
  type: "tool-end",
  callId,
  name,
  isError,
  ms: 12,
  content,
});

describe("TurnView", () => {
  it("folds reasoning into one line, and shows all of it when it is asked to", () => {
    const { view, printed } = watch(
      { type: "reasoning-delta", text: "First,\n" },
      { type: "reasoning-delta", text: "then." },
      { type: "text-delta", text: "Answer.\n\n" },
    );
    expect(printed).toContain(words.terminal.thought("0 ms"));
    expect(printed.join("\n")).not.toContain("then.");
    view.showReasoning();
    expect(printed.slice(-2)).toEqual(["  First,", "  then."]);
  });

  it("draws the end of a block that is longer than any screen, and prints all of it when it is finished", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const { view, printed } = watch({ type: "text-delta", text: lines.join("\n") });
    const drawn = view.render(80);
    expect(drawn).toContain("line 19999");
    expect(drawn.length).toBeLessThan(2_500);
    view.show({ type: "text-end", isLast: true });
    expect(printed).toEqual(lines);
  });

  it("prints what is finished and draws what is not", () => {
    const { view, printed } = watch(
      { type: "turn-start" },
      { type: "text-delta", text: "Done part.\n\nNext begins\nand goes" },
    );
    expect(printed).toEqual(["Done part."]);
    expect(view.render(80).slice(0, 3)).toEqual(["", "Next begins", "and goes"]);
    expect(view.render(80).at(-1)).toContain(`${words.chat.writing} 0s · Esc stops`);
    view.show({ type: "text-end", isLast: true });
    view.show({ type: "turn-end", stop: "completed" });
    expect(printed).toEqual(["Done part.", "", "Next begins", "and goes"]);
    expect(view.render(80)).toEqual([]);
  });

  it("shows a call while it runs with its progress, then in one line; the same again is counted", () => {
    const { view, printed } = watch(start("1", "read_file", { path: "a.md" }), {
      type: "tool-progress",
      callId: "1",
      text: "half\u001b[2J of it",
    });
    expect(view.render(80).join("\n")).toContain("read a.md · half␛[2J of it");
    for (const body of [
      end("1", "read_file"),
      start("2", "read_file", { path: "a.md" }),
      end("2", "read_file"),
    ])
      view.show(body);
    expect(printed).toEqual([]);
    view.show({ type: "step-start", step: 2, id: "T.2" });
    expect(printed).toEqual(["  ✓ read a.md × 2 · 24 ms"]);
  });

  it("says what runs, and leaves the row and the output of a call that was stopped", () => {
    const { view, printed } = watch({ type: "turn-start" });
    expect(view.render(80).at(-1)).toContain(`${words.chat.thinking} 0s`);
    view.show(start("1", "exec", { command: "for i in 1 2 3; do echo $i; done" }));
    expect(view.render(80).at(-1)).toContain(`${words.chat.running("$ for i in 1 2 3; do echo $i; d…")} 0s`);
    for (const text of ["one", "two"]) view.show({ type: "tool-progress", callId: "1", text });
    view.show({ type: "turn-end", stop: "cancelled" });
    expect(printed).toEqual([
      `  ■ $ for i in 1 2 3; do echo $i; done · 0 ms · ${words.chat.stopped}`,
      "    one",
      "    two",
    ]);
    expect(view.render(80)).toEqual([]);
  });

  it("breaks notices and questions between words", () => {
    const { view, printed } = watch();
    const sentence =
      "Your files are trusted from now on; you can take it back at any time with the command /untrust.";
    view.line(sentence);
    const problem = phrase("request.bad-field", { quote: sentence });
    const question = { ...approval, detail: "echo", reasons: [problem, problem] };
    view.show({ type: "ask-start", askId: "a", question });
    expect(printed.every((line) => line.length < 80)).toBe(true);
    expect(printed.slice(0, 2).join(" ")).toBe(sentence);
    expect(printed.join(" ").match(/with the command \/untrust\./g)).toHaveLength(3);
  });

  it("says why a call failed, in one line that fits and obeys nothing", () => {
    const { printed } = watch(
      start("1", "exec", { command: "x" }),
      end("1", "exec", `bad\u001b[31m\n${"y".repeat(200)}`, true),
      { type: "step-start", step: 2, id: "T.2" },
    );
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain(`  ✗ $ x · 12 ms · ${words.chat.failed}: bad␛[31m`);
    expect(printed[0]?.length).toBeLessThanOrEqual(80);
  });

  it("shows what others said, long things in short", () => {
    const { view, printed } = watch();
    view.echo(Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n"), "from web");
    expect(printed[1]).toBe("> line 0");
    expect(printed.slice(-2)).toEqual([`  … ${words.terminal.moreLines(18)}`, "  (from web)"]);
  });

  it("tells of retries, and of an answer that starts again", () => {
    const reason = phrase("model.overloaded", { host: "Host", detail: "" });
    const { printed } = watch(
      { type: "notice", notice: { kind: "retry", attempt: 2, waitMs: 2000, reason } },
      { type: "text-delta", text: "half" },
      { type: "text-reset" },
    );
    const retry = words.chat.retry(sayInEnglish(reason), 2, 2);
    expect(printed.join(" ")).toBe([retry, "", "half", words.chat.startedAgain].join(" "));
  });
});

describe("a question", () => {
  it("shows a change in colour, and nothing in it hides", () => {
    const detail = "a.md\n-old\u202e\n+new";
    const question = { ...approval, detail, risk: phrase("approval.risk-files") };
    const lines = describeQuestion(question, words, createStyle(true));
    expect(lines).toContain("    \u001b[31m-old<U+202E>\u001b[39m");
    expect(lines).toContain("    \u001b[32m+new\u001b[39m");
  });

  it("says how much of a very long one is left out", () => {
    const detail = Array.from({ length: 1200 }, (_, line) => `line ${line}`).join("\n");
    const lines = describeQuestion({ ...approval, detail }, words, style);
    expect(lines).toContain(`    ${words.approval.notShown(200)}`);
  });
});
