import { expect, it } from "vitest";
import { startFakeModel } from "../../../test/support/fake-model.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { createCustomHost, findHost } from "../../llm/hosts/hosts.ts";
import { listHostModels } from "./host-models.ts";

const { signal } = new AbortController();

async function list(body: unknown, hostName?: string) {
  const json = { headers: { "content-type": "application/json" } };
  await using server = await startWireServer({ ...json, chunks: JSON.stringify(body) });
  const host = (hostName && findHost(hostName)) || createCustomHost("mine");
  const access = { baseUrl: server.url, apiKey: "k" };
  const answer = await listHostModels({ host, access }, { env: {}, signal });
  return { answer, request: server.requests[0] };
}

it("lists models for conversations, the usual one first, then the newest, with windows where they are told", async () => {
  const { answer, request } = await list(
    {
      data: [
        { id: "text-embedding-3-small", created: 9 },
        { id: "gpt-4o", created: 1 },
        { id: "gpt-5.6-terra", created: 2, context_length: 400_000 },
        { id: "gpt-6", created: 3, context_length: 12 },
        { id: 7 },
        null,
      ],
    },
    "openai",
  );
  expect(answer).toEqual({
    ok: true,
    models: [{ id: "gpt-5.6-terra", window: 400_000 }, { id: "gpt-6" }, { id: "gpt-4o" }],
  });
  expect(request).toMatchObject({ url: "/models", headers: { authorization: "Bearer k" } });
});

it("tells the longest answer and the price where the host does", async () => {
  const pricing = { prompt: "0.000003", completion: "0.000015" };
  const top_provider = { context_length: 200_000, max_completion_tokens: 64_000 };
  const { answer } = await list({ data: [{ id: "a/b", context_length: 1_000_000, pricing, top_provider }] });
  const model = { id: "a/b", window: 200_000, answer: 64_000, price: { input: 3, output: 15 } };
  expect(answer).toEqual({ ok: true, models: [model] });
});

it("asks Ollama with which window it has loaded a model", async () => {
  const json = { headers: { "content-type": "application/json" } };
  await using server = await startWireServer(
    { ...json, chunks: JSON.stringify({ data: [{ id: "llama3.2:latest" }, { id: "qwen3:8b" }] }) },
    { ...json, chunks: JSON.stringify({ models: [{ model: "qwen3:8b", context_length: 4096 }] }) },
  );
  const host = findHost("ollama");
  if (host === undefined) throw new Error("no row");
  const access = { baseUrl: `${server.url}/v1` };
  const answer = await listHostModels({ host, access }, { env: {}, signal });
  expect(answer).toEqual({ ok: true, models: [{ id: "llama3.2:latest" }, { id: "qwen3:8b", window: 4096 }] });
  expect(server.requests.map(({ url }) => url)).toEqual(["/v1/models", "/api/ps"]);
});

it("asks Anthropic as Anthropic is asked", async () => {
  const { answer, request } = await list({ data: [{ id: "claude-opus-9" }] }, "anthropic");
  expect(answer).toEqual({ ok: true, models: [{ id: "claude-opus-9" }] });
  expect(request).toMatchObject({ url: "/v1/models?limit=1000", headers: { "x-api-key": "k" } });
});

it("says why there is none, without the key", async () => {
  await using server = await startWireServer({
    status: 401,
    chunks: '{"error":{"message":"bad key sk-12345678"}}',
  });
  const access = { baseUrl: server.url, apiKey: "sk-12345678" };
  const answer = await listHostModels({ host: createCustomHost("mine"), access }, { env: {}, signal });
  expect(answer).toMatchObject({ ok: false, problem: { code: "model.authentication" } });
  expect(JSON.stringify(answer)).not.toContain("sk-12345678");
});

it("is an operation: of a host that is named, and of the one that answers now", async () => {
  const model = await startFakeModel(
    () => ({ text: "ok" }),
    [{ id: "small" }, { id: "large", max_model_len: 8192 }],
  );
  const gateway = await createTestGateway([], { config: {} });
  const { client } = gateway;
  const models = [{ id: "small" }, { id: "large", window: 8192 }];
  const mine = { host: "mine", apiBase: model.url, apiKey: "key-1" };
  expect(await client.call("models.list", mine)).toEqual({ host: "mine", label: "mine", models });
  await client.call("models.use", { ...mine, model: "small" });
  expect(await client.call("models.list", {})).toMatchObject({ host: "mine", models });
  expect(await client.call("models.list", { host: "anthropic" })).toMatchObject({
    label: "Anthropic",
    models: [],
    problem: { code: expect.any(String) },
  });
  await closeTestGateways();
});
