import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { likeness, shareIn, toWordSet } from "./dream-checks.ts";

describe("likeness", () => {
  it.each([
    ["The cat is called Luna", "the CAT is called luna!", 1],
    ["one two three four", "three four five six", 1 / 3],
    ["养了一只猫", "养了一只狗", 4 / 6],
    ["cat", "dog", 0],
    ["", "", 0],
  ])("of %j and %j is %d", (a, b, expected) => expect(likeness(a, b)).toBeCloseTo(expected));

  it("is the same both ways, between 0 and 1, and whole for a text with itself", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(likeness(a, b)).toBe(likeness(b, a));
        expect(likeness(a, b)).toBeGreaterThanOrEqual(0);
        expect(likeness(a, a)).toBe(toWordSet(a).size === 0 ? 0 : 1);
      }),
    );
  });
});

it("the share of a text in a longer one that holds it is whole", () => {
  expect(shareIn(toWordSet("blue bicycle"), toWordSet("the bicycle is blue"))).toBe(1);
  expect(shareIn(toWordSet("the bicycle is blue"), toWordSet("blue bicycle"))).toBe(0.5);
  expect(shareIn(toWordSet(""), toWordSet("x"))).toBe(0);
});
