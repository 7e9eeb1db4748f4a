import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { ChatScene, until } from "../support/chat-scene.ts";
import { tellFigure } from "../support/long-form.ts";
import { configFor, nanobot } from "../support/run-program.ts";

/** The heap of a gateway at rest, as measured when eight chats had one short answer each: 27 MB in use, in pages of 30. */
const restMb = 30;
/** Conversations that are kept at hand. */
const atHandMb = 16;
/** In addition to both, three times what an answer may hold. */
const heapMb = 3 * 12 + restMb + atHandMb;
/** Only for a hang. */
const patienceMs = 300_000;
const kinds = ["text", "small-text", "reasoning", "arguments", "calls", "line", "comments", "plain-10"];

it("survives streams that never end with little memory, and answers the next message", async () => {
  const host = fork(packagePath("bench/runaway-host.mjs"));
  const [port] = (await once(host, "message")) as [number];
  await using scene = await ChatScene.open({
    program: nanobot(),
    chats: kinds.length,
    config: configFor(`http://127.0.0.1:${port}/v1`, { memory: { autoRecall: false } }),
    channels: { collectMs: 0 },
    reply: () => {
      throw new Error("another host is asked");
    },
  });
  scene.start({ env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } });
  await scene.untilPolling(patienceMs);
  const ended: string[] = [];
  for (const [chat, kind] of kinds.entries()) {
    const isTold = (text: string) => scene.hasEnded || scene.toldIn(chat).some((told) => told.includes(text));
    scene.ask(chat, `stream ${kind}`);
    await until(() => isTold(kind === "plain-10" ? "answer.md" : "so it was cut off"), patienceMs);
    scene.ask(chat, "stream short");
    await until(() => isTold("Still here."), patienceMs);
    if (scene.hasEnded) ended.push(kind);
    if (scene.hasEnded) break;
    expect(scene.toldIn(chat).length).toBeLessThanOrEqual(4);
  }
  tellFigure("runaway", { kinds: kinds.length, heapMb });
  host.disconnect();
  expect(ended).toEqual([]);
});
