import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { startWireServer } from "../../../test/support/wire-server.ts";
import type { ByteReader } from "../../llm/hosts/host.ts";
import { createWireFetch, directFetch } from "./direct-fetch.ts";

const closing: Array<() => void> = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const never = new AbortController().signal;

function toInit(body: string, signal: AbortSignal = never) {
  return { headers: { "x-a": "b" }, body, signal };
}

async function readAll(reader: ByteReader | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read())
    chunks.push(next.value);
  return Buffer.concat(chunks).toString("utf8");
}

/** Says what it was asked, by whom, and on which connection. */
async function startEcho(): Promise<string> {
  const server = createServer(async (request, response) => {
    const said = Buffer.concat(await request.toArray()).toString("utf8");
    response.writeHead(307, { location: "http://elsewhere.example/" });
    response.end(`${request.socket.remotePort} ${request.headers["x-a"]} ${said}`);
  });
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

describe("asking a host directly", () => {
  it("sends the body as it is, follows no redirect, and uses a connection again", async () => {
    const url = await startEcho();
    const ports: Array<string | undefined> = [];
    for (const said of ["hello", "你好 😀"]) {
      const response = await directFetch(url, toInit(said));
      expect([response.status, response.ok, response.headers.get("Location")]).toEqual([
        307,
        false,
        "http://elsewhere.example/",
      ]);
      const [port, header, ...rest] = (await readAll(response.body?.getReader())).split(" ");
      expect([header, rest.join(" ")]).toEqual(["b", said]);
      ports.push(port);
    }
    expect(ports[0]).toBe(ports[1]);
  });

  it("lets the connection go when it is called off before an answer and in the middle of one", async () => {
    await using silent = await startWireServer({ chunks: "data: a\n\n", end: "hold" });
    const stop = new AbortController();
    const response = await directFetch(silent.url, toInit("{}", stop.signal));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const waiting = reader?.read();
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow();
    await silent.requests[0]?.closed;
    await expect(directFetch(silent.url, toInit("{}", stop.signal))).rejects.toThrow("stopped");
  });

  it("ends a read that waits when it is cancelled", async () => {
    await using silent = await startWireServer({ chunks: "", end: "hold" });
    const response = await directFetch(silent.url, toInit("{}"));
    const reader = response.body?.getReader();
    const waiting = reader?.read();
    await reader?.cancel();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("goes through no proxy for an address on this machine", async () => {
    const url = await startEcho();
    const fetch = createWireFetch({ env: { HTTP_PROXY: "http://127.0.0.1:9" } });
    expect((await fetch(url, toInit("x"))).status).toBe(307);
  });
});

describe("a reply that was compressed unasked", () => {
  const text = 'data: {"a":"你好"}\n\n'.repeat(500);
  it.each<[encoding: string, encode: (bytes: Buffer) => Buffer]>([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["zstd", zstdCompressSync],
    ["gzip, br", (bytes) => brotliCompressSync(gzipSync(bytes))],
  ])("with %s is read all the same, whole or refused", async (encoding, encode) => {
    const reply = { headers: { "content-encoding": encoding }, chunks: encode(Buffer.from(text)) };
    await using server = await startWireServer(reply, { ...reply, status: 400 });
    for (const status of [200, 400]) {
      const response = await directFetch(server.url, toInit("{}"));
      expect(response.status).toBe(status);
      expect(await readAll(response.body?.getReader())).toBe(text);
    }
  });
});
