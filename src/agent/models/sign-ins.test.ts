// Signing in to subscriptions, against services on loopback that answer as the public documents say.
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../test/support/free-port.ts";
import { collectReply } from "../../../test/support/model-connection.ts";
import { modelRequest } from "../../../test/support/model-request.ts";
import { toOpenAIEvents, toResponsesEvents } from "../../../test/support/model-wire.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { systemClock } from "../../lib/clock.ts";
import { findHost } from "../../llm/hosts/hosts.ts";
import { createOpenAIChat } from "../../llm/openai/chat.ts";
import { createOpenAIResponses } from "../../llm/responses/responses.ts";
import { SignInStore } from "../../storage/config/sign-in-store.ts";
import { resolveHome } from "../../storage/home.ts";
import { directFetch } from "./direct-fetch.ts";
import { SignIns } from "./sign-ins.ts";

const { signal } = new AbortController();
const clock = {
  ...systemClock,
  sleep: async (ms: number, given?: AbortSignal) => {
    given?.throwIfAborted();
    // Polls come at once; a wait for the outcome never ends first.
    if (ms <= 10_000) await nextTick();
    else await new Promise(() => {});
  },
};

interface Asked {
  path: string;
  body: string;
  authorization: string;
}

type Answers = Record<string, (asked: Asked, times: number) => { status?: number; body: object }>;

async function startService(answers: Answers) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const one = { path, body: await read(request), authorization: request.headers.authorization ?? "" };
    asked.push(one);
    const times = asked.filter((each) => each.path === path).length;
    const { status = 200, body } = answers[path]?.(one, times) ?? { status: 404, body: {} };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

async function openHomes(issuer: string, port?: number) {
  const home = await createTemporaryFolder();
  const paths = resolveHome({ env: { HOME: home, NANOBOT_HOME: home } });
  const open = () => {
    const store = new SignInStore({ paths, clock: systemClock });
    return new SignIns({ store, clock, env: {}, issuer, ...(port !== undefined && { port }) });
  };
  return { paths, open };
}

const seconds = (fromNow: number) => Math.floor(Date.now() / 1000) + fromNow;
function toJwt(name: string, expiresIn = 3600): string {
  const claims = {
    name,
    exp: seconds(expiresIn),
    "https://api.openai.com/auth": { chatgpt_account_id: "acc" },
  };
  return `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
}
const toTokens = (name: string, expiresIn?: number) => ({
  access_token: toJwt(name, expiresIn),
  refresh_token: `refresh-${name}`,
});

const codexDevice: Answers = {
  "/api/accounts/deviceauth/usercode": () => ({
    body: { device_auth_id: "d1", user_code: "ABCD-EFGH", interval: "1" },
  }),
  "/api/accounts/deviceauth/token": (_, times) =>
    times < 3
      ? { status: 403, body: {} }
      : { body: { authorization_code: "code-1", code_verifier: "verifier-1" } },
};

test("ChatGPT, by a code: the tokens are private, and requests go with them over Responses", async () => {
  const { issuer, asked } = await startService({
    ...codexDevice,
    "/oauth/token": () => ({ body: toTokens("first") }),
  });
  const { paths, open } = await openHomes(issuer);
  const signIns = open();
  const begun = await signIns.begin("openai_codex", "device");
  expect(begun).toMatchObject({ url: `${issuer}/codex/device`, code: "ABCD-EFGH" });
  expect(await signIns.outcome("openai_codex", 60_000, signal)).toEqual({ ok: true });
  const exchange = new URLSearchParams(asked.at(-1)?.body);
  expect(Object.fromEntries(exchange)).toMatchObject({
    grant_type: "authorization_code",
    code: "code-1",
    code_verifier: "verifier-1",
  });
  expect((await stat(paths.signIns)).mode & 0o777).toBe(0o600);

  await using host = await startWireServer({ chunks: toResponsesEvents({ text: "Hi.", calls: [] }) });
  const provider = connect("openai_codex", host.url, open());
  const { reply } = await collectReply(provider, modelRequest({ temperature: 0.1 }));
  expect(reply.message.content).toBe("Hi.");
  const [request] = host.requests;
  expect(request?.headers).toMatchObject({
    authorization: expect.stringMatching(/^Bearer h\..+\.s$/),
    "chatgpt-account-id": "acc",
  });
  expect(request?.json).toMatchObject({
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
  });
  expect(request?.json).not.toHaveProperty("max_output_tokens");

  await signIns.end("openai_codex");
  const out = await collectReply(provider, modelRequest());
  expect(out.reply.error).toMatchObject({ kind: "authentication", phrase: { code: "model.sign-in" } });
});

test("ChatGPT, by a browser: only the page with the right state ends it", async () => {
  const { issuer, asked } = await startService({ "/oauth/token": () => ({ body: toTokens("browser") }) });
  const port = await findFreePort();
  const { open } = await openHomes(issuer, port);
  const signIns = open();
  const { url, code } = await signIns.begin("openai_codex", "browser");
  expect(code).toBeUndefined();
  const query = new URL(url).searchParams;
  expect(query.get("code_challenge_method")).toBe("S256");
  const back = `http://127.0.0.1:${port}/auth/callback`;
  expect((await fetch(`${back}?code=evil&state=guessed`)).status).toBe(404);
  expect((await fetch(`${back}?code=good&state=${query.get("state")}`)).status).toBe(200);
  expect(await signIns.outcome("openai_codex", 60_000, signal)).toEqual({ ok: true });
  expect(new URLSearchParams(asked[0]?.body).get("code")).toBe("good");
});

