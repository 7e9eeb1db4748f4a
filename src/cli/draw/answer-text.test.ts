import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AnswerText, type Block } from "./answer-text.ts";

function settle(chunks: string[]): { settled: Block[]; rest: Block[] } {
  const answer = new AnswerText();
  return { settled: chunks.flatMap((chunk) => answer.write(chunk)), rest: answer.end() };
}

describe("AnswerText", () => {
  it("gives a block when the next one has begun, and keeps lists, fences and what belongs to them whole", () => {
    const { settled, rest } = settle([
      "One\nline.\n\n- a\n\n  more of a\n- b\n\n```\n\ncode\n\n- no list\n```\n\nThe end",
    ]);
    expect(settled.map(({ text }) => text)).toEqual(["One\nline.", "- a\n\n  more of a\n- b"]);
    expect(rest.map(({ text }) => text)).toEqual(["```\n\ncode\n\n- no list\n```\n\nThe end"]);
  });

  it("gives a long list item by item, without a gap between them", () => {
    const items = Array.from({ length: 40 }, (_, index) => `${index + 1}. item`);
    const { settled, rest } = settle([`${items.join("\n")}\n`]);
    expect(settled.length).toBeGreaterThan(0);
    expect([...settled, ...rest].slice(1).every(({ isJoined }) => isJoined)).toBe(true);
    expect([...settled, ...rest].map(({ text }) => text).join("\n")).toBe(items.join("\n"));
  });

  it.each([
    { kind: "a paragraph of one line", piece: "word " },
    { kind: "a paragraph of many lines", piece: "word\n" },
    { kind: "a fence", piece: "x\n\n", first: "```\n" },
  ])("reads $kind once, however long it is", ({ piece, first = "" }) => {
    const pieces = [first, ...Array.from({ length: 2_000 }, () => piece)];
    let read = 0;
    const count = (name: "split" | "trim" | "slice") => {
      const real = String.prototype[name] as (this: string, ...given: unknown[]) => unknown;
      return vi.spyOn(String.prototype, name).mockImplementation(function (
        this: string,
        ...given: unknown[]
      ) {
        read += this.length;
        return real.apply(this, given) as never;
      });
    };
    const spies = [count("split"), count("trim"), count("slice")];
    const answer = new AnswerText();
    for (const each of pieces) answer.write(each);
    const { text } = answer.pending;
    for (const spy of spies) spy.mockRestore();
    expect(text).toBe(pieces.join(""));
    expect(read).toBeLessThan(5 * text.length);
  });

  it("cuts alike however the text arrives, and loses nothing but empty lines", () => {
    const line = fc.constantFrom(
      "",
      "",
      "text",
      "- item",
      "1. one",
      "  indented",
      "```",
      "~~~~",
      "```js",
      "# head",
      "| a |",
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.nat(30), { maxLength: 40 }),
        (lines, sizes) => {
          const text = lines.join("\n");
          const chunks: string[] = [];
          for (let at = 0, index = 0; at < text.length; index++) {
            const size = (sizes[index % Math.max(1, sizes.length)] ?? 0) + 1;
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          const whole = settle([text]);
          const cut = settle(chunks);
          expect([...cut.settled, ...cut.rest]).toEqual([...whole.settled, ...whole.rest]);
          const kept = [...cut.settled, ...cut.rest].map((block) => block.text).join("\n");
          const bare = (all: string) =>
            all
              .split("\n")
              .map((each) => each.trimEnd())
              .filter((each) => each !== "");
          expect(bare(kept)).toEqual(bare(text));
        },
      ),
    );
  });
});
