import { expect, test } from "vitest";
import { reveal } from "./visible-text.ts";

test("what could hide or turn something is shown, everything else stays", () => {
  expect(reveal("rm \u202e/ tmp\u202c\u200b\u2066\u0007\u001b[2K\ufeff")).toBe(
    "rm <U+202E>/ tmp<U+202C><U+200B><U+2066><U+0007><U+001B>[2K<U+FEFF>",
  );
  for (const text of ["echo 你好　世界\n\tgit log", "café ☕", "שלום"]) expect(reveal(text)).toBe(text);
});
