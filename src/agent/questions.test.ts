import { describe, expect, it } from "vitest";
import { sentence } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { type Approval, type Choosing, toApprovalChoices, yesOrNo } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import { phrase } from "../i18n/phrase.ts";
import { createIds } from "../lib/ids.ts";
import { Questions } from "./questions.ts";

const approval: Approval = {
  kind: "approval",
  phrase: phrase("approval.run", {}),
  detail: "npm i",
  reasons: [phrase("approval.no-sandbox")],
  risk: phrase("approval.risk-command"),
  subject: "npm i",
  choices: toApprovalChoices({ session: true, always: true }),
};
const choosing: Choosing = {
  kind: "choice",
  phrase: phrase("approval.schedule"),
  detail: "",
  choices: [{ id: "later", phrase: phrase("approval.risk-later") }, ...yesOrNo],
  person: "li",
};
const owner = { person: "owner", role: "owner" } as const;
const guest = { person: "li", role: "guest" } as const;

function setUp() {
  const shown: LiveBody[] = [];
  const abort = new AbortController();
  const clock = createFakeClock();
  const surface = { show: (body: LiveBody) => shown.push(body), signal: abort.signal };
  const questions = new Questions(createIds(), clock);
  const askId = () => shown.findLast((body) => body.type === "ask-start")?.askId ?? "";
  return {
    questions,
    shown,
    abort,
    clock,
    surface,
    askId,
    say: (text: string) => questions.reply("s", { text }),
  };
}

describe("an approval", () => {
  it.each([
    ["yes", "once"],
    ["Y", "once"],
    [sentence("approval.once"), "once"],
    ["session", "session"],
    ["本次会话", "session"],
    ["always", "always"],
    ["总是允许。", "always"],
    ["好", "once"],
    ["no", "no"],
    ["不", "no"],
  ])("is answered by %j", async (text, choice) => {
    const { questions, surface, shown, say } = setUp();
    const asked = questions.ask("s", approval, surface);
    expect(questions.openTo("s", owner)).toBe(approval);
    expect(say(text)).toBe(true);
    expect(await asked).toEqual({ choice });
    expect(shown.map(({ type }) => type)).toEqual(["ask-start", "ask-end"]);
    expect(questions.openTo("s", owner)).toBeUndefined();
  });

  it("is refused by other words, which are the reason", async () => {
    const { questions, surface, shown, say } = setUp();
    const asked = questions.ask("s", approval, surface);
    expect(questions.reply("other", { text: "yes" })).toBe(false);
    expect(say("use yarn instead")).toBe(false);
    expect(await asked).toEqual({ choice: "no", text: "use yarn instead" });
    expect(shown.at(-1)).toMatchObject({ type: "ask-end", chosen: { code: "approval.refuse" } });
  });

  it("does not take what is not the person's own for a reason", async () => {
    const { questions, surface } = setUp();
    const asked = questions.ask("s", approval, surface);
    questions.reply("s", { text: "what a command printed", labels: ["command"] });
    expect(await asked).toEqual({ choice: "no" });
  });

  it.each([
    [{}, "once"],
    [{ session: true }, "session"],
  ])("never lasts longer than the question allows: %j", async (offered, choice) => {
    const { questions, surface, say, askId } = setUp();
    const asked = questions.ask("s", { ...approval, choices: toApprovalChoices(offered) }, surface);
    expect(questions.settle("s", { askId: askId(), choice: "always" }, owner)).toBe(false);
    say("always");
    expect(await asked).toEqual({ choice });
  });

  it("is for the owner alone", async () => {
    const { questions, surface, askId } = setUp();
    const asked = questions.ask("s", approval, surface);
    expect(questions.openTo("s", guest)).toBeUndefined();
    expect(questions.settle("s", { askId: askId(), choice: "once" }, guest)).toBe(false);
    expect(questions.settle("s", { askId: askId(), choice: "once" }, owner)).toBe(true);
    expect(await asked).toEqual({ choice: "once" });
  });

  it("that nobody gives within ten minutes is a no", async () => {
    const { questions, surface, shown, clock, say } = setUp();
    const asked = questions.ask("s", approval, surface);
    await clock.advance(10 * 60_000 - 1);
    expect(questions.openTo("s", owner)).toBe(approval);
    await clock.advance(1);
    expect(await asked).toEqual({ choice: "no", silence: "late" });
    expect(shown.at(-1)).toMatchObject({ type: "ask-end", chosen: { code: "approval.refuse" } });
    expect(say("yes")).toBe(false);
  });

  it("leaves no timer behind", async () => {
    const { questions, surface, clock, say } = setUp();
    const asked = questions.ask("s", approval, surface);
    say("yes");
    await asked;
    expect(clock.sleeping).toBe(0);
  });

  it("ends with the turn that asked", async () => {
    const { questions, surface, abort } = setUp();
    const asked = questions.ask("s", approval, surface);
    abort.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
    expect(questions.openTo("s", owner)).toBeUndefined();
  });

  it("waits for an earlier one of the same session", async () => {
    const { questions, surface, shown, say } = setUp();
    const first = questions.ask("s", approval, surface);
    const second = questions.ask("s", { ...approval, detail: "another" }, surface);
    expect(shown).toHaveLength(1);
    say("no");
    expect(await first).toEqual({ choice: "no" });
    await expect.poll(() => shown.length).toBe(3);
    say("yes");
    expect(await second).toEqual({ choice: "once" });
  });
});

describe("a choice", () => {
  it.each([
    ["1", "later"],
    ["later", "later"],
    ["y", "yes"],
    ["好的", "yes"],
    ["否", "no"],
  ])("is made by %j", async (text, choice) => {
    const { questions, surface, say } = setUp();
    const asked = questions.ask("s", choosing, surface);
    expect(say(text)).toBe(true);
    expect(await asked).toEqual({ choice });
  });

  it("is for the person who gave the command alone", async () => {
    const { questions, surface, askId } = setUp();
    const asked = questions.ask("s", choosing, surface);
    expect(questions.openTo("s", owner)).toBeUndefined();
    expect(questions.settle("s", { askId: askId(), choice: "yes" }, owner)).toBe(false);
    expect(questions.settle("s", { askId: askId(), choice: "later" }, guest)).toBe(true);
    expect(await asked).toEqual({ choice: "later" });
  });
});
