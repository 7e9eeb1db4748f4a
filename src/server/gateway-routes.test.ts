import { afterEach, expect, test } from "vitest";
import { phrase } from "../i18n/phrase.ts";
import { createWords } from "../i18n/words.ts";
import { addGatewayRoutes } from "./gateway-routes.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";

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

test("health is for everybody, and tells no more than states", async () => {
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
