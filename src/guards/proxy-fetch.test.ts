import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  closeServer,
  listen,
  startHttpProxy,
  startSocksProxy,
  type TestProxy,
} from "../../test/support/proxy-server.ts";
import { phrase } from "../i18n/phrase.ts";
import { BlockedAddressError, createGuardedFetch } from "../lib/network/guarded-fetch.ts";
import { packagePath } from "../lib/package-root.ts";
import { createFetch, createProxyFor, ProxyAddressError } from "./proxy-fetch.ts";

let plain: Server;
let secure: Server;
let plainPort: number;
let proxy: TestProxy;
let socks: TestProxy;
const usualCertificates = getCACertificates();

async function echo(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { "content-type": type, "x-test": header } = request.headers;
  return JSON.stringify({ method: request.method, url: request.url, type, header, body });
}

beforeAll(async () => {
  const read = (name: string) => readFileSync(packagePath("test/fixtures/tls", name), "utf8");
  const certificate = read("model.test.cert.pem");
  setDefaultCACertificates([...usualCertificates, certificate]);
  plain = createServer(async (request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: localUrl("/home") });
    response.end(await echo(request));
  });
  secure = createTlsServer(
    { key: read("model.test.key.pem"), cert: certificate },
    async (request, response) => response.end(await echo(request)),
  );
  plainPort = await listen(plain);
  const targets = { "model.test:80": plainPort, "model.test:443": await listen(secure) };
  proxy = await startHttpProxy(targets);
  socks = await startSocksProxy(targets);
});

afterAll(async () => {
  setDefaultCACertificates(usualCertificates);
  await Promise.all([proxy.close(), socks.close(), closeServer(plain), closeServer(secure)]);
});

beforeEach(() => {
  for (const list of [proxy.seen, proxy.credentials, socks.seen, socks.credentials]) list.length = 0;
});

function localUrl(path: string): string {
  return `http://127.0.0.1:${plainPort}${path}`;
}

function proxyUrl(credentials = ""): string {
  return `http://${credentials}127.0.0.1:${proxy.port}`;
}

const named = (setting: string) =>
  expect.objectContaining({ phrase: phrase("setup.bad-proxy", { setting }) });

