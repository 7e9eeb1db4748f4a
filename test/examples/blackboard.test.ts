import { expect, test } from "vitest";
import { startChannel } from "../support/channel-scene.ts";
import { eventually } from "../support/eventually.ts";
import { startFakeBoard } from "../support/fake-board.ts";
import { blackboard } from "./blackboard.ts";

test("a note is handed over, and its answer is pinned to the board", async () => {
  const board = await startFakeBoard();
  const config = { apiBase: board.url, token: board.token };
  const scene = await startChannel({ kind: blackboard, config, rules: { allowFrom: ["ann"] } });
  board.say("Milk?");
  const message = await scene.next();
  expect(message).toMatchObject({ sessionKey: "blackboard:ann", text: "Milk?", origin: { role: "owner" } });
  await scene.answer(message, "**Two** litres.");
  await eventually(() => [...board.pinned.values()]).toEqual([{ to: "ann", text: "Two litres." }]);
});

test("a key that the board does not know is told at once, without the key", async () => {
  const board = await startFakeBoard();
  const scene = await startChannel({ kind: blackboard, config: { apiBase: board.url, token: "s3cret" } });
  await eventually(() => scene.manager.health()[0]).toMatchObject({ state: "failed" });
  expect(JSON.stringify(scene.manager.health())).not.toContain("s3cret");
});
