import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { createGzip, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { closeServer } from "../../../test/support/proxy-server.ts";
import { packagePath } from "../package-root.ts";
import { BlockedAddressError, createGuardedFetch, FetchError, type GuardOptions } from "./guarded-fetch.ts";

const open = new Set<Server>();
const signal = new AbortController().signal;

afterEach(async () => {
  await Promise.all([...open].map(closeServer));
  open.clear();
});

async function listen(server: Server, host: string, wanted = 0): Promise<number> {
  server.listen(wanted, host);
  await once(server, "listening");
  open.add(server);
  return (server.address() as AddressInfo).port;
}

interface Site {
  port: number;
  /** `GET /path` of each request, and its headers. */
  seen: string[];
  headers: IncomingMessage["headers"][];
  bodies: string[];
}

async function startSite(answer: RequestListener, host = "127.0.0.1", wanted = 0): Promise<Site> {
  const [seen, headers, bodies]: [string[], IncomingMessage["headers"][], string[]] = [[], [], []];
  const server = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    answer(request, response);
  });
  return { port: await listen(server, host, wanted), seen, headers, bodies };
}

/** Answers paths with where to go next; anything else with "here". */
function redirecting(targets: Record<string, string>, status = 302): RequestListener {
  return ({ url = "" }, response) => {
    const location = targets[url];
    if (location === undefined) response.end("here");
    else response.writeHead(status, { location }).end("moved");
  };
}

/** Every name is at home on 127.0.0.1, which may be reached; the rest of loopback may not. */
function createFetch(options: GuardOptions = {}) {
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  return createGuardedFetch({ allow: ["127.0.0.1"], resolve, ...options });
}

