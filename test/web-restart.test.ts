// The gateway dies in the middle of a turn and comes back: the turn goes on, and clients catch up.
import { afterEach, expect, it } from "vitest";
import type { Shown } from "../src/api/chat/wire.ts";
import type { GatewayEvent } from "../src/server/protocol.ts";
import { startGatewayProgram } from "./support/gateway-program.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(closeWebClients);

const sessionKey = "web:one";

function isShown(event: GatewayEvent, isIt: (shown: Shown) => boolean): boolean {
  return event.type === "shown" && event.sessionKey === sessionKey && isIt(event.shown);
}

it("goes on after a kill in the middle of a stream, and a page that comes back sees all of it once", async () => {
  const never = new Promise(() => {});
  const gateway = await startGatewayProgram({
    answer: (_request, index) => {
      if (index === 0)
        return { text: "I look.", toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };
      if (index === 1) return { text: ["This is where ", "it dies"], waitFor: never };
      return { text: ["There are ", "some files."] };
    },
  });
  const client = await openWebClient(gateway);
  const { turnId } = await client.ask("chat.send", { sessionKey, text: "what is here?" }, "request-1");
  await client.waitFor(({ event }) =>
    isShown(
      event,
      (shown) =>
        shown.type === "live" && shown.body.type === "text-delta" && shown.body.text.includes("it dies"),
    ),
  );
  await gateway.kill();
  await gateway.start();
  // Asked again, as a page does that never heard an answer: the same message.
  const welcome = await client.reconnect({ url: gateway.url });
  expect(welcome.isResumed).toBe(false);
  expect(await client.ask("chat.send", { sessionKey, text: "what is here?" }, "request-1")).toEqual({
    turnId,
  });
  const { entries: first } = await client.ask("chat.open", { sessionKey });
  expect(first.slice(0, 3).map(({ id }) => id)).toEqual([turnId, `${turnId}.1`, `${turnId}.1.0`]);
  const texts = async () => {
    const opened = await client.ask("chat.open", { sessionKey });
    return opened.running === undefined ? opened.entries.map(({ text }) => text) : [];
  };
  await expect.poll(texts).toContain("There are some files.");
  const { entries, said, asides } = await client.ask("chat.open", { sessionKey });
  expect(entries.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect({ said, asides }).toEqual({ said: [], asides: [] });
});

it("shows what was accepted before the death and has no turn yet", async () => {
  const never = new Promise(() => {});
  const gateway = await startGatewayProgram({
    answer: (request) =>
      JSON.stringify(request.messages).includes("second")
        ? { text: "Both." }
        : { text: "Hm", waitFor: never },
  });
  const client = await openWebClient(gateway);
  await client.ask("chat.send", { sessionKey, text: "first" });
  await gateway.model.waitForRequests(1);
  const second = await client.ask("chat.send", { sessionKey, text: "second" });
  await gateway.kill();
  await gateway.start();
  await client.reconnect({ url: gateway.url });
  const opened = await client.ask("chat.open", { sessionKey });
  const known = [...opened.said.map((each) => each.turnId), ...opened.entries.map(({ id }) => id)];
  expect(known).toContain(second.turnId);
});
