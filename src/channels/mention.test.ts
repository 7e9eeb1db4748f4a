import { expect, test } from "vitest";
import { isNamed, withoutName } from "./mention.ts";

test.each([
  ["nano: what time is it", true, "what time is it"],
  ["@nano 现在几点", true, "现在几点"],
  ["nano，你好", true, "你好"],
  ["nano你好", true, "你好"],
  ["Nano", true, ""],
  ["nanometres are small", false, "nanometres are small"],
  ["ask nano about it", true, "ask nano about it"],
])("%s", (text, named, rest) => {
  expect(isNamed(text, "nano")).toBe(named);
  expect(withoutName(text, ["nano"])).toBe(rest);
});

test("signs in a name mean nothing else", () => {
  expect(isNamed("hi n.n[1]!", "n.n[1]")).toBe(true);
  expect(isNamed("hi nxn1", "n.n[1]")).toBe(false);
});
