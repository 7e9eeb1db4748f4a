import { describe, expect, it } from "vitest";
import type { Shown } from "../../../src/api/chat/wire.ts";
import { noNews, reduceNews } from "./news.ts";

function tell(...all: Shown[]) {
  return all.reduce(
    (news, shown, seq) => reduceNews(news, { seq, at: seq, sessionKey: "web:a", shown }),
    noNews,
  );
}

const live = (body: Extract<Shown, { type: "live" }>["body"], turnId = "t"): Shown => ({
  type: "live",
  turnId,
  body,
});
const step: Shown = live({ type: "step-start", step: 1, id: "t.1" });
const end = (stop = "completed") => live({ type: "turn-end", stop });
const text = (said: string) => live({ type: "text-delta", text: said });

describe("news of conversations", () => {
  it("an answer is told once it is whole, with its last words and not those before a tool", () => {
    const begun = tell(step, text("I look."), step, text("Found "), text("it."));
    expect(begun.items).toEqual([]);
    const { items, turns } = tell(step, text("I look."), step, text("Found "), text("it."), end());
    expect(items).toMatchObject([{ kind: "answer", text: "Found it.", sessionKey: "web:a" }]);
    expect(turns.size).toBe(0);
  });

  it("a task that was due is a reminder, with its name where the model said nothing", () => {
    const task = { name: "Stretch", isOnce: true };
    const said: Shown = { type: "said", turnId: "t", at: 1, text: "Stretch", channel: "web", task };
    expect(tell(said, step, end()).items).toMatchObject([{ kind: "reminder", text: "Stretch" }]);
  });

  it("what was stopped is no news; a notice and a question are", () => {
    expect(tell(step, text("half"), end("cancelled")).items).toEqual([]);
    const notice: Shown = {
      type: "aside",
      id: "a",
      turnId: "t",
      at: 1,
      kind: "notice",
      isFailure: true,
      text: "No key.",
    };
    const ask = live({ type: "ask-start", askId: "q", question: {} as never });
    expect(tell(notice, ask).items.map(({ kind }) => kind)).toEqual(["failed", "ask"]);
  });

  it("stays small, whatever is said", () => {
    const many = Array.from({ length: 300 }, (_, turn) =>
      live({ type: "text-delta", text: "x".repeat(900) }, `t${turn}`),
    );
    const news = tell(...many, ...Array.from({ length: 100 }, () => end()));
    expect(news.turns.size).toBeLessThanOrEqual(200);
    expect(Math.max(...[...news.turns.values()].map((turn) => turn.text.length))).toBe(200);
    expect(news.items).toHaveLength(20);
  });
});
