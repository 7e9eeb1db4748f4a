// What terminals ask of a real gateway, over a real socket.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "cli:direct";

describe("terminal.ask", () => {
  it("answers with the whole outcome, and tells everyone what was said and what happens", async () => {
    const gateway = await createTestGateway([
      { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      { text: "seen", usage: { input: 10, cached: 4, output: 2 } },
    ]);
    const client = await openWebClient(gateway);
    const outcome = await client.ask("terminal.ask", { sessionKey, text: "look", canAsk: false });
    expect(outcome).toMatchObject({
      text: "seen",
      stop: "completed",
      tools: [{ name: "list_dir", ok: true }],
    });
    const shown = client.events.flatMap(({ event }) => (event.type === "shown" ? [event.shown] : []));
    expect(shown[0]).toMatchObject({ type: "said", text: "look", channel: "cli", turnId: outcome.turnId });
    expect(shown).toContainEqual({
      type: "live",
      turnId: outcome.turnId,
      body: { type: "text-delta", text: "seen" },
    });
  });

  it("waits for its own turn while another one runs", async () => {
    const gate = Promise.withResolvers<void>();
    const gateway = await createTestGateway([
      async () => {
        await gate.promise;
        return { text: "first" };
      },
      { text: "second" },
    ]);
    const client = await openWebClient(gateway);
    const first = client.ask("terminal.ask", { sessionKey, text: "one", canAsk: false });
    await gateway.isAsked(1);
    const second = client.ask("terminal.ask", { sessionKey, text: "two", canAsk: false });
    gate.resolve();
    expect([(await first).text, (await second).text]).toEqual(["first", "second"]);
  });

  it("asks its questions in the conversation, if it can be answered there", async () => {
    const risky = { toolCalls: [{ name: "exec", arguments: { command: "rm -r old", outside: true } }] };
    const gateway = await createTestGateway([risky, { text: "then not" }, risky, { text: "nobody there" }]);
    const client = await openWebClient(gateway);
    const asking = client.ask("terminal.ask", { sessionKey, text: "remove it", canAsk: true });
    const { event } = await client.waitFor(
      (frame) =>
        frame.event.type === "shown" &&
        frame.event.shown.type === "live" &&
        frame.event.shown.body.type === "ask-start",
    );
    if (event.type !== "shown" || event.shown.type !== "live" || event.shown.body.type !== "ask-start")
      throw new Error("no question");
    const { askId } = event.shown.body;
    const answer = { sessionKey, askId, choice: "no" };
    expect(await client.ask("chat.answer", answer)).toEqual({ isTaken: true });
    expect((await asking).text).toBe("then not");
    const alone = await client.ask("terminal.ask", { sessionKey, text: "again", canAsk: false });
    expect(alone.tools).toMatchObject([{ name: "exec", ok: false }]);
  });
});

describe("terminal.run", () => {
  it("runs the owner's command without a question, unless it is refused altogether", async () => {
    const gateway = await createTestGateway([], { config: { tools: { exec: { deny: ["touch"] } } } });
    const client = await openWebClient(gateway);
    const run = (command: string) => client.ask("terminal.run", { sessionKey, command, runId: command });
    expect(await run("mkdir old && rm -r old && echo gone")).toMatchObject({ isError: false, labels: [] });
    const denied = await run("touch x");
    expect(denied.isError).toBe(true);
  });

  it("says that commands are switched off", async () => {
    const gateway = await createTestGateway([], { config: { tools: { exec: { enable: false } } } });
    const client = await openWebClient(gateway);
    await expect(client.ask("terminal.run", { sessionKey, command: "id", runId: "1" })).rejects.toMatchObject(
      {
        problem: { code: "terminal.commands-off" },
      },
    );
  });

  it("can be cancelled, and keeps what it had printed", async () => {
    const gateway = await createTestGateway([]);
    const client = await openWebClient(gateway);
    const command = "echo one; echo two; touch begun; sleep 1000";
    const running = client.ask("terminal.run", { sessionKey, command, runId: "r1" });
    await expect.poll(() => existsSync(join(gateway.home, "workspace", "begun"))).toBe(true);
    expect(await client.ask("terminal.cancel", { runId: "r1" })).toEqual({ isCancelled: true });
    expect(await running).toEqual({
      content: "one\ntwo",
      isError: false,
      isStopped: true,
      labels: ["command"],
    });
  });

  it("is nothing for a guest", async () => {
    const client = await openWebClient(await createTestGateway([]), { person: "anna", role: "guest" });
    for (const ask of [
      () => client.ask("terminal.run", { sessionKey, command: "id", runId: "1" }),
      () => client.ask("terminal.ask", { sessionKey, text: "hi", canAsk: false }),
    ])
      await expect(ask()).rejects.toMatchObject({ problem: { code: "request.owner-only" } });
  });
});
