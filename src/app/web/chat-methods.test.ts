// Conversations over the whole gateway and a real socket: only the model is scripted.
import { afterEach, describe, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "../../../test/support/web-client.ts";
import type { Shown } from "../../server/protocol/chat.ts";
import type { GatewayEvent } from "../../server/protocol.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";

function shownTo(client: WebClient, key = sessionKey): Shown[] {
  return client.events.flatMap(({ event }) =>
    event.type === "shown" && event.sessionKey === key ? [event.shown] : [],
  );
}

function isShown(event: GatewayEvent, isIt: (shown: Shown) => boolean): boolean {
  return event.type === "shown" && isIt(event.shown);
}

async function say(client: WebClient, text: string, key = sessionKey): Promise<string> {
  const { turnId } = await client.ask("chat.send", { sessionKey: key, text });
  await client.waitFor(({ event }) =>
    isShown(event, (shown) => shown.type === "settled" && shown.turnId === turnId),
  );
  return turnId;
}

describe("a conversation over the socket", () => {
  it("streams an answer and stores it under the ids that were shown", async () => {
    const gateway = await createTestGateway([
      { deltas: ["Hel", "lo", " there"], reasoning: "greet", usage: { input: 9, cached: 0, output: 3 } },
    ]);
    const client = await openWebClient(gateway);
    const turnId = await say(client, "hi");
    const shown = shownTo(client);
    expect(shown[0]).toMatchObject({ type: "said", turnId, text: "hi", channel: "web" });
    const text = shown.flatMap((each) =>
      each.type === "live" && each.body.type === "text-delta" ? [each.body.text] : [],
    );
    expect(text.join("")).toBe("Hello there");
    const opened = await client.ask("chat.open", { sessionKey });
    expect(opened.entries).toMatchObject([
      { id: turnId, role: "user", text: "hi" },
      { id: `${turnId}.1`, role: "assistant", text: "Hello there", reasoning: "greet" },
    ]);
    expect(opened.entries.at(-1)?.cost?.usage.output).toBeGreaterThan(0);
    expect(opened).toMatchObject({ said: [], asks: [], hasMore: false, session: { title: "hi" } });
    expect(opened.running).toBeUndefined();
  });
});
