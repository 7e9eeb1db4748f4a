import { expect, it } from "vitest";
import { ChatScene, until } from "../support/chat-scene.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { doTasks } from "../support/task-model.ts";

const count = sampled(500, 10_000);
/** Only for a hang: some answer comes within it. */
const patienceMs = 300_000;

it(`answers ${count} messages that come at once in one chat, each once, in their order, in few steps`, async () => {
  let requests = 0;
  await using scene = await ChatScene.open({
    program: nanobot(),
    chats: 1,
    config: { memory: { autoRecall: false } },
    telegram: { reactEmoji: "" },
    reply(messages, request) {
      requests += 1;
      return doTasks(messages, request);
    },
  });
  scene.start();
  await scene.untilPolling(patienceMs);
  const start = performance.now();
  for (let number = 0; number < count; number++) scene.ask(0, `plain ${number}`);
  const answered = () => [...scene.toldIn(0).join("\n").matchAll(/\d+/g)].map(([number]) => Number(number));
  for (let before = -1; answered().length < count && answered().length !== before; ) {
    before = answered().length;
    await until(() => answered().length > before, patienceMs);
  }
  const answers = scene.toldIn(0).length;
  tellFigure("flood", { messages: count, requests, answers, seconds: (performance.now() - start) / 1_000 });
  expect(answered()).toEqual(Array.from({ length: count }, (_, number) => number));
  expect(requests).toBeLessThanOrEqual(count / 10);
  expect(scene.hasEnded).toBe(false);
});
