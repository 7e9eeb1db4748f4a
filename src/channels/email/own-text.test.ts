import fc from "fast-check";
import { expect, test } from "vitest";
import { toOwnText } from "./own-text.ts";

const answers: Array<[string, string, string]> = [
  [
    "the letter below a line of attribution",
    "Yes.\n\nOn Mon, 3 Aug 2026, Bot wrote:\n> Shall we?\n> Noon?",
    "Yes.",
  ],
  [
    "an attribution that was broken",
    "Yes.\n\nOn Mon, 3 Aug 2026 at 10:00 Bot\n<bot@example.net> wrote:\n\n> Shall we?",
    "Yes.",
  ],
  ["a Chinese attribution", "好的。\n\n在 2026年8月3日，Bot <bot@example.net> 写道：\n> 吃饭吗？", "好的。"],
  [
    "a letter below that is not quoted by signs",
    "Yes.\n\n-----Original Message-----\nFrom: Bot\n\nShall we?",
    "Yes.",
  ],
  [
    "the block of Outlook",
    "Yes.\n\nFrom: Bot <b@x>\nSent: Monday\nTo: Ann\nSubject: Lunch\n\nShall we?",
    "Yes.",
  ],
  [
    "the block of a Chinese program",
    "好的\n\n发件人: Bot\n发送时间: 今天\n收件人: Ann\n主题: 午饭\n\n吃饭吗",
    "好的",
  ],
  ["quoted lines at the end", "Yes.\n\n> Shall we?\n> Noon?", "Yes."],
  ["a signature", "Yes.\n\n-- \nAnn\nExample Ltd", "Yes."],
];

test.each(answers)("%s is left out of an answer", (_, text, own) => {
  expect(toOwnText(text, true)).toBe(own);
  expect(toOwnText(text.replaceAll("\n", "\r\n"), true)).toBe(own);
});

test("an answer between quoted lines keeps them", () => {
  const text = "On Monday, Bot wrote:\n> Noon?\nYes.\n> Soup?\nNo.";
  expect(toOwnText(text, true)).toBe(text);
});

test("a letter that answers nothing keeps what it shows, without its signature", () => {
  const forwarded = "Look:\n\nFrom: Eve\nSent: Monday\nTo: Ann\nSubject: Offer\n\nBuy!";
  expect(toOwnText(`${forwarded}\n-- \nAnn`, false)).toBe(forwarded);
});

test("a letter of nothing but quoted lines is kept whole", () => {
  expect(toOwnText("> Shall we?", true)).toBe("> Shall we?");
});

test("words that only look like it stay", () => {
  for (const text of [
    "On it! She wrote a book.\nMore.",
    "From: here to there\nwe go",
    "a\n--\n".repeat(1) + "x\n".repeat(30),
  ])
    expect(toOwnText(text, true)).toBe(text.trim());
});

test("of any text something remains, it is a beginning of it, and it takes no long time", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "> x",
      "On a wrote:",
      "-- ",
      "From: a",
      "Sent: b",
      "To: c",
      "写道：",
      "____________________",
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.boolean(), (lines, isAnswer) => {
      const text = lines.join("\n");
      const own = toOwnText(text, isAnswer);
      expect(own === "").toBe(text.trim() === "");
      expect(text.replaceAll("\r\n", "\n").trim().startsWith(own)).toBe(true);
    }),
  );
  expect(toOwnText(`On ${"wrote ".repeat(20_000)}\n`.repeat(5), true)).not.toBe("");
});