describe("a guarded request", () => {
  it("brings status, headers and bytes, and asks by the name that it was given", async () => {
    const site = await startSite((_, response) => {
      response.writeHead(404, { "x-kind": "page" }).end("早");
    });
    const url = `http://site.test:${site.port}/a?b=1`;
    const response = await createFetch()(url, { signal, headers: { "User-Agent": "nano" } });
    expect(response).toMatchObject({ status: 404, finalUrl: url, isTruncated: false });
    expect(response.bytes.toString()).toBe("早");
    expect(response.headers.get("x-kind")).toBe("page");
    expect(site.headers[0]).toMatchObject({ host: `site.test:${site.port}`, "user-agent": "nano" });
  });

  it("keeps the name of the server in a secure connection to the checked address", async () => {
    const read = (name: string) => readFileSync(packagePath("test/fixtures/tls", name), "utf8");
    const cert = read("model.test.cert.pem");
    const usual = getCACertificates();
    setDefaultCACertificates([...usual, cert]);
    const server = createTlsServer({ key: read("model.test.key.pem"), cert }, ({ socket }, response) => {
      response.end((socket as TLSSocket & { servername: string }).servername);
    });
    const port = await listen(server, "127.0.0.1");
    try {
      const { bytes } = await createFetch()(`https://model.test:${port}/`, { signal });
      expect(bytes.toString()).toBe("model.test");
      await expect(createFetch()(`https://other.test:${port}/`, { signal })).rejects.toThrow(
        /other\.test.*could not be fetched \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
      );
    } finally {
      setDefaultCACertificates(usual);
    }
  });

  it.each([
    ["a server that is not there", "http://site.test:<free>/?token=hidden", /ECONNREFUSED/],
    ["a name that nobody knows", "http://unknown.test/?token=hidden", /ENOTFOUND/],
  ])("says of %s what happened and what to do, but not the whole address", async (_, url, reason) => {
    const resolve = async (host: string) => {
      if (host === "unknown.test") throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const gone = createServer();
    const free = await listen(gone, "127.0.0.1");
    await closeServer(gone);
    const fetched = createFetch({ resolve })(url.replace("<free>", String(free)), { signal });
    const error = await fetched.catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(FetchError);
    expect(error).toMatchObject({ message: expect.stringMatching(reason) });
    expect(error).toMatchObject({ message: expect.stringContaining("try another one.") });
    expect(error).not.toMatchObject({ message: expect.stringContaining("hidden") });
  });

  it.each([
    ["breaks off", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")],
    ["speaks no HTTP", (socket: Socket) => socket.end("220 ready\r\n")],
    [
      "packs nonsense",
      (socket: Socket) =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
    ],
  ])("reports a server that %s as a failure of the world", async (_, answer) => {
    const server = createTcpServer((socket) =>
      socket.on("error", () => {}).once("data", () => answer(socket)),
    );
    const port = await listen(server as Server, "127.0.0.1");
    await expect(createFetch()(`http://site.test:${port}/`, { signal })).rejects.toBeInstanceOf(FetchError);
  });
});

describe("the checked address", () => {
  it("is the one that is connected to, even if the name means another one a moment later", async () => {
    const outside = await startSite((_, response) => response.end("public"));
    const inside = await startSite((_, response) => response.end("secret"), "127.0.0.2", outside.port);
    const answers = ["127.0.0.1", "127.0.0.2"];
    let asked = 0;
    const resolve = async () => [{ address: answers[Math.min(asked++, 1)] ?? "", family: 4 }];
    const fetch = createFetch({ resolve });
    const url = `http://rebinding.test:${outside.port}/`;
    expect((await fetch(url, { signal })).bytes.toString()).toBe("public");
    expect(asked).toBe(1);
    await expect(fetch(url, { signal })).rejects.toBeInstanceOf(BlockedAddressError);
    expect(asked).toBe(2);
    expect(inside.seen).toEqual([]);
  });

  it.each([
    ["a private address", (port: number) => `http://127.0.0.2:${port}/`],
    ["a private address in disguise", (port: number) => `http://[::ffff:7f00:2]:${port}/`],
    ["a name of a private address", (port: number) => `http://inside.test:${port}/`],
    ["this very machine", () => "//localhost/"],
    ["a file", () => "file:///etc/passwd"],
    ["someone's account", (port: number) => `http://ann:secret@127.0.0.1:${port}/`],
    ["the port of another service", () => "http://127.0.0.1:22/"],
  ])("is asked for again when a page leads to %s", async (_, toTarget) => {
    const inside = await startSite((_, response) => response.end("secret"), "127.0.0.2");
    const site = await startSite(redirecting({ "/": toTarget(inside.port) }));
    const resolve = async (host: string) => {
      const address = host === "site.test" ? "127.0.0.1" : "127.0.0.2";
      return [{ address, family: 4 }];
    };
    const outcome = createFetch({ resolve })(`http://site.test:${site.port}/`, { signal });
    await expect(outcome).rejects.toBeInstanceOf(BlockedAddressError);
    expect(inside.seen).toEqual([]);
    expect(site.seen).toEqual(["GET /"]);
  });

  it("may be private for the origin that the owner chose, and for no other", async () => {
    const other = await startSite((_, response) => response.end("secret"), "127.0.0.2");
    const own = await startSite(redirecting({ "/away": `http://127.0.0.2:${other.port}/` }), "127.0.0.3");
    const origin = `http://127.0.0.3:${own.port}`;
    const request = { signal, exemptOrigin: origin };
    expect((await createFetch()(`${origin}/`, request)).bytes.toString()).toBe("here");
    await expect(createFetch()(`${origin}/away`, request)).rejects.toThrow(/127\.0\.0\.2 is not public/);
    await expect(createFetch()(`${origin}/`, { signal })).rejects.toThrow(/tools\.ssrfWhitelist/);
  });
});

describe("a redirect", () => {
  it("is followed five times and no more", async () => {
    const steps = Object.fromEntries([1, 2, 3, 4, 5, 6].map((step) => [`/${step}`, `/${step + 1}`]));
    const site = await startSite(redirecting(steps));
    const base = `http://site.test:${site.port}`;
    const { finalUrl, bytes } = await createFetch()(`${base}/2`, { signal });
    expect([finalUrl, bytes.toString()]).toEqual([`${base}/7`, "here"]);
    await expect(createFetch()(`${base}/1`, { signal })).rejects.toBeInstanceOf(FetchError);
    expect(site.seen).toHaveLength(12);
  });

  it("in a circle comes to an end", async () => {
    const site = await startSite(redirecting({ "/a": "/b", "/b": "/a" }));
    await expect(createFetch()(`http://site.test:${site.port}/a`, { signal })).rejects.toThrow(/Try another/);
    expect(site.seen).toHaveLength(6);
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", "data"],
    [307, "POST", "POST", "data"],
    [308, "POST", "POST", "data"],
  ])("with %i makes of %s a %s", async (status, method, next, body) => {
    const site = await startSite(redirecting({ "/": "/next" }, status));
    const headers = { "content-type": "text/plain" };
    await createFetch()(`http://site.test:${site.port}/`, { signal, method, headers, body: "data" });
    expect(site.seen).toEqual([`${method} /`, `${next} /next`]);
    expect(site.bodies).toEqual(["data", body]);
    expect(site.headers[1]?.["content-type"]).toBe(body === "" ? undefined : "text/plain");
  });

  it("takes credentials along within an origin, never to another one, and not back again", async () => {
    const second = await startSite(({ url }, response) => {
      response.writeHead(302, { location: `http://site.test:${first.port}${url}back` }).end();
    });
    const first: Site = await startSite(
      redirecting({ "/": "/near", "/near": `http://site.test:${second.port}/` }),
    );
    const secrets = { Authorization: "Bearer k", Cookie: "c=1", "X-Subscription-Token": "k" };
    const headers = { ...secrets, Accept: "text/html", "User-Agent": "nano" };
    await createFetch()(`http://site.test:${first.port}/`, { signal, headers });
    const secretNames = Object.keys(secrets).map((name) => name.toLowerCase());
    const told = [first.headers[0], first.headers[1], second.headers[0], first.headers[2]].map(
      (sent = {}) => secretNames.filter((name) => name in sent).length,
    );
    expect(told).toEqual([3, 3, 0, 0]);
    expect(second.headers[0]).toMatchObject({ accept: "text/html", "user-agent": "nano" });
  });
});

describe("the body", () => {
  it("is taken up to the limit, and the connection is left", async () => {
    const left = Promise.withResolvers<void>();
    const site = await startSite((_, response) => {
      response.once("close", left.resolve);
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
      };
      response.on("drain", write);
      write();
    });
    const response = await createFetch()(`http://site.test:${site.port}/`, { signal, maxBytes: 25_000 });
    expect(response).toMatchObject({ isTruncated: true, bytes: Buffer.alloc(25_000, "x") });
    await left.promise;
  });

  it("is whole when it is exactly as long as the limit", async () => {
    const site = await startSite((_, response) => response.end("12345"));
    const response = await createFetch()(`http://site.test:${site.port}/`, { signal, maxBytes: 5 });
    expect(response).toMatchObject({ isTruncated: false, bytes: Buffer.from("12345") });
  });

  it("is counted after it was unpacked, twice if need be", async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(1_000);
    const site = await startSite((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(bomb);
    });
    const response = await createFetch()(`http://site.test:${site.port}/`, { signal, maxBytes: 100_000 });
    expect(response).toMatchObject({ isTruncated: true, bytes: Buffer.alloc(100_000) });
  });

  it("is left while it is still being unpacked", async () => {
    const left = Promise.withResolvers<void>();
    const site = await startSite((_, response) => {
      response.once("close", left.resolve);
      response.writeHead(200, { "content-encoding": "gzip" });
      const endless = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(100_000);
        })(),
      );
      pipeline(endless, createGzip(), response, () => {});
    });
    const response = await createFetch()(`http://site.test:${site.port}/`, { signal, maxBytes: 1_000_000 });
    expect(response).toMatchObject({ isTruncated: true, bytes: { length: 1_000_000 } });
    await left.promise;
  });

  it("may not be packed more often than anyone would", async () => {
    const site = await startSite((_, response) => {
      response.writeHead(200, { "content-encoding": Array(9).fill("gzip").join(", ") }).end("x");
    });
    const outcome = createFetch()(`http://site.test:${site.port}/`, { signal });
    await expect(outcome).rejects.toThrow(/too many content-encodings/);
  });

  it("that comes in drops, or not at all, has its time", async () => {
    const site = await startSite(({ url }, response) => {
      response.write("x");
      if (url === "/silent") return;
      const drip = setInterval(() => response.write("x"), 5);
      response.once("close", () => clearInterval(drip));
    });
    const base = `http://site.test:${site.port}`;
    const drops = createFetch()(`${base}/drops`, { signal, timeoutMs: 200, idleMs: 60_000 });
    await expect(drops).rejects.toThrow("The server was not done after 0.2 seconds.");
    const silence = createFetch()(`${base}/silent`, { signal, timeoutMs: 60_000, idleMs: 100 });
    await expect(silence).rejects.toThrow("The server sent nothing for 0.1 seconds.");
  });

  it.each(["/headers", "/body"])("is left alone with the reason of an abort, in %s", async (path) => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const site = await startSite(({ url }, response) => {
      response.once("close", left.resolve);
      if (url === "/body") response.write("x");
      arrived.resolve();
    });
    const controller = new AbortController();
    const reason = new Error("stop");
    const outcome = createFetch()(`http://site.test:${site.port}${path}`, { signal: controller.signal });
    outcome.catch(() => {});
    await arrived.promise;
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await left.promise;
  });

  it("is not asked for at all after an abort", async () => {
    const site = await startSite((_, response) => response.end());
    const reason = new Error("stop");
    const aborted = AbortSignal.abort(reason);
    const outcome = createFetch()(`http://site.test:${site.port}/`, { signal: aborted });
    await expect(outcome).rejects.toBe(reason);
    expect(site.seen).toEqual([]);
  });
});

describe("behind a proxy, which resolves names on its own", () => {
  const proxied = async (input: string | URL | Request) => new Response(`through the proxy to ${input}`);
  const fetch = createFetch({ proxyFor: (url) => (url.hostname === "direct.test" ? undefined : proxied) });

  it("a public name goes through it, and an excepted one past it", async () => {
    const site = await startSite((_, response) => response.end("past it"));
    const { bytes } = await fetch("http://example.com/x", { signal });
    expect(bytes.toString()).toBe("through the proxy to http://example.com/x");
    const direct = await fetch(`http://direct.test:${site.port}/`, { signal });
    expect(direct.bytes.toString()).toBe("past it");
  });

  it.each([
    "http://localhost/",
    "http://LOCALHOST./",
    "http://x.localhost/",
    "http://router/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://nas.lan/",
    "http://box.home.arpa/",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://0x7f.2/",
  ])("%s stays blocked", async (url) => {
    await expect(fetch(url, { signal })).rejects.toBeInstanceOf(BlockedAddressError);
  });

  it("the origin that the owner chose is exempt there, too", async () => {
    const { status } = await fetch("http://router/", { signal, exemptOrigin: "http://router" });
    expect(status).toBe(200);
  });
});
