import { describe, expect, it } from "vitest";
import { addDetail, isOpaque, type ReasoningDetail } from "./stream.ts";

describe("streamed details of reasoning", () => {
  it("grow by their index and type, and take the newest of everything else", () => {
    const details: ReasoningDetail[] = [];
    addDetail(details, { type: "reasoning.text", index: 0, text: "a", signature: null });
    addDetail(details, { type: "reasoning.text", index: 0, text: "b" });
    addDetail(details, { type: "reasoning.text", index: 0, signature: "s" });
    addDetail(details, { type: "reasoning.encrypted", index: 1, data: "x" });
    expect(details).toEqual([
      { type: "reasoning.text", index: 0, text: "ab", signature: "s" },
      { type: "reasoning.encrypted", index: 1, data: "x" },
    ]);
  });

  it("without an index are separate", () => {
    const details: ReasoningDetail[] = [];
    addDetail(details, { type: "reasoning.encrypted", data: "x" });
    addDetail(details, { type: "reasoning.encrypted", data: "y" });
    expect(details).toHaveLength(2);
  });

  it("are worth keeping only when the text does not say it all", () => {
    expect(isOpaque([{ type: "reasoning.text", text: "a" }])).toBe(false);
    expect(isOpaque([{ type: "reasoning.text", text: "a", signature: "s" }])).toBe(true);
    expect(isOpaque([{ type: "reasoning.encrypted", data: "x" }])).toBe(true);
  });
});
