import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWords } from "../../words/words.ts";
import { CollapsedText } from "./collapsed-text.ts";
import { type InputPiece, longestPaste, PasteFilter } from "./paste-filter.ts";

function filter(chunks: string[]): InputPiece[] {
  const paste = new PasteFilter();
  const pieces = chunks.flatMap((chunk) => paste.push(chunk));
  // Keys may come in any number of pieces: only their order and their text matter.
  return pieces.reduce<InputPiece[]>((joined, piece) => {
    const last = joined.at(-1);
    if (piece.type === "keys" && last?.type === "keys") last.text += piece.text;
    else joined.push({ ...piece });
    return joined;
  }, []);
}

describe("PasteFilter", () => {
  it("tells a paste from keys, and its line ends from Enter", () => {
    expect(filter(["a\u001b[200~one\r\ntwo\rthree\u001b[201~\r"])).toEqual([
      { type: "keys", text: "a" },
      { type: "paste", text: "one\ntwo\nthree", isCut: false },
      { type: "keys", text: "\r" },
    ]);
  });

  it("lets escape and arrows through at once", () => {
    const paste = new PasteFilter();
    expect(paste.push("\u001b")).toEqual([{ type: "keys", text: "\u001b" }]);
    expect(paste.push("\u001b[A")).toEqual([{ type: "keys", text: "\u001b[A" }]);
  });

  it("bounds what it keeps of a paste, and says so", () => {
    const [piece] = filter([`\u001b[200~${"x".repeat(longestPaste)}`, "y\u001b[201~"]);
    expect(piece).toMatchObject({ type: "paste", isCut: true });
    expect(piece?.text).toHaveLength(longestPaste);
  });

  it("finds the same pieces wherever the terminal cuts its chunks, except right after an escape", () => {
    const keys = fc.constantFrom("a", "中", "\r", "\u001b[A", "[200~", "x~");
    const part = fc.oneof(
      keys,
      fc.array(keys).map((text) => `\u001b[200~${text.join("")}\u001b[201~`),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat()), (parts, cuts) => {
        const text = parts.join("");
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))]
          .filter((place) => text[place - 1] !== "\u001b")
          .sort((a, b) => a - b);
        const chunks = [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length));
        expect(filter(chunks)).toEqual(filter([text]));
      }),
    );
  });
});

describe("CollapsedText", () => {
  const collapsed = () => new CollapsedText(createWords("english"));

  it("shows the first line and how many follow, and stands for all of them", () => {
    const texts = collapsed();
    const shown = texts.collapse("one\ntwo\nthree\n");
    expect(shown).toBe("one [+2 lines #1]");
    expect(texts.expand(`explain ${shown} please`)).toBe("explain one\ntwo\nthree please");
  });

  it("keeps short lines as they are and hides what would act as keys", () => {
    const texts = collapsed();
    expect(texts.collapse("just a line")).toBe("just a line");
    expect(texts.collapse("tab\there")).toBe("[8 characters #1]");
    expect(texts.expand("[8 characters #1]")).toBe("tab\there");
  });

  it("leaves marks alone that it did not make", () => {
    expect(collapsed().expand("see [+2 lines #7] and [x]")).toBe("see [+2 lines #7] and [x]");
  });

  it("gives back any text, apart from newlines at its end", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), (lines) => {
        const texts = collapsed();
        const text = lines.join("\n");
        fc.pre(!text.includes("#"));
        const shown = texts.collapse(text);
        expect(shown).not.toMatch(/[\n\t]/);
        expect(texts.expand(shown).replace(/\n+$/, "")).toBe(text.replace(/\n+$/, ""));
      }),
    );
  });
});
