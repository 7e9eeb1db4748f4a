import { afterEach, describe, expect, test } from "vitest";
import { createWords } from "../i18n/words.ts";
import { type Control, ControlError, createControlClient } from "./control.ts";
import { addGatewayRoutes } from "./gateway-routes.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";

const token = "a".repeat(64);
const telegram = {
  name: "telegram",
  state: "running",
  since: 5,
  received: 0,
  sent: 0,
  error: "secret",
} as const;
const opened: HttpServer[] = [];
const words = createWords("english").gateway.address;

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

class WishError extends Error {}

async function open(
  more: Partial<Control> = {},
): Promise<{ url: string; wishes: unknown[]; errors: unknown[] }> {
  const wishes: unknown[] = [];
  const errors: unknown[] = [];
  const control = {
    restoreMemory: async (wish: object) => {
      wishes.push(wish);
      return { id: "y" };
    },
    dream: async () => undefined,
    ...more,
  } as unknown as Control;
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words,
    onError: (error) => errors.push(error),
    addRoutes: (app) =>
      addGatewayRoutes(app, {
        control,
        status: async () => ({ startedAt: 5, channels: [telegram] }),
        token,
        page: () => "<h1>nanobot</h1>",
        isWish: (error) => error instanceof WishError,
      }),
  });
  opened.push(server);
  return { url: server.url, wishes, errors };
}

function post(url: string, name: string, { body = "{}", bearer = token } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  return fetch(`${url}/control/${name}`, { method: "POST", headers, body });
}

test("health is for everybody, and tells no more than states", async () => {
  const { url } = await open();
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

describe("control", () => {
  test("is done for whoever shows the token", async () => {
    const { url, wishes } = await open();
    const client = createControlClient({ url, token, pid: 1 });
    expect(await client.restoreMemory({ id: "x" })).toEqual({ id: "y" });
    expect(wishes).toEqual([{ id: "x" }]);
    expect(await (await post(url, "dream")).json()).toEqual({ result: null });
  });

  test.each(["", "b".repeat(64), "a".repeat(63), `${token}a`])(
    "is not done for the token %j",
    async (bearer) => {
      const { url, wishes } = await open();
      const response = await post(url, "restoreMemory", { bearer });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: "The token is not right." });
      expect(wishes).toEqual([]);
    },
  );

  test.each(["GET", "PUT", "DELETE", "PATCH"])("is not done by %s", async (method) => {
    const { url, wishes } = await open();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/control/restoreMemory`, { method, headers });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(wishes).toEqual([]);
  });

  test.each(["nothing", "__proto__", "constructor", "toString", "%2e%2e"])(
    "has nothing that is called %s",
    async (name) => {
      const { url } = await open();
      expect((await post(url, name)).status).toBe(404);
    },
  );

  test.each(["", "{", "[]", "null", "5", '"text"'])("takes one object, not %j", async (body) => {
    const { url, wishes } = await open();
    const response = await post(url, "restoreMemory", { body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: "Send one JSON object." });
    expect(wishes).toEqual([]);
  });

  test("takes no endless wish", async () => {
    const { url } = await open();
    const body = JSON.stringify({ id: "x".repeat(1024 * 1024) });
    expect((await post(url, "restoreMemory", { body })).status).toBe(413);
  });

  test("tells why a wish was not fulfilled, and of other failures only that there was one", async () => {
    const { url, errors } = await open({
      dream: () => Promise.reject(new WishError("There is no such change.")),
      restoreMemory: () => Promise.reject(new Error("secret detail")),
    });
    const client = createControlClient({ url, token, pid: 1 });
    await expect(client.dream({})).rejects.toThrow(new ControlError("There is no such change."));
    const failing = client.restoreMemory({ id: "x" });
    await expect(failing).rejects.toThrow(ControlError);
    await expect(failing).rejects.not.toThrow(/secret|object Object/);
    expect(errors).toHaveLength(1);
  });
});
