// Servers that are reached over HTTP: both protocols, sessions that expire, refusals, redirects, answers without end.
import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { sentence } from "../../test/support/english.ts";
import { openServers } from "../../test/support/mcp-servers.ts";
import { type HttpServerOptions, startHttpServer } from "../../test/support/odd-mcp-http.ts";
import { runTool, runToolText } from "../../test/support/run-tool.ts";

const headers = { Authorization: "Bearer secret-echo-1234567890", "X-Team": "blue" };

async function open(options: HttpServerOptions = {}, more: Record<string, unknown> = {}) {
  const server = await startHttpServer(options);
  const servers = await openServers({ web: { url: server.url, headers, ...more } });
  await servers.ready();
  return { server, servers };
}

describe("a server over HTTP", () => {
  it.each([
    ["plain JSON", {}],
    ["events", { isStreaming: true }],
    ["the older protocol of two endpoints", { isLegacy: true }],
  ])("answers calls in %s, and gets its headers with every request", async (_, options) => {
    const { server, servers } = await open(options);
    expect(servers.listed()).toEqual(["mcp_web_echo"]);
    expect(await runToolText(servers.tool("mcp_web_echo"), { text: "早" })).toContain('{"text":"早"}');
    for (const call of server.calls)
      expect(call.headers).toMatchObject({ authorization: headers.Authorization, "x-team": "blue" });
  });

  it.each(["http", "streamable-http", "streamableHttp"])("may be called %s", async (type) => {
    const { servers } = await open({}, { type });
    expect(servers.listed()).toEqual(["mcp_web_echo"]);
  });

  it("is connected again when its session has expired, and the call is made again", async () => {
    const { server, servers } = await open();
    server.expireSessions();
    expect(await runToolText(servers.tool("mcp_web_echo"), { text: "again" })).toContain("again");
    expect(server.calls.filter(({ rpc }) => rpc === "initialize")).toHaveLength(2);
    expect(server.calls.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(2);
  });

  it.each([
    [401, sentence("mcp.refused", { status: 401 })],
    [403, sentence("mcp.refused", { status: 403 })],
    [404, sentence("mcp.status", { status: 404 })],
    [500, sentence("mcp.status", { status: 500 })],
  ])("that answers %i is told by its status, without its words or ours", async (status, problem) => {
    const { servers } = await open({ status: () => status });
    expect(servers.problem("web")).toBe(problem);
    expect(servers.problem("web")).not.toContain("secret-echo");
  });

  it.each([false, true])(
    "fails a call with its status, once it was connected (the older protocol: %s)",
    async (isLegacy) => {
      let status = 200;
      const { servers } = await open({ status: () => status, isLegacy });
      status = 503;
      await expect(runTool(servers.tool("mcp_web_echo"), {})).rejects.toThrow(
        sentence("mcp.status", { status: 503 }),
      );
    },
  );

  it("never gets our headers elsewhere by a redirect", async () => {
    const other = await startHttpServer();
    const { servers } = await open({ redirect: () => other.url });
    expect(servers.problem("web")).toContain(sentence("mcp.redirected", { status: 307 }));
    expect(other.calls).toEqual([]);
  });

  it.each(["mcp", "sse"])("that is not there is told so: /%s", async (path) => {
    const free = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => free.once("listening", resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const servers = await openServers({ web: { url: `http://127.0.0.1:${port}/${path}` } });
    await servers.ready();
    expect(servers.problem("web")).toContain(sentence("mcp.unreachable", { errno: "ECONNREFUSED" }));
  });

  it("that accepts and never answers does not keep a turn waiting", async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { port: number };
    const addresses = [`http://127.0.0.1:${port}/mcp`, `http://127.0.0.1:${port}/sse`];
    for (const url of addresses) {
      const servers = await openServers({ web: { url } }, { connectMs: 300 });
      await servers.ready();
      expect(servers.problem("web")).toBe(sentence("mcp.no-answer", { seconds: 0.3 }));
      await servers.mcp.close();
    }
    // A connection that was opened for a request that was given up waits in the pool for the next one.
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("cannot fill our memory", async () => {
    const { servers } = await open({ size: 20 * 1024 * 1024 });
    await expect(runTool(servers.tool("mcp_web_echo"), {})).rejects.toThrow(
      sentence("mcp.too-large", { megabytes: 16 }),
    );
  });

  it.each([
    [{ url: "ftp://example.com/mcp" }, sentence("mcp.bad-address")],
    [{ url: "example" }, sentence("mcp.bad-address")],
    [{ type: "http" }, sentence("mcp.no-target")],
    [{}, sentence("mcp.no-target")],
    [{ command: "no-such-program-here" }, sentence("mcp.no-program", { program: "no-such-program-here" })],
  ])("that cannot be meant is told before anything is tried: %j", async (config, problem) => {
    const servers = await openServers({ web: config });
    await servers.ready();
    expect(servers.problem("web")).toBe(problem);
  });
});

it("is told when its session is no longer needed", async () => {
  const { server, servers } = await open();
  await servers.mcp.close();
  expect(server.calls.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "1" } });
});
