// Triggers: a program outside says something in a chat, with a secret, labelled and once.
import { createHmac } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { eventually } from "./support/eventually.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

const chat = { channel: "cli", chatId: "direct" };
const lastSaid = ({ provider }: TestGateway) => JSON.stringify(provider.requests.at(-1)?.messages.at(-1));

async function openWith(options: { signature?: "bearer" | "github" | "stripe"; template?: string } = {}) {
  const gateway = await createTestGateway({ loop: true, steps: ["Noted."] });
  const trigger = await gateway.client.call("triggers.add", { name: "build", chat, ...options });
  const send = (body: unknown, headers: Record<string, string>) => gateway.post(trigger.path, body, headers);
  const said = async (times: number) => {
    await eventually(() => gateway.provider.requests.length).toBe(times);
    return lastSaid(gateway);
  };
  return { gateway, trigger, send, said };
}

async function readSessions(home: string): Promise<string> {
  const folder = join(home, "sessions");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

const sign = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("hex");

describe("a request to a trigger", () => {
  it("becomes a message in its chat, labelled as from outside, and is said once", async () => {
    const { gateway, trigger, send, said } = await openWith();
    const headers = { authorization: `Bearer ${trigger.secret}`, "idempotency-key": "d1" };
    const first = await send({ state: "failed" }, headers);
    expect(first.status).toBe(202);
    expect(await said(1)).toContain("failed");
    const second = await send({ state: "failed" }, headers);
    expect(await second.json()).toMatchObject({ result: { isDuplicate: true } });
    await send("plain text", { authorization: headers.authorization });
    expect(await said(2)).toContain("plain text");
    const { rows } = await gateway.client.call("usage.report", { by: "cause", from: 0 });
    expect(rows.map(({ group }) => group)).toEqual(["trigger"]);
    expect(await readSessions(gateway.home)).toMatch(/("labels":\["hook:build"\].*){2}/s);
  });

  it("says what its template makes of the payload, and nothing that the payload does not have", async () => {
    const template = "Issue: {{issue.title}} by {{issue.user.0}}{{constructor.name}}{{issue.none}}.";
    const { trigger, send, said } = await openWith({ template });
    const payload = { issue: { title: "Broken", user: ["ann"] } };
    await send(payload, { authorization: `Bearer ${trigger.secret}` });
    expect(await said(1)).toContain("Issue: Broken by ann.");
  });

  it.each(["bearer", "github", "stripe"] as const)(
    "without the secret, or to an unknown name, is refused alike (%s)",
    async (signature) => {
      const { gateway, send } = await openWith({ signature });
      const now = Math.floor(Date.now() / 1000);
      const wrong = {
        authorization: "Bearer guessed",
        "x-hub-signature-256": `sha256=${sign("{}", "guessed")}`,
        "stripe-signature": `t=${now},v1=${sign(`${now}.{}`, "guessed")}`,
      };
      const answers = [
        await send({}, {}),
        await send({}, wrong),
        await gateway.post("/hooks/none", {}, wrong),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
      expect(new Set(await Promise.all(answers.map((each) => each.text()))).size).toBe(1);
      expect(gateway.provider.requests).toEqual([]);
    },
  );

  it("signed as GitHub signs is taken, also as a form, and once for each delivery", async () => {
    const { trigger, send, said } = await openWith({ signature: "github", template: "{{action}}" });
    const toHeaders = (body: string, type: string) => ({
      "content-type": type,
      "x-hub-signature-256": `sha256=${sign(body, trigger.secret)}`,
      "x-github-delivery": "g1",
    });
    const body = JSON.stringify({ action: "opened" });
    expect((await send(body, toHeaders(body, "application/json"))).status).toBe(202);
    expect(await said(1)).toContain("opened");
    const form = `payload=${encodeURIComponent(body)}`;
    const again = await send(form, toHeaders(form, "application/x-www-form-urlencoded"));
    expect(await again.json()).toMatchObject({ result: { isDuplicate: true } });
    const changed = await send(JSON.stringify({ action: "closed" }), toHeaders(body, "application/json"));
    expect(changed.status).toBe(401);
  });

  it("signed as Stripe signs is taken, and refused when it is old", async () => {
    const { trigger, send, said } = await openWith({ signature: "stripe" });
    const body = JSON.stringify({ id: "evt_1", type: "invoice.paid" });
    const toHeader = (ageSeconds: number) => {
      const time = Math.floor(Date.now() / 1000) - ageSeconds;
      return { "stripe-signature": `t=${time},v0=old,v1=${sign(`${time}.${body}`, trigger.secret)}` };
    };
    expect((await send(body, toHeader(3_600))).status).toBe(401);
    expect((await send(body, toHeader(-3_600))).status).toBe(401);
    expect((await send(body, toHeader(1))).status).toBe(202);
    expect(await said(1)).toContain("invoice.paid");
    const again = await send(body, toHeader(0));
    expect(await again.json()).toMatchObject({ result: { isDuplicate: true } });
  });

  it("that is too large or too deep takes no memory and ends nothing", async () => {
    const { trigger, send, said } = await openWith();
    const headers = { authorization: `Bearer ${trigger.secret}` };
    expect((await send("x".repeat(2_000_000), headers)).status).toBe(413);
    expect((await send("[".repeat(50_000) + "]".repeat(50_000), headers)).status).toBe(202);
    await said(1);
    expect((await send("y".repeat(900_000), headers)).status).toBe(202);
    expect((await said(2)).length).toBeLessThan(60_000);
  });
});

test("a trigger that is removed is refused, a name is taken once, and its file is private", async () => {
  const { gateway, trigger, send } = await openWith();
  const call = gateway.client.call.bind(gateway.client);
  await expect(call("triggers.add", { name: "build", chat })).rejects.toMatchObject({
    phrase: { code: "triggers.exists" },
  });
  await expect(call("triggers.add", { name: "../x", chat })).rejects.toMatchObject({
    phrase: { code: "triggers.bad-name" },
  });
  const listed = await call("triggers.list", {});
  expect(listed.triggers.map(({ name }) => name)).toEqual(["build"]);
  expect(JSON.stringify(listed)).not.toContain(trigger.secret);
  expect((await stat(join(gateway.home, "triggers.json"))).mode & 0o777).toBe(0o600);
  await call("triggers.remove", { trigger: trigger.id });
  expect((await send({}, { authorization: `Bearer ${trigger.secret}` })).status).toBe(401);
});

test("/trigger makes one for the chat where it is said, and the answer goes there", async () => {
  await using telegram = await startFakeTelegram();
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const gateway = await createTestGateway(["The build is broken."], {
    config: { channels: { telegram: channel, collectMs: 0 } },
  });
  telegram.say("/trigger build");
  await telegram.waitFor(() => telegram.messages.some(({ text }) => text.includes("/hooks/build")));
  await gateway.client.call("triggers.fire", { trigger: "build", text: "exit 1" });
  await telegram.waitFor(() => telegram.messages.some(({ text }) => text.includes("The build is broken.")));
});
