import fc from "fast-check";
import { expect, test } from "vitest";
import { chinese, english } from "../../../words/chat.ts";
import { nameKey, nameSession } from "./sessions.ts";

const inEnglish = { words: english, language: "en" as const };
const inChinese = { words: chinese, language: "zh-CN" as const };
const at = new Date(2026, 10, 15, 12).getTime();
const key = "web:owner:c09aa8303c7146ab";

test("a conversation has its title, otherwise the name of its day or its channel", () => {
  expect(nameSession({ key, title: "Tea", updatedAt: at }, inEnglish)).toBe("Tea");
  expect(nameSession({ key, title: "", updatedAt: at }, inEnglish)).toBe("Chat from Nov 15, 2026");
  expect(nameSession({ key, title: "", updatedAt: at }, inChinese)).toBe("2026年11月15日的对话");
  expect(nameSession({ key, title: "", updatedAt: 0 }, inEnglish)).toBe(english.untitled);
  expect(nameSession({ key: "telegram:42", title: "", updatedAt: at }, inEnglish)).toBe("Telegram");
  expect(nameSession({ key: "board:7", title: "", updatedAt: at }, inChinese)).toBe("Board 里的对话");
});

test("no key is ever shown, known or not", () => {
  const id = fc.stringMatching(/^[0-9a-f]{8,16}$/);
  fc.assert(
    fc.property(fc.constantFrom("web:owner", "web:anna", "telegram", "cli", "subagent"), id, (start, end) => {
      for (const naming of [inEnglish, inChinese])
        expect(nameKey(`${start}:${end}`, undefined, naming)).not.toContain(end);
    }),
  );
});
