import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../llm/types.ts";
import { chooseStart, estimateBudget, estimateMessageTokens, inputBudget, sumTokens } from "./fit.ts";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });

describe("the input budget", () => {
  it("is the window without the completion and a safety margin", () => {
    expect(inputBudget({ contextWindow: 65_536, maxTokens: 8_192 })).toBe(56_320);
  });

  it("is never nothing, however small the window", () => {
    expect(inputBudget({ contextWindow: 1_000, maxTokens: 8_192 })).toBe(500);
  });
});

it("the budget in our own tokens shrinks by what a host counts more than we do", () => {
  const window = { contextWindow: 65_536, maxTokens: 8_192 };
  expect(estimateBudget(window)).toBe(56_320);
  expect(estimateBudget({ ...window, correction: 1.6 })).toBe(35_200);
});

describe("the start of a prompt", () => {
  it("stays where it is while everything fits", () => {
    const messages = [user("a"), assistant("b"), user("c"), assistant("d")];
    expect(chooseStart({ messages, from: 2, fixedTokens: 10, budget: 1_000 })).toBe(2);
  });

  it("moves to a user's message that halves the budget, so that it need not move again at once", () => {
    const messages = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? user("question ".repeat(80)) : assistant("answer ".repeat(80)),
    );
    const from = chooseStart({ messages, from: 0, fixedTokens: 0, budget: 2_000 });
    const tokens = sumTokens(messages, from);
    expect(messages[from]?.role).toBe("user");
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(tokens).toBeGreaterThan(500);
  });

  it("never needs more than the budget, unless the fixed part alone does", () => {
    const message = fc.oneof(
      fc.string({ maxLength: 400 }).map(user),
      fc.string({ maxLength: 400 }).map(assistant),
    );
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 60 }),
        fc.nat(2_000),
        fc.nat(500),
        (messages, budget, fixedTokens) => {
          const from = chooseStart({ messages, from: 0, fixedTokens, budget });
          const tokens = messages
            .slice(from)
            .reduce((total, each) => total + estimateMessageTokens(each), fixedTokens);
          expect(fixedTokens + sumTokens(messages, from)).toBe(tokens);
          if (fixedTokens <= budget) expect(tokens).toBeLessThanOrEqual(budget);
          if (from > 0 && from < messages.length) expect(messages[from]?.role).toBe("user");
        },
      ),
    );
  });
});
