import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { AskRequest } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import { createIds } from "../lib/ids.ts";
import { Approvals } from "./approvals.ts";

const request: AskRequest = {
  title: "Run a command",
  detail: "npm i",
  reason: "not on the list",
  subject: "npm i",
  isExact: true,
};

function createSurface() {
  const shown: LiveBody[] = [];
  const abort = new AbortController();
  return { shown, abort, surface: { show: (body: LiveBody) => shown.push(body), signal: abort.signal } };
}

describe("an approval", () => {
  it.each([
    ["yes", { isAllowed: true, scope: "once" }],
    ["Y", { isAllowed: true, scope: "once" }],
    ["session", { isAllowed: true, scope: "session" }],
    ["本次会话", { isAllowed: true, scope: "session" }],
    ["always", { isAllowed: true, scope: "always" }],
    ["总是允许。", { isAllowed: true, scope: "always" }],
    ["好", { isAllowed: true, scope: "once" }],
    ["no", { isAllowed: false, scope: "once", reason: "the owner said no" }],
    ["不", { isAllowed: false, scope: "once", reason: "the owner said no" }],
  ])("is answered by %j", async (text, answer) => {
    const approvals = new Approvals(createIds(), createFakeClock());
    const { surface, shown } = createSurface();
    const asked = approvals.ask("s", request, surface);
    expect(approvals.pending("s")).toBe(request);
    expect(approvals.answer("s", text)).toBe(true);
    expect(await asked).toEqual(answer);
    expect(shown.map(({ type }) => type)).toEqual(["ask-start", "ask-end"]);
    expect(approvals.pending("s")).toBeUndefined();
  });

  it("is not answered by other words, nor in another session", () => {
    const approvals = new Approvals(createIds(), createFakeClock());
    const { surface } = createSurface();
    void approvals.ask("s", request, surface);
    expect(approvals.answer("s", "what does it do?")).toBe(false);
    expect(approvals.answer("other", "yes")).toBe(false);
    expect(approvals.pending("s")).toBe(request);
  });

  it.each([
    [{ subject: undefined }, "once"],
    [{ isExact: false }, "session"],
  ])("never lasts longer than the question allows: %j", async (change, scope) => {
    const approvals = new Approvals(createIds(), createFakeClock());
    const asked = approvals.ask("s", { ...request, ...change }, createSurface().surface);
    approvals.answer("s", "always");
    expect(await asked).toEqual({ isAllowed: true, scope });
  });

  it("that nobody gives within ten minutes is a no", async () => {
    const clock = createFakeClock();
    const approvals = new Approvals(createIds(), clock);
    const { surface, shown } = createSurface();
    const asked = approvals.ask("s", request, surface);
    await clock.advance(10 * 60_000 - 1);
    expect(approvals.pending("s")).toBe(request);
    await clock.advance(1);
    expect(await asked).toEqual({
      isAllowed: false,
      scope: "once",
      reason: "nobody answered within 10 minutes",
    });
    expect(shown.at(-1)).toMatchObject({ type: "ask-end", isAllowed: false });
    expect(approvals.answer("s", "yes")).toBe(false);
  });

  it("leaves no timer behind", async () => {
    const clock = createFakeClock();
    const approvals = new Approvals(createIds(), clock);
    const { surface } = createSurface();
    const asked = approvals.ask("s", request, surface);
    approvals.answer("s", "yes");
    await asked;
    expect(clock.sleeping).toBe(0);
  });

  it("ends with the turn that asked", async () => {
    const approvals = new Approvals(createIds(), createFakeClock());
    const { surface, abort } = createSurface();
    const asked = approvals.ask("s", request, surface);
    abort.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
    expect(approvals.pending("s")).toBeUndefined();
  });

  it("waits for an earlier one of the same session", async () => {
    const approvals = new Approvals(createIds(), createFakeClock());
    const { surface, shown } = createSurface();
    const first = approvals.ask("s", request, surface);
    const second = approvals.ask("s", { ...request, title: "Another" }, surface);
    expect(shown).toHaveLength(1);
    approvals.answer("s", "no");
    expect((await first).isAllowed).toBe(false);
    await expect.poll(() => shown.length).toBe(3);
    approvals.answer("s", "yes");
    expect((await second).isAllowed).toBe(true);
  });
});
