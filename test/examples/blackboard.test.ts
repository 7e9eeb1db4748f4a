import { expect, test } from "vitest";
import { startChannel } from "../../test/support/channel-scene.ts";
import { eventually } from "../../test/support/eventually.ts";
import { startWireServer } from "../../test/support/wire-server.ts";
import { blackboard } from "./blackboard.ts";

test("a note is handed over, and its answer is pinned to the board", async () => {
  const notes = JSON.stringify([{ id: 7, author: "ann", text: "Milk?" }]);
  await using board = await startWireServer({ chunks: notes }, { chunks: "[]" });
  const config = { apiBase: board.url, token: "k" };
  const scene = await startChannel({ kind: blackboard, config, rules: { allowFrom: ["ann"] } });
  const message = await scene.next();
  expect(message).toMatchObject({ sessionKey: "blackboard:ann", text: "Milk?", origin: { role: "owner" } });
  await scene.answer(message, "**Two** litres.");
  await board.received(2);
  expect(board.requests[1]?.json).toMatchObject({ to: "ann", text: "Two litres." });
  await scene.stop();
});

test("a key that the board does not know is told at once, without the key", async () => {
  await using board = await startWireServer({ status: 401 });
  const scene = await startChannel({ kind: blackboard, config: { apiBase: board.url, token: "s3cret" } });
  await eventually(() => scene.manager.health()[0]).toMatchObject({ state: "failed" });
  expect(JSON.stringify(scene.manager.health())).not.toContain("s3cret");
});
