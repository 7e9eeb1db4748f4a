// A message that ends the process among others that do not: only that one is set aside.
import { expect, it } from "vitest";
import { ChatScene, textOf, type WireMessage } from "../support/chat-scene.ts";
import { anything, like, words } from "../support/english.ts";
import { eventually } from "../support/eventually.ts";
import { nanobot } from "../support/run-program.ts";
import { isApology } from "../support/task-model.ts";

const chats = 8;
/** In the middle: some innocent messages come before it, some after it. */
const killer = 3;
const deaths = 3;

it("a message that ends the process takes no other with it: all others are answered, and it alone is apologised for", async () => {
  let running = 0;
  let killed = 0;
  await using scene = await ChatScene.open({ program: nanobot(), chats, reply });

  /** All of them run at the first two deaths, and none of those is answered. */
  async function reply(messages: readonly WireMessage[]) {
    const said = textOf(messages.findLast(({ role }) => role === "user")?.content);
    const chat = Number(/this is chat (\d+)/.exec(said)?.[1]);
    running += 1;
    const isDeath = killed < 2 ? running === chats : chat === killer;
    if (isDeath) {
      await scene.kill();
      running = 0;
      killed += 1;
    } else if (killed < 2) await new Promise(() => {});
    return { text: `answer to chat ${chat}`, calls: [] };
  }

  for (let life = 0; life <= deaths; life++) {
    scene.start();
    await scene.untilPolling(Number.POSITIVE_INFINITY);
    if (life === 0) for (let chat = 0; chat < chats; chat++) scene.ask(chat, `this is chat ${chat}`);
    if (life < deaths) await eventually(() => killed).toBe(life + 1);
  }
  const isTold = (chat: number) =>
    scene.toldIn(chat).some((text) => isApology(text) || text === `answer to chat ${chat}`);
  await eventually(() => Array.from({ length: chats }, (_, chat) => isTold(chat))).not.toContain(false);
  // An answer that was on its way at the third death may come twice: the platform takes no key.
  const toldOnce = (chat: number) => [...new Set(scene.toldIn(chat).filter((text) => text !== ""))];
  const all = Array.from({ length: chats }, (_, chat) => toldOnce(chat));
  const innocent = all.map((_, chat) => [`answer to chat ${chat}`]);
  const apology = like(`${words.gateway.apology}\n${anything}this is chat 3`);
  expect(all).toEqual(innocent.with(killer, [expect.stringMatching(apology)]));
});
