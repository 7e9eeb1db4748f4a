import { afterEach, describe, expect, it, test } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { createHttpClient } from "../../api/client.ts";
import { OpenQuestions } from "../../api/questions.ts";
import type { Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords, say } from "../../i18n/words.ts";
import { createIds } from "../../lib/ids.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { addGatewayRoutes, addOperationRoutes } from "./operation-routes.ts";

afterEach(closeTestGateways);

const draft = {
  message: "Tell me to make tea",
  schedule: { kind: "every", everyMs: 3_600_000 },
  chat: { channel: "cli", chatId: "direct" },
} as const;

interface Body {
  result: { id: string; jobs: Array<{ id: string }> };
  problem: { code: string; message: string };
}

const read = async (answer: Response) => (await answer.json()) as Body;

async function open() {
  const gateway = await createTestGateway([]);
  const token = { authorization: `Bearer ${gateway.address.token}` };
  return { gateway, token };
}

describe("POST /api/<name>", () => {
  it("runs an operation with the token of the gateway", async () => {
    const { gateway, token } = await open();
    const added = await gateway.post("/api/jobs.add", draft, token);
    expect(added.status).toBe(200);
    const { result } = await read(added);
    const listed = await read(await gateway.post("/api/jobs.list", {}, token));
    expect(listed.result.jobs.map(({ id }) => id)).toContain(result.id);
  });

  it("does a request once that comes again with the same key", async () => {
    const { gateway, token } = await open();
    const again = { ...token, "idempotency-key": "tea-1" };
    const first = await read(await gateway.post("/api/jobs.add", draft, again));
    const second = await read(await gateway.post("/api/jobs.add", draft, again));
    expect(second.result.id).toBe(first.result.id);
  });

  it("tells a code, its params and the sentence in the language that is asked for", async () => {
    const { gateway, token } = await open();
    const say = async (language: string) => {
      const headers = { ...token, "accept-language": language };
      const answer = await gateway.post("/api/jobs.remove", { id: "none" }, headers);
      expect(answer.status).toBe(400);
      return (await read(answer)).problem;
    };
    const english = await say("en");
    expect(english).toMatchObject({ code: "jobs.not-found", params: { id: "none" } });
    const chinese = await say("zh-CN,zh;q=0.9");
    expect(chinese).toMatchObject({ code: "jobs.not-found" });
    expect(chinese.message).toMatch(/没有任务/);
    expect(english.message).not.toBe(chinese.message);
  });

  it.each([
    ["/api/jobs.remove", "no JSON", 400, "request.bad-params"],
    ["/api/jobs.none", {}, 404, "request.unknown"],
    ["/api/constructor", {}, 404, "request.unknown"],
  ])("refuses %s with %j", async (path, body, status, code) => {
    const { gateway, token } = await open();
    const answer = await gateway.post(path, body, token);
    expect([answer.status, (await read(answer)).problem.code]).toEqual([status, code]);
  });

  it("lets nobody in without a token or a cookie, and takes nothing endless", async () => {
    const { gateway, token } = await open();
    expect((await gateway.post("/api/jobs.list", {})).status).toBe(401);
    expect((await gateway.post("/api/jobs.list", {}, { authorization: "Bearer guessed" })).status).toBe(401);
    const endless = JSON.stringify({ id: "x".repeat(1024 * 1024) });
    expect((await gateway.post("/api/jobs.remove", endless, token)).status).toBe(413);
  });

  it("takes another process's word for whom it calls, with the token alone", async () => {
    const { gateway } = await open();
    const address = { channel: "telegram", chatId: "7", senderId: "7" };
    const origin: Origin = { ...address, person: "ann", role: "guest", cause: "user", format: "messaging" };
    const chat = { sessionKey: "telegram:7", origin };
    await createHttpClient(gateway.address).call("jobs.add", draft);
    const ofGuest = createHttpClient(gateway.address, { chat });
    expect((await ofGuest.call("jobs.list", {})).jobs).toEqual([]);
    const { schedule, message } = draft;
    const made = await ofGuest.call("jobs.add", { schedule, message });
    expect(made).toMatchObject({
      channel: "telegram",
      chatId: "7",
      origin: { person: "ann", role: "guest" },
    });
    expect((await ofGuest.call("jobs.list", {})).jobs.map(({ id }) => id)).toEqual([made.id]);
  });
});

describe("a failure of ours", () => {
  it("is logged, and its message is told to nobody", async () => {
    const errors: unknown[] = [];
    const failure = new Error("no such key: sk-12345");
    const words = createWords("english");
    const onError = (error: unknown) => errors.push(error);
    const server = await startHttpServer({
      host: "127.0.0.1",
      port: 0,
      hasKey: false,
      words: words.gateway.address,
      onError,
      addRoutes: (routes) =>
        addOperationRoutes(routes, {
          run: () => Promise.reject(failure),
          questions: new OpenQuestions(createIds()),
          words,
          newId: () => "one",
          callerOf: async () => ({ person: "owner", role: "owner" }),
          onError,
        }),
    });
    const address = `${server.url}/api/jobs.list`;
    const whole = await fetch(address, { method: "POST", body: "{}" });
    expect(whole.status).toBe(500);
    const { problem } = await read(whole);
    expect(problem).toEqual({
      code: "request.failed",
      params: {},
      message: say(phrase("request.failed"), words),
    });
    const headers = { accept: "application/x-ndjson" };
    const lines = await fetch(address, { method: "POST", body: "{}", headers });
    expect(JSON.parse(await lines.text())).toEqual({ problem });
    expect(errors).toEqual([failure, failure]);
    await server.close();
  });
});

describe("a client over HTTP", () => {
  it("throws the refusal of the gateway as it was made", async () => {
    const { gateway } = await open();
    const client = createHttpClient(gateway.address);
    await expect(client.call("jobs.remove", { id: "none" })).rejects.toMatchObject({
      name: "UserError",
      phrase: { code: "jobs.not-found", params: { id: "none" } },
    });
  });

  it("says that nobody answers where the gateway is gone", async () => {
    const { gateway } = await open();
    const client = createHttpClient(gateway.address);
    await closeTestGateways();
    await expect(client.call("jobs.list", {})).rejects.toMatchObject({ phrase: { code: "gateway.silent" } });
  });
});

const telegram = {
  name: "telegram",
  state: "running",
  since: 5,
  received: 0,
  sent: 0,
  error: phrase("channels.quoted", { quote: "secret" }),
} as const;
const opened: HttpServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

test("health is for everyone, and tells no more than states", async () => {
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words: createWords("english").gateway.address,
    onError: () => {},
    addRoutes: (app) =>
      addGatewayRoutes(app, {
        status: async () => ({ startedAt: 5, channels: [telegram] }),
        page: () => "<h1>nanobot</h1>",
      }),
  });
  opened.push(server);
  const { url } = server;
  const response = await fetch(`${url}/health`);
  expect(await response.json()).toEqual({
    status: "ok",
    pid: process.pid,
    version: expect.any(String),
    startedAt: 5,
    channels: [{ name: "telegram", state: "running" }],
  });
  expect((await fetch(`${url}/health`, { method: "HEAD" })).status).toBe(200);
  expect(await (await fetch(url)).text()).toBe("<h1>nanobot</h1>");
});
