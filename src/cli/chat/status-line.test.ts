import { expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { itSays } from "../../../test/support/wording.ts";
import { createWords } from "../../i18n/words.ts";
import { textWidth } from "../draw/text-width.ts";
import { describeStatus } from "./status-line.ts";

const status = {
  model: "claude-opus",
  isSandboxed: true,
  isAttached: true,
  isLost: false,
  usage: { input: 12_345, cached: 11_111, output: 5 },
  cost: { amount: 0.1234, currency: "USD" },
};

itSays("tells everything where there is room, and leaves out the least important where there is none", () => {
  expect(describeStatus(status, words, 80)).toBe(
    "claude-opus · 12.3k tokens · $0.12 · 90% cached · sandbox · gateway",
  );
  expect(describeStatus(status, words, 38)).toBe("claude-opus · 12.3k tokens · $0.12");
  expect(describeStatus(status, words, 6)).toBe("claud…");
});

it("says that the gateway is gone before anything else, also in Chinese and few columns", () => {
  const words = createWords("chinese");
  expect(describeStatus({ ...status, isLost: true }, words, 80)).toBe(words.terminal.lost);
  for (const columns of [40, 20, 9])
    expect(textWidth(describeStatus({ ...status, isLost: true }, words, columns))).toBeLessThanOrEqual(
      columns,
    );
});

it("says nothing of what is not known", () => {
  const bare = { model: "m", isSandboxed: undefined, isAttached: false, isLost: false };
  expect(describeStatus(bare, words, 80)).toBe("m");
  const tiny = { ...bare, cost: { amount: 0.0004, currency: "CNY" }, isSandboxed: false };
  expect(describeStatus(tiny, words, 80)).toBe(`m · ¥0.0004 · ${words.terminal.unsandboxed}`);
});