describe("fetch through a proxy", () => {
  it("is the built-in fetch when no proxy is set", () => {
    expect(createFetch({ env: {} })).toBe(globalThis.fetch);
    expect(createFetch({ proxy: "", env: { HTTPS_PROXY: "", NO_PROXY: "*" } })).toBe(globalThis.fetch);
  });

  it("asks the proxy for a plain address by its full name, without a tunnel", async () => {
    const fetch = createFetch({ env: { HTTP_PROXY: proxyUrl() } });

    const response = await fetch("http://model.test/v1?x=1", { method: "POST", body: "hello" });

    expect(await response.json()).toMatchObject({ method: "POST", url: "/v1?x=1", body: "hello" });
    expect(proxy.seen).toEqual(["POST http://model.test/v1?x=1"]);
  });

  it("tunnels to a secure address and gives its credentials to the proxy alone", async () => {
    const fetch = createFetch({ proxy: proxyUrl("ann:p%40ss@"), env: {} });

    const response = await fetch("https://model.test/v1", { headers: { "x-test": "kept" } });

    expect(await response.json()).toMatchObject({ url: "/v1", header: "kept" });
    expect(proxy.seen).toEqual(["CONNECT model.test:443"]);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from("ann:p@ss").toString("base64")}`]);
  });

  it("goes through a SOCKS5 proxy", async () => {
    const fetch = createFetch({ env: { all_proxy: `socks5h://ann:p%40ss@127.0.0.1:${socks.port}` } });

    expect(await (await fetch("https://model.test/v1")).json()).toMatchObject({ url: "/v1" });
    expect(socks.seen).toEqual(["CONNECT model.test:443"]);
    expect(socks.credentials).toEqual(["ann:p@ss"]);
  });

  it.each([
    [{ HTTPS_PROXY: "here" }, "https://model.test/", true],
    [{ https_proxy: "here" }, "https://model.test/", true],
    [{ https_proxy: "here", HTTPS_PROXY: "nowhere" }, "https://model.test/", true],
    [{ ALL_PROXY: "here" }, "https://model.test/", true],
    [{ ALL_PROXY: "here" }, "http://model.test/", true],
    [{ ALL_PROXY: "nowhere", HTTPS_PROXY: "here" }, "https://model.test/", true],
    [{ HTTP_PROXY: "here" }, "https://model.test/", false],
    [{ HTTPS_PROXY: "here" }, "http://model.test/", false],
    [{ HTTPS_PROXY: "here", NO_PROXY: "other.test,.model.test" }, "https://model.test/", false],
    [{ HTTPS_PROXY: "here", no_proxy: "model.test:444" }, "https://model.test/", true],
  ])("with %j reaches %s through the proxy: %s", async (env, url, isProxied) => {
    const addresses: Record<string, string> = { here: proxyUrl(), nowhere: "http://127.0.0.1:9" };
    const entries = Object.entries(env).map(([name, value]) => [name, addresses[value] ?? value]);

    // Without the proxy nobody knows where model.test is.
    const outcome = await createFetch({ env: Object.fromEntries(entries) })(url).then(
      (response) => response.status,
      (error: Error) => error.message,
    );

    expect(outcome).toBe(isProxied ? 200 : "fetch failed");
    expect(proxy.seen.length > 0).toBe(isProxied);
  });

  it("lets the proxy of a host win over the environment and NO_PROXY", async () => {
    const fetch = createFetch({
      proxy: proxyUrl(),
      env: { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "*" },
    });

    expect((await fetch("https://model.test/")).status).toBe(200);
  });

  it("never sends a loopback address through the proxy, not even after a redirect", async () => {
    const fetch = createFetch({ proxy: proxyUrl(), env: {} });

    expect(await (await fetch(localUrl("/direct"))).json()).toMatchObject({ url: "/direct" });
    expect(proxy.seen).toEqual([]);

    expect(await (await fetch("http://model.test/away")).json()).toMatchObject({ url: "/home" });
    expect(proxy.seen).toEqual(["GET http://model.test/away"]);
  });

  it("takes a Request and a form as the built-in fetch does", async () => {
    const fetch = createFetch({ proxy: proxyUrl(), env: {} });
    const form = new FormData();
    form.set("field", "value");

    const request = new Request("http://model.test/r", {
      method: "PUT",
      body: "b",
      headers: { "x-test": "h" },
    });
    expect(await (await fetch(request)).json()).toMatchObject({ method: "PUT", body: "b", header: "h" });
    expect(await (await fetch("http://model.test/f", { method: "POST", body: form })).json()).toMatchObject({
      type: expect.stringContaining("multipart/form-data; boundary="),
      body: expect.stringContaining('name="field"'),
    });
  });

  it("throws the caller's reason when it is aborted", async () => {
    const fetch = createFetch({ proxy: proxyUrl(), env: {} });
    const reason = new Error("enough");

    await expect(fetch("http://model.test/", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("tells of a proxy that refuses without showing its password", async () => {
    const fetch = createFetch({ proxy: proxyUrl("ann:very-secret@"), env: {} });

    const error = await fetch("https://unknown.test/").catch((thrown) => thrown);

    expect(error.cause).toMatchObject({ name: "ProxyRefusalError", status: 502 });
    expect(
      JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error.cause.stack),
    ).not.toContain("very-secret");
  });

  it.each(["ftp://host:1", "http://", "http://host:99999", "http://u:%zz@host", "://", "a b c"])(
    "refuses the address %j at once, by the name of its setting",
    (address) => {
      expect(() => createFetch({ env: { HTTPS_PROXY: address } })).toThrow(ProxyAddressError);
      expect(() => createFetch({ env: { https_proxy: address } })).toThrow(named("HTTPS_PROXY"));
      expect(() => createFetch({ proxy: address, env: {} })).toThrow(named("proxy"));
    },
  );

  it("does not repeat a refused address, which may hold a password", () => {
    expect(() => createFetch({ proxy: "ftp://ann:very-secret@host", env: {} })).not.toThrow("very-secret");
  });

  it("takes an address without a scheme for an HTTP proxy", async () => {
    const fetch = createFetch({ proxy: `localhost:${proxy.port}`, env: {} });

    expect((await fetch("http://model.test/")).status).toBe(200);
  });
});

describe("a guarded fetch behind a proxy", () => {
  const signal = new AbortController().signal;

  it("reaches a public name through it, at every hop", async () => {
    const guardedFetch = createGuardedFetch({ proxyFor: createProxyFor({ proxy: proxyUrl(), env: {} }) });

    const { status, bytes } = await guardedFetch("https://model.test/v1", { signal });
    expect([status, JSON.parse(bytes.toString())]).toMatchObject([200, { url: "/v1" }]);
    expect(proxy.seen).toEqual(["CONNECT model.test:443"]);

    const onward = guardedFetch("http://model.test/away", { signal });
    await expect(onward).rejects.toBeInstanceOf(BlockedAddressError);
    expect(proxy.seen).toEqual(["CONNECT model.test:443", "GET http://model.test/away"]);
  });

  it.each(["http://router/", "http://10.0.0.1/", `http://127.0.0.1/`])(
    "never asks it for %s",
    async (url) => {
      const guardedFetch = createGuardedFetch({
        proxyFor: createProxyFor({ env: { ALL_PROXY: proxyUrl() } }),
      });

      await expect(guardedFetch(url, { signal })).rejects.toBeInstanceOf(BlockedAddressError);
      expect(proxy.seen).toEqual([]);
    },
  );

  it("names the setting of an address that is no proxy's", () => {
    const options = { proxy: "ftp://host", setting: "tools.web.proxy", env: {} };
    expect(() => createProxyFor(options)).toThrow(named("tools.web.proxy"));
  });
});
