// The assistant as an MCP server, asked by the client of the protocol's authors: over HTTP with tokens, and as a program.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { createHttpClient } from "../src/api/client.ts";
import { createProgramHome, nanobot } from "./support/run-program.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

type Transport = Parameters<Client["connect"]>[0];

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { text: (content as Array<{ text?: string }>)[0]?.text ?? "", isError };
}

const all = [
  "terminal.ask",
  "memory.read",
  "memory.save",
  "memory.search",
  "jobs.list",
  "jobs.read",
  "jobs.add",
  "outbox.send",
];

it("offers over HTTP what the token names, and does it", async () => {
  const gateway = await createTestGateway(["Four."]);
  const own = createHttpClient(gateway.address);
  const open = async (name: string, operations: string[]) => {
    const { token } = await own.call("tokens.add", { name, operations });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    return connect(new StreamableHTTPClientTransport(new URL(`${gateway.address.url}/mcp`), { requestInit }));
  };
  const limited = await open("reader", ["memory.search", "jobs.list"]);
  expect((await limited.listTools()).tools.map(({ name }) => name)).toEqual(["search_memory", "list_jobs"]);
  await expect(use(limited, "ask", { message: "hi" })).rejects.toThrow();
  const client = await open("all", all);
  expect((await client.listTools()).tools).toHaveLength(6);
  expect(await use(client, "ask", { message: "Two and two?" })).toEqual({ text: "Four.", isError: false });
  expect(await use(client, "remember", { fact: "Anna likes\n tea" })).toMatchObject({ isError: false });
  expect((await own.call("memory.read", { path: "memory/MEMORY.md" })).text).toContain("- Anna likes tea\n");
  expect(await use(client, "add_job", { text: "remind me tomorrow at 9 to call Anna" })).toMatchObject({
    isError: false,
  });
  expect((await use(client, "list_jobs")).text).toContain("call Anna");
  expect(await use(client, "add_job", { text: "hm" })).toMatchObject({ isError: true });
  const stranger = { channel: "telegram", chatId: "666", text: "hello" };
  expect(await use(client, "send_message", stranger)).toMatchObject({ isError: true });
  expect(await use(client, "search_memory", {})).toMatchObject({ isError: true });
});

it("lets nobody in without a token", async () => {
  const gateway = await createTestGateway([]);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = (headers: Record<string, string>) =>
    fetch(`${gateway.address.url}/mcp`, { method: "POST", headers, body });
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: "Bearer wrong" })).status).toBe(401);
  expect((await post({ origin: "https://bad.example" })).status).toBe(403);
});

it("serves a program on its standard streams", async () => {
  const { env } = await createProgramHome({});
  const [command = "", ...args] = nanobot("mcp", "serve");
  const client = await connect(
    new StdioClientTransport({ command, args, env: env as Record<string, string> }),
  );
  expect((await client.listTools()).tools).toHaveLength(6);
  expect(await use(client, "list_jobs")).toEqual({ text: "[]", isError: false });
});
