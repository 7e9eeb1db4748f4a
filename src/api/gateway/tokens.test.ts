// Tokens that name the operations they may call, over HTTP.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import { connect, openWebScene } from "../../../test/support/web-scene.ts";
import { createHttpClient } from "../client.ts";
import { ApiTokens } from "./tokens.ts";

afterEach(closeTestGateways);

async function open(operations = ["jobs.list", "jobs.remove"]) {
  const gateway = await createTestGateway([], { config: { api: { apiKey: "a-key" } } });
  const client = createHttpClient(gateway.address);
  const { token } = await client.call("tokens.add", { name: "calendar", operations });
  return { gateway, client, token };
}

async function call(gateway: TestGateway, name: string, token: string, headers = {}) {
  const answer = await gateway.post(`/api/${name}`, {}, { authorization: `Bearer ${token}`, ...headers });
  const { result, problem } = (await answer.json()) as { result?: unknown; problem?: { code: string } };
  return { status: answer.status, result, problem };
}

const refused = (operation: string) => ({
  status: 403,
  problem: { code: "request.not-of-token", params: { operation } },
});

describe("a token that names operations", () => {
  it("calls these as the owner, and is refused all others before their params are read", async () => {
    const { gateway, token } = await open();
    expect(await call(gateway, "jobs.list", token)).toMatchObject({ status: 200 });
    expect(await call(gateway, "jobs.remove", token)).toMatchObject({
      status: 400,
      problem: { code: "request.bad-params" },
    });
    for (const name of ["jobs.add", "ping", "tokens.add", "tokens.list", "web.link", "gateway.stop"])
      expect(await call(gateway, name, token)).toMatchObject(refused(name));
    expect(await call(gateway, "jobs.none", token)).toMatchObject({ status: 404 });
  });

  it("is refused as well where the answer is lines", async () => {
    const { gateway, token } = await open();
    const limited = createHttpClient({ ...gateway.address, token });
    await expect(limited.call("jobs.chats", {})).rejects.toMatchObject({
      phrase: { code: "request.not-of-token", params: { operation: "jobs.chats" } },
    });
  });

  it("is not taken when it is wrong, and never for anything but operations", async () => {
    const { gateway, token } = await open(["chat.send", "chat.list"]);
    const authorization = `Bearer ${token}`;
    for (const wrong of ["", "guessed", token.slice(1), `${token}x`])
      expect((await call(gateway, "chat.list", wrong)).status).toBe(401);
    const get = async (path: string) =>
      (await fetch(gateway.url + path, { headers: { authorization } })).status;
    expect(await get("/api/me")).toBe(401);
    expect(await get("/v1/models")).toBe(401);
    expect((await gateway.post("/api/enter", { token })).status).toBe(401);
  });

  it("says nothing about for whom it is called", async () => {
    const { gateway, client, token } = await open();
    const origin = { channel: "telegram", chatId: "7", senderId: "7", person: "ann", role: "guest" };
    const chat = encodeURIComponent(JSON.stringify({ sessionKey: "telegram:7", origin }));
    await client.call("jobs.add", {
      message: "Tea",
      schedule: { kind: "every", everyMs: 3_600_000 },
      chat: { channel: "cli", chatId: "direct" },
    });
    const listed = await call(gateway, "jobs.list", token, { "x-nanobot-chat": chat });
    expect(listed).toMatchObject({ status: 200, result: await client.call("jobs.list", {}) });
  });

  it("ends when it is removed, also by another process", async () => {
    const { gateway, client, token } = await open();
    await client.call("tokens.remove", { name: "calendar" });
    expect((await call(gateway, "jobs.list", token)).status).toBe(401);
    const { token: second } = await client.call("tokens.add", { name: "calendar", operations: ["ping"] });
    expect((await call(gateway, "ping", second)).status).toBe(200);
    expect((await call(gateway, "ping", token)).status).toBe(401);
    const elsewhere = new ApiTokens(join(gateway.home, "run", "api-tokens.json"), { now: () => 0 });
    expect(await elsewhere.remove("calendar")).toBe(true);
    expect((await call(gateway, "ping", second)).status).toBe(401);
  });

  it("is listed and stored without the token", async () => {
    const { gateway, client, token } = await open();
    const { tokens } = await client.call("tokens.list", {});
    expect(tokens).toEqual([
      { name: "calendar", operations: ["jobs.list", "jobs.remove"], createdAt: expect.any(Number) },
    ]);
    await call(gateway, "jobs.list", token);
    await call(gateway, "jobs.add", token);
    const path = join(gateway.home, "run", "api-tokens.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const names = await readdir(gateway.home, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files).toContain(path);
    for (const file of files) expect([file, (await readFile(file)).includes(token)]).toEqual([file, false]);
  });

  it("opens no socket", async () => {
    const scene = await openWebScene();
    const tokens = new ApiTokens(join(scene.folder, "api-tokens.json"), scene.clock);
    const token = await tokens.add("calendar", ["jobs.list"]);
    const wire = await connect(scene, { authorization: `Bearer ${token}` });
    expect(await wire.ended).toBe(4401);
  });
});

describe("a new token", () => {
  it.each([
    [
      "jobs.lst",
      { code: "tokens.unknown-operation", params: { operation: "jobs.lst", nearest: "jobs.list" } },
    ],
    ["constructor", { code: "tokens.unknown-operation", params: { operation: "constructor" } }],
    ["tokens.add", { code: "tokens.not-for-programs", params: { operation: "tokens.add" } }],
    ["tokens.remove", { code: "tokens.not-for-programs", params: { operation: "tokens.remove" } }],
    ["web.link", { code: "tokens.not-for-programs", params: { operation: "web.link" } }],
  ])("cannot be given %s", async (operation, phrase) => {
    const { client } = await open();
    const made = client.call("tokens.add", { name: "other", operations: ["jobs.list", operation] });
    await expect(made).rejects.toMatchObject({ phrase });
    expect((await client.call("tokens.list", {})).tokens).toHaveLength(1);
  });

  it("needs a name of its own, and one that can be typed", async () => {
    const { gateway, client, token } = await open();
    const add = (name: string) => client.call("tokens.add", { name, operations: ["ping"] });
    await expect(add("calendar")).rejects.toMatchObject({
      phrase: { code: "tokens.exists", params: { name: "calendar" } },
    });
    for (const name of ["", "a b", "a\nb", "x".repeat(65)])
      await expect(add(name)).rejects.toMatchObject({ phrase: { code: "tokens.bad-name" } });
    expect(await add("日历")).toMatchObject({ name: "日历", operations: ["ping"] });
    expect((await call(gateway, "ping", token)).status).toBe(403);
    await expect(client.call("tokens.remove", { name: "none" })).rejects.toMatchObject({
      phrase: { code: "tokens.not-found", params: { name: "none" } },
    });
  });
});
