import fc from "fast-check";
import { expect, test } from "vitest";
import { reveal, toPieces } from "./text.tsx";

test("what could hide or turn something is shown, everything else stays", () => {
  expect(reveal("rm \u202e/ tmp\u202c\u200b\u2066\u0007\u001b[2K\ufeff")).toBe(
    "rm <U+202E>/ tmp<U+202C><U+200B><U+2066><U+0007><U+001B>[2K<U+FEFF>",
  );
  for (const text of ["echo 你好　世界\n\tgit log", "café ☕", "שלום"]) expect(reveal(text)).toBe(text);
});

test("a text is cut into pieces at the ends of its lines, and nothing of it is lost", () => {
  expect(toPieces("short\ntext")).toEqual(["short\ntext"]);
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index} 行`);
  expect(toPieces(lines.join("\n")).join("\n")).toBe(lines.join("\n"));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", " ", "语", "\n", "😀".repeat(700), "b".repeat(900))),
      (parts) => {
        const pieces = toPieces(parts.join(""));
        expect(pieces.join("").replaceAll("\n", "")).toBe(parts.join("").replaceAll("\n", ""));
        expect(pieces.every((piece) => [...piece].length <= 4_000 && piece.isWellFormed())).toBe(true);
      },
    ),
  );
});
