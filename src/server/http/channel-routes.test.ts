import { expect, onTestFinished, test } from "vitest";
import { createWords } from "../../i18n/words.ts";
import { addChannelRoutes } from "./channel-routes.ts";
import { startHttpServer } from "./http-server.ts";

test("a request of a platform reaches its channel with body, query and headers; nothing else does", async () => {
  const seen: string[] = [];
  const handle = async (request: Request) => {
    const { search } = new URL(request.url);
    seen.push(`${request.method} ${search} ${request.headers.get("x-signature")} ${await request.text()}`);
    return new Response("taken", { status: 202 });
  };
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words: createWords("english").gateway.address,
    addRoutes: (routes) => addChannelRoutes(routes, [{ path: "/channels/pigeon", handle }]),
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => server.close());
  const send = (path: string, init: RequestInit) => fetch(`${server.url}/channels/${path}`, init);
  const answer = await send("pigeon?a=1", {
    method: "POST",
    body: '{"x":"好"}',
    headers: { "x-signature": "s" },
  });
  expect([answer.status, await answer.text()]).toEqual([202, "taken"]);
  expect((await send("pigeon", { method: "DELETE" })).status).toBe(405);
  expect((await send("other", { method: "POST" })).status).toBe(404);
  expect((await send("pigeon", { method: "POST", body: "x".repeat(4 * 1024 * 1024) })).status).toBe(413);
  expect(seen).toEqual(['POST ?a=1 s {"x":"好"}']);
});