test("a token that ends is refreshed once, however many ask for it at the same time", async () => {
  const { issuer, asked } = await startService({
    ...codexDevice,
    "/oauth/token": ({ body }) => ({
      body: body.includes("refresh_token") ? toTokens("second") : toTokens("first", 10),
    }),
  });
  const { open } = await openHomes(issuer);
  const first = open();
  await first.begin("openai_codex", "device");
  await first.outcome("openai_codex", 60_000, signal);
  const others = [open(), open(), open()];
  const tokens = await Promise.all(others.map((one) => one.access("openai_codex", signal)));
  expect(new Set(tokens.map((each) => each?.refresh))).toEqual(new Set(["refresh-second"]));
  expect(asked.filter(({ body }) => body.includes("grant_type=refresh_token"))).toHaveLength(1);
});

test("a refused refresh signs out; a broken service does not", async () => {
  let status = 500;
  const { issuer } = await startService({
    ...codexDevice,
    "/oauth/token": ({ body }) =>
      body.includes("grant_type=refresh_token")
        ? { status, body: { error: "invalid_grant" } }
        : { body: toTokens("first", 10) },
  });
  const { open } = await openHomes(issuer);
  const signIns = open();
  await signIns.begin("openai_codex", "device");
  await signIns.outcome("openai_codex", 60_000, signal);
  await expect(signIns.access("openai_codex", signal)).rejects.toThrow("invalid_grant");
  expect(await signIns.isSignedIn("openai_codex")).toBe(true);
  status = 400;
  expect(await signIns.access("openai_codex", signal)).toBeUndefined();
  expect(await signIns.isSignedIn("openai_codex")).toBe(false);
});

test("GitHub Copilot: a code for GitHub, whose token buys others; a refused one is replaced once", async () => {
  const { issuer, asked } = await startService({
    "/login/device/code": () => ({
      body: {
        device_code: "dc",
        user_code: "WXYZ-1234",
        verification_uri: "https://github.com/login/device",
        interval: 1,
      },
    }),
    "/login/oauth/access_token": (_, times) => ({
      body: times < 2 ? { error: "authorization_pending" } : { access_token: "gho_1" },
    }),
    "/copilot_internal/v2/token": (_, times) => ({
      body: { token: `copilot-${times}`, expires_at: seconds(1800) },
    }),
  });
  const { open } = await openHomes(issuer);
  const signIns = open();
  expect(await signIns.begin("github_copilot", "device")).toMatchObject({ code: "WXYZ-1234" });
  expect(await signIns.outcome("github_copilot", 60_000, signal)).toEqual({ ok: true });
  expect(asked.at(-1)).toMatchObject({ authorization: "token gho_1" });

  await using host = await startWireServer(
    { status: 401, chunks: '{"error":{"message":"token expired"}}' },
    { chunks: toOpenAIEvents({ text: "Hi.", calls: [] }) },
  );
  const { reply } = await collectReply(connect("github_copilot", host.url, signIns), modelRequest());
  expect(reply.message.content).toBe("Hi.");
  expect(host.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer copilot-1",
    "Bearer copilot-2",
  ]);
});

function connect(name: string, baseUrl: string, signIns: SignIns) {
  const host = findHost(name);
  if (host === undefined) throw new Error("no row");
  const create = host.protocol === "openai-responses" ? createOpenAIResponses : createOpenAIChat;
  return signIns.wrap(create, { host, baseUrl, fetch: directFetch, readImage: async () => undefined });
}
