import { expect, it } from "vitest";
import { createSessionHome } from "../../test/support/session-home.ts";
import { findBegunTurn } from "./begun-turn.ts";

/** A turn in which more was said after its first answer, which nobody has been told yet. */
async function beginTurn() {
  const { openStore } = await createSessionHome();
  const session = await (await openStore()).open("chat:room", "owner");
  const say = (id: string, role: "user" | "assistant", content: string, more = {}) =>
    session.append([{ id, turn: "t", message: { role, content }, ...more }]);
  await say("t", "user", "one");
  await say("t.0", "assistant", "The answer to one.");
  await say("u", "user", "two");
  return { session, say };
}

it("goes on with what it has answered before more was said", async () => {
  const { session } = await beginTurn();
  expect(await findBegunTurn(session, "t")).toMatchObject({
    kind: "open",
    joined: ["u"],
    nextStep: 1,
    answers: ["The answer to one."],
  });
});

it("delivers all of its answers", async () => {
  const { session, say } = await beginTurn();
  await say("t.1", "assistant", "The answer to two.", { extra: { latency_ms: 5 } });
  expect(await findBegunTurn(session, "t")).toEqual({
    kind: "answered",
    text: "The answer to one.\n\nThe answer to two.",
    joined: ["u"],
  });
});
