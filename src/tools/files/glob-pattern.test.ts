import { matchesGlob } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { compileGlob } from "./glob-pattern.ts";

describe("a pattern", () => {
  const piece = fc.constantFrom("a", "b", "ab", "*", "?", "[ab]", "[!a]", "{a,b}", "早", ".");
  const patterns = fc
    .array(
      fc.oneof(
        fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
        fc.constant("**"),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((names) => names.join("/"))
    .filter((pattern) => !/(^|\/)\.|\*\*[^/]|[^/]\*\*|\*\*$/.test(pattern));
  const paths = fc
    .array(
      fc
        .array(fc.constantFrom("a", "b", "早", "c"), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((names) => names.join("/"));

  it("matches what Node's own matcher matches", () => {
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(compileGlob(pattern)(path), `${pattern} on ${path}`).toBe(matchesGlob(path, pattern));
      }),
      { numRuns: cases(3000) },
    );
  });

  it("cannot be made slow, and does not explode", () => {
    const matches = compileGlob(`${"*a".repeat(100)}b`);
    expect(matches("a".repeat(255))).toBe(false);
    expect(compileGlob(`${"**/".repeat(50)}x`)("a/".repeat(100))).toBe(false);
    expect(() => compileGlob("{a,b}".repeat(20))).toThrow(/simpler/);
    expect(() => compileGlob("x".repeat(2000))).toThrow(/longer/);
  });
});
