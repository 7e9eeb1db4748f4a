import { expect, test } from "vitest";
import { chinese, english } from "./memory.ts";

test("a Dream with nothing to go through says when a conversation is included, and claims no earlier Dream", () => {
  expect(english.dreamed["nothing-new"]).toMatch(/once it is closed \(\/new\) or has been idle/);
  expect(chinese.dreamed["nothing-new"]).toMatch(/结束（\/new）或闲置/);
  for (const { dreamed } of [english, chinese]) expect(dreamed["nothing-new"]).not.toMatch(/last Dream|上次/);
});
