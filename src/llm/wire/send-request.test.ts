import { describe, expect, it } from "vitest";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { directFetch } from "../../agent/models/direct-fetch.ts";
import { ProviderFailure } from "../errors/provider-error.ts";
import type { Connection } from "../hosts/host.ts";
import { sendRequest } from "./wire-provider.ts";

const never = new AbortController().signal;

function connect(baseUrl: string, more: Partial<Connection> = {}): Connection {
  const host: Connection["host"] = {
    name: "example",
    label: "Example",
    protocol: "openai-chat",
    kind: "vendor",
    keyVariables: [],
    keywords: [],
    quirks: { headers: { "x-title": "nanobot" } },
  };
  return { host, baseUrl, fetch: directFetch, ...more };
}

async function failureOf(promise: Promise<unknown>): Promise<ProviderFailure> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ProviderFailure)) throw new Error("expected a ProviderFailure", { cause: thrown });
  return thrown;
}

describe("sending a request", () => {
  it("joins base, path and query and merges headers and body", async () => {
    await using server = await startWireServer({ chunks: "data: 1\n\n" });
    const connection = connect(`${server.url}/v1/`, {
      extraHeaders: { authorization: "mine" },
      extraQuery: { "api-version": "2026" },
      extraBody: { seed: 1, model: "b" },
    });
    await sendRequest(
      connection,
      { path: "/chat", headers: { authorization: "x" }, body: { model: "a" } },
      never,
    );
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      url: "/v1/chat?api-version=2026",
      json: { model: "b", seed: 1 },
      headers: { authorization: "mine", "x-title": "nanobot", "content-type": "application/json" },
    });
  });

  it("takes a base that already ends with the path", async () => {
    await using server = await startWireServer({});
    await sendRequest(connect(`${server.url}/v1/chat?a=1`), { path: "/chat", headers: {}, body: {} }, never);
    expect(server.requests[0]?.url).toBe("/v1/chat?a=1");
  });

  it("replaces lone surrogates anywhere in the body, and nothing else", async () => {
    await using server = await startWireServer({});
    const body = { text: "a\ud83d", list: [{ pair: "😀", written: "\\ud83d" }] };
    await sendRequest(connect(server.url), { path: "/x", headers: {}, body }, never);
    expect(server.requests[0]?.json).toEqual({ text: "a\ufffd", list: [{ pair: "😀", written: "\\ud83d" }] });
  });

  it("follows no redirect", async () => {
    await using elsewhere = await startWireServer({});
    const headers = { location: `${elsewhere.url}/v2` };
    await using server = await startWireServer({ status: 307, headers });
    const request = { path: "/x", headers: { "x-api-key": "secret-key-value" }, body: {} };
    const { error } = await failureOf(sendRequest(connect(server.url), request, never));
    expect(error.detail).toContain(`it redirects to ${elsewhere.url}/v2`);
    expect(elsewhere.requests).toEqual([]);
  });

  it("classifies a refusal, with the time to wait and without the key that a proxy echoes", async () => {
    await using server = await startWireServer({
      status: 429,
      headers: { "retry-after": "3" },
      chunks: '{"error":{"message":"slow down, my-very-own-key"}}',
    });
    const connection = connect(server.url, { apiKey: "my-very-own-key" });
    const { error } = await failureOf(sendRequest(connection, { path: "/x", headers: {}, body: {} }, never));
    expect(error).toMatchObject({ kind: "rate-limit", status: 429, retryAfterMs: 3000, host: "Example" });
    expect(error.detail).toContain("slow down, <secret withheld>");
  });

  it("reads no more than the head of an endless error", async () => {
    await using server = await startWireServer({ status: 500, chunks: "x".repeat(100_000), end: "hold" });
    const { error } = await failureOf(
      sendRequest(connect(server.url), { path: "/", headers: {}, body: {} }, never),
    );
    expect(error.kind).toBe("server");
    await server.requests[0]?.closed;
  });
});
