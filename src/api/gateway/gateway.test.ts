// Operations about the gateway itself and about sign-in links, as a page and a program call them.
import { afterEach, expect, test } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebProblem } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const failed = (promise: Promise<unknown>) => promise.catch(({ problem }: WebProblem) => problem);

test("the status says what runs, and what does not", async () => {
  const gateway = await createTestGateway([], { config: { channels: { nowhere: { enabled: true } } } });
  const client = await openWebClient(gateway);
  expect(await client.ask("gateway.status", {})).toMatchObject({
    sandbox: { code: expect.stringMatching(/^sandbox\./) },
    pid: process.pid,
    channels: [{ name: "web" }, { name: "cli" }],
    problems: [{ channel: "nowhere", phrase: { code: "channels.unknown" } }],
    activeTurns: 0,
    waiting: 0,
  });
});

test("the gateway stops when the owner asks for it, and restarts where it can", async () => {
  const asked: string[] = [];
  const gateway = await createTestGateway([], {
    onStop: () => void asked.push("stop"),
    onRestart: () => void asked.push("restart"),
  });
  const guest = await openWebClient(gateway, { person: "ann", role: "guest" });
  for (const name of ["gateway.stop", "gateway.restart", "gateway.status"] as const)
    expect(await failed(guest.ask(name, {}))).toMatchObject({ code: "request.owner-only" });
  const client = await openWebClient(gateway);
  expect((await client.ask("config.read", {})).canRestart).toBe(true);
  expect(await client.ask("gateway.restart", {})).toEqual({ isRestarting: true });
  expect(await client.ask("gateway.stop", {})).toEqual({ isStopping: true });
  expect(asked).toEqual(["restart", "stop"]);
  const fixed = await openWebClient(await createTestGateway([]));
  expect(await failed(fixed.ask("gateway.restart", {}))).toMatchObject({ code: "gateway.cannot-restart" });
});

test("links sign in the owner and guests, and only the owner makes them", async () => {
  const gateway = await createTestGateway([]);
  const client = await openWebClient(gateway);
  const guest = await openWebClient(gateway, { person: "ann", role: "guest" });
  expect(await client.ask("web.link", {})).toMatchObject({ person: "owner", role: "owner" });
  expect(await client.ask("web.link", { person: "安娜", role: "guest" })).toMatchObject({ person: "安娜" });
  for (const person of ["owner", "../x", "", "a b"])
    expect(await failed(client.ask("web.link", { person, role: "guest" }))).toMatchObject({
      code: "web.bad-guest-name",
    });
  expect(await failed(guest.ask("web.link", {}))).toMatchObject({ code: "request.owner-only" });
  expect(await failed(guest.ask("web.sign-out", {}))).toMatchObject({ code: "request.owner-only" });
  expect(await client.ask("web.sign-out", { person: "ann" })).toEqual({ ended: 1 });
});
