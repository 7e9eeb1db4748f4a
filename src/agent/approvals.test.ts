import { describe, expect, it } from "vitest";
import type { AskRequest } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import { createIds } from "../lib/ids.ts";
import { Approvals } from "./approvals.ts";

const request: AskRequest = {
  title: "Run a command",
  detail: "npm i",
  reason: "not on the list",
  subject: "npm i",
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
    ["always", { isAllowed: true, scope: "session" }],
    ["好", { isAllowed: true, scope: "once" }],
    ["no", { isAllowed: false, scope: "once", reason: "the owner said no" }],
    ["不", { isAllowed: false, scope: "once", reason: "the owner said no" }],
  ])("is answered by %j", async (text, answer) => {
    const approvals = new Approvals(createIds());
    const { surface, shown } = createSurface();
    const asked = approvals.ask("s", request, surface);
    expect(approvals.has("s")).toBe(true);
    expect(approvals.answer("s", text)).toBe(true);
    expect(await asked).toEqual(answer);
    expect(shown.map(({ type }) => type)).toEqual(["ask-start", "ask-end"]);
    expect(approvals.has("s")).toBe(false);
  });

  it("is not answered by other words, nor in another session", () => {
    const approvals = new Approvals(createIds());
    const { surface } = createSurface();
    void approvals.ask("s", request, surface);
    expect(approvals.answer("s", "what does it do?")).toBe(false);
    expect(approvals.answer("other", "yes")).toBe(false);
    expect(approvals.has("s")).toBe(true);
  });

  it("without a subject is never remembered", async () => {
    const approvals = new Approvals(createIds());
    const { subject: _, ...once } = request;
    const asked = approvals.ask("s", once, createSurface().surface);
    approvals.answer("s", "always");
    expect(await asked).toEqual({ isAllowed: true, scope: "once" });
  });

  it("ends with the turn that asked", async () => {
    const approvals = new Approvals(createIds());
    const { surface, abort } = createSurface();
    const asked = approvals.ask("s", request, surface);
    abort.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
    expect(approvals.has("s")).toBe(false);
  });

  it("waits for an earlier one of the same session", async () => {
    const approvals = new Approvals(createIds());
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
