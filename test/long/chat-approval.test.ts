// A question for approval in a real terminal: how it is drawn, and how it is answered.

import { describe, expect, it } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { createWords, say } from "../../src/i18n/words.ts";
import { showChoice, showsChoices } from "../support/choices.ts";
import { sentence, words } from "../support/english.ts";
import type { FakeModelReply } from "../support/fake-model.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { openTmuxChat } from "../support/tmux-chat.ts";

const command = "rm -r 'build\u202e\u001b[2J'";
const risky: FakeModelReply = { toolCalls: [{ name: "exec", arguments: { command, outside: true } }] };
const chinese = createWords("chinese");
/** The question waits for an answer. */
const isAsked = (shown: string) => showsChoices(shown);
const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");

describe.runIf(hasTmux)("a question for approval", () => {
  it("shows command, reason, risk and choices, obeys nothing in them, and takes each kind of answer", async () => {
    const chat = await openTmuxChat((index) => (index % 2 === 0 ? risky : { text: `All done ${index}.` }));
    await chat.say("go");
    await chat.waitFor(isAsked);
    const asked = await chat.everything();
    for (const part of [
      words.approval.question(sentence("approval.run", {})),
      "rm -r 'build<U+202E>␛[2J'",
      words.approval.risk(sentence("approval.risk-outside")),
    ])
      expect(asked).toContain(part);
    await chat.press("n");
    await chat.waitFor(showChoice("no"));
    await chat.waitFor("All done 1.");
    await chat.say("again");
    await chat.waitFor(isAsked);
    await chat.say("always");
    await chat.waitFor(showChoice("always"));
    await chat.waitFor("All done 3.");
    await chat.say("once more");
    await chat.waitFor("All done 5.");
    await chat.say("/untrust");
    await chat.waitFor("1. rm -r 'build<U+202E>␛[2J'");
    expect(await chat.everything()).not.toContain("\u202e");
  });

  it("is not allowed for ever by the first letter of a sentence", async () => {
    const chat = await openTmuxChat([risky, { text: "Left alone." }]);
    await chat.say("clean up");
    await chat.waitFor(isAsked);
    await chat.press("a");
    await chat.say("ll wrong, leave it");
    await chat.waitFor("Left alone.");
    expect(JSON.stringify(chat.model.requests[1]?.messages)).toContain("and: all wrong, leave it");
  });

  it("is refused by anything else that is said, which the model reads at once", async () => {
    const chat = await openTmuxChat([risky, { text: "Moved instead." }]);
    await chat.say("clean up");
    await chat.waitFor(isAsked);
    await chat.say("move it to old, please");
    await chat.waitFor("Moved instead.");
    const [result, message] = chat.model.requests[1]?.messages.slice(-2) ?? [];
    expect(result).toMatchObject({
      role: "tool",
      content: "Not allowed: the owner said no, and: move it to old, please",
    });
    expect(message).toMatchObject({ role: "user" });
    expect(JSON.stringify(message)).toContain("move it to old, please");
    expect(chat.model.requests).toHaveLength(2);
  });

  it("is answered with the arrows, too", async () => {
    const chat = await openTmuxChat([risky, { text: "Gone." }]);
    await chat.say("clean up");
    await chat.waitFor(isAsked);
    // From refusing, which is last, to the first one.
    await chat.press("Down");
    await chat.press("Enter");
    await chat.waitFor(showChoice("once"));
    await chat.waitFor("Gone.");
  });

  it("is refused by Enter alone and by Escape", async () => {
    const chat = await openTmuxChat((index) => (index % 2 === 0 ? risky : { text: `Not ${index}.` }));
    for (const [index, key] of ["Enter", "Escape"].entries()) {
      await chat.say(`try ${index}`);
      await chat.waitFor(isAsked);
      await chat.press(key);
      await chat.waitFor(`Not ${2 * index + 1}.`);
    }
    expect(JSON.stringify(chat.model.requests[1]?.messages.at(-1))).toContain("owner");
  });

  it("does not take what was being typed for an answer, and gives it back afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const first = { text: "Soon", waitFor: gate.promise, ...risky };
    const chat = await openTmuxChat([first, { text: "Then not." }]);
    await chat.say("make it");
    await chat.waitFor("Soon");
    await chat.type("yes");
    await chat.waitFor((shown) => /^ yes$/m.test(shown));
    gate.resolve();
    await chat.waitFor(isAsked);
    expect(await chat.screen()).not.toMatch(/^[> ] ?yes$/m);
    await chat.say("no");
    await chat.waitFor("Then not.");
    expect(await chat.screen()).toMatch(/^ yes$/m);
  });

  it("is gone when the turn is stopped", async () => {
    const chat = await openTmuxChat([risky, { text: "hello to you" }]);
    await chat.say("make it");
    await chat.waitFor(isAsked);
    await chat.press("C-c");
    await chat.waitFor((shown) => shown.includes(words.reply.stoppedMark) && !isAsked(shown));
    await chat.say("hello");
    await chat.waitFor("hello to you");
  });

  it("is asked in the language of the terminal", async () => {
    const chat = await openTmuxChat([risky, { text: "好了" }], { env: { LANG: "zh_CN.UTF-8" } });
    await chat.say("开始");
    await chat.waitFor(chinese.approval.question(say(phrase("approval.run", {}), chinese)));
    await chat.waitFor(chinese.approval.risk(say(phrase("approval.risk-outside"), chinese)));
    await chat.waitFor((shown) => showsChoices(shown, "chinese"));
    await chat.say("不行");
    await chat.waitFor(showChoice("no", "chinese"));
    await chat.waitFor("好了");
  });
});

it.runIf(hasTmux)("another model is picked from the list of the host", async () => {
  const chat = await openTmuxChat([], { models: [{ id: "test-model" }, { id: "larger-model" }] });
  await chat.say("/model");
  await chat.waitFor("larger-model");
  await chat.type("larg");
  await chat.press("Enter");
  await chat.waitFor((shown) => /larger-model.*\n*$/.test(shown.trimEnd().split("\n").at(-1) ?? ""));
});
