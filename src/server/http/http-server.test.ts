import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { anything, like } from "../../../test/support/english.ts";
import { createWords } from "../../i18n/words.ts";
import { ApiError } from "./api-error.ts";
import { AddressError, type HttpServer, type HttpServerOptions, startHttpServer } from "./http-server.ts";
import { readBody } from "./routes.ts";

const opened: HttpServer[] = [];
const words = createWords("english").gateway.address;

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

interface Scene {
  url: string;
  port: number;
  errors: unknown[];
}

async function open(options: Partial<HttpServerOptions> = {}): Promise<Scene> {
  const errors: unknown[] = [];
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words,
    onError: (error) => errors.push(error),
    addRoutes(app) {
      app.get("/page", (context) => context.html("<p>page</p>"));
      app.get("/own", (context) => {
        context.headers["content-security-policy"] = "default-src 'self'";
        return context.html("own");
      });
      app.post("/echo", async (context) => context.html(await readBody(context.incoming, 100)));
      app.get("/broken", () => {
        throw new Error("secret detail");
      });
      app.get("/unsendable", (context) => {
        context.headers["x-name"] = "名";
        return context.html("");
      });
      app.get("/refused", () => {
        throw new ApiError("Not today.", { status: 400, param: "day", code: "closed" });
      });
    },
    ...options,
  });
  opened.push(server);
  return { url: server.url, port: Number(new URL(server.url).port), errors };
}

/** All that comes back on a connection of its own, until it is closed from the other side. */
async function exchange(port: number, ...pieces: string[]): Promise<string> {
  const socket = await dial(port);
  for (const piece of pieces) socket.write(piece);
  return readToEnd(socket);
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  await once(socket, "close");
  return text;
}

describe("an answer", () => {
  test("carries what keeps browsers from doing harm, unless its route knows better", async () => {
    const { url } = await open();
    const { headers } = await fetch(`${url}/page`);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    const own = await fetch(`${url}/own`);
    expect(own.headers.get("content-security-policy")).toBe("default-src 'self'");
  });

  test("to a page of another site, an unknown path and a failure carries it too", async () => {
    const { url } = await open();
    const answers = [
      await fetch(`${url}/page`, { headers: { origin: "https://evil.example" } }),
      await fetch(`${url}/nothing`),
      await fetch(`${url}/broken`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 500]);
    for (const { headers } of answers) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("to a failure says nothing of what is inside; the log hears it", async () => {
    const { url, errors } = await open();
    const body = await (await fetch(`${url}/broken`)).text();
    expect(JSON.parse(body).error).toMatchObject({ type: "server_error", code: "internal_error" });
    expect(body).not.toContain("secret detail");
    expect(errors).toEqual([new Error("secret detail")]);
    const refused = await fetch(`${url}/refused`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: { message: "Not today.", type: "invalid_request_error", param: "day", code: "closed" },
    });
    expect(errors).toHaveLength(1);
  });
});

describe("names and pages", () => {
  test("a name that was made to lead here is refused, whatever it asks for", async () => {
    const { port } = await open();
    const answer = await exchange(
      port,
      "GET /page HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).not.toContain("<p>page</p>");
  });

  test("the address in the first line does not replace the name", async () => {
    const { port } = await open();
    const line = `GET http://127.0.0.1:${port}/page HTTP/1.1`;
    const answer = await exchange(port, `${line}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("a question before a request from elsewhere gets no permission", async () => {
    const { url } = await open();
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const response = await fetch(`${url}/echo`, { method: "OPTIONS", headers });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("odd requests", () => {
  test("HEAD is answered without a body, an unknown method with nothing", async () => {
    const { url, port } = await open();
    const head = await fetch(`${url}/page`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${url}/page`, { method: "DELETE" })).status).toBe(404);
    const own = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(port, `TRACE /page HTTP/1.1\r\nCookie: a=b\r\n${own}`)).not.toContain("a=b");
    expect(await exchange(port, `BREW /page HTTP/1.1\r\n${own}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/page/../../etc/passwd",
    "/%2e%2e/page%00",
    "//evil.example/page",
    "/%ff%fe",
  ])("the path %s leads nowhere", async (path) => {
    const { port } = await open();
    const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 40[04] /);
  });

  test.each([
    ["no name", "GET /page HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["nonsense", "hello\r\n\r\n"],
    [
      "two lengths",
      "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    ],
    [
      "a length together with chunks",
      "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["an endless head", `GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
  ])("%s is refused, and the connection closed", async (_name, text) => {
    const { port } = await open();
    expect(await exchange(port, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test("a body is read up to its limit and no further", async () => {
    const { url, errors } = await open();
    const post = (body: string) => fetch(`${url}/echo`, { method: "POST", body });
    expect(await (await post("x".repeat(100))).text()).toBe("x".repeat(100));
    const response = await post("x".repeat(101));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: "body_too_large" } });
    expect(errors).toEqual([]);
  });

  test("an answer with a head that cannot be sent is a failure of ours, and the server goes on", async () => {
    const { url, errors } = await open();
    expect((await fetch(`${url}/unsendable`)).status).toBe(500);
    expect(errors).toHaveLength(1);
    expect((await fetch(`${url}/page`)).status).toBe(200);
  });

  test("a body that no route has read leaves the connection to the next request", async () => {
    const { port } = await open();
    const head = `Host: 127.0.0.1:${port}\r\n`;
    const first = `POST /nothing HTTP/1.1\r\n${head}Content-Length: 4\r\n\r\nhalf`;
    const answer = await exchange(port, first, `GET /page HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 .*HTTP\/1\.1 200 .*<p>page<\/p>$/s);
  });

  test("a client that leaves in the middle of a body is no failure", async () => {
    const { port, url, errors } = await open();
    const socket = await dial(port);
    socket.write(`POST /echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 50\r\n\r\nhalf`);
    socket.destroy();
    await once(socket, "close");
    expect((await fetch(`${url}/page`)).status).toBe(200);
    expect(errors).toEqual([]);
  });
});

describe("who dawdles", () => {
  const limits = { headersMs: 100, requestMs: 200, checkMs: 20 };

  test("with the head of a request is sent away", async () => {
    const { port } = await open({ limits });
    const socket = await dial(port);
    socket.write("GET /page HTTP/1.1\r\nHost: 127.0");
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("with the body of a request is sent away", async () => {
    const { port } = await open({ limits });
    const socket = await dial(port);
    socket.write(`POST /echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 50\r\n\r\nhalf`);
    await readToEnd(socket);
    expect(socket.destroyed).toBe(true);
  });

  test("of many silent ones keeps nobody else out: the oldest are closed", async () => {
    const { port, url } = await open({ limits: { connections: 8, idle: 4 } });
    const ended: Array<Promise<string>> = [];
    for (let count = 0; count < 24; count++) ended.push(readToEnd(await dial(port)));
    expect((await fetch(`${url}/page`)).status).toBe(200);
    expect(await ended[0]).toBe("");
  });

  test("beyond the limit of open connections is refused", async () => {
    const { port, url } = await open({ limits: { connections: 1 } });
    const first = await dial(port);
    const second = connect(port, "127.0.0.1");
    expect(await readToEnd(second)).toBe("");
    first.destroy();
    // The server notices it a moment later.
    const visit = () => fetch(`${url}/page`).then(({ status }) => status, String);
    await expect.poll(visit).toBe(200);
  });
});

describe("an address", () => {
  const options = { host: "127.0.0.1", port: 0, hasKey: false, words, onError() {}, addRoutes() {} };

  test.each(["0.0.0.0", "::", "192.0.2.1"])("that others reach, %s, needs a key", async (host) => {
    const starting = startHttpServer({ ...options, host });
    await expect(starting).rejects.toThrow(AddressError);
    await expect(starting).rejects.toThrow(like(words.open(anything)));
  });

  test("that others reach is served with a key", async () => {
    const server = await startHttpServer({ ...options, host: "0.0.0.0", hasKey: true });
    opened.push(server);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("that is taken, or nobody's, is told with what to do", async () => {
    const { port } = await open();
    await expect(startHttpServer({ ...options, port })).rejects.toThrow(words.taken(port));
    const foreign = startHttpServer({ ...options, host: "192.0.2.1", hasKey: true });
    await expect(foreign).rejects.toThrow(like(words.unusable(anything, anything, anything)));
  });

  test.each(["bot.example.com", "javascript:alert(1)", ""])(
    "of the public, %j, must be one",
    async (publicUrl) => {
      await expect(startHttpServer({ ...options, publicUrl })).rejects.toThrow(
        like(words.notPublic(anything)),
      );
    },
  );
});

test("the server ends although a client keeps a connection open", async () => {
  const { port } = await open({
    addRoutes(app) {
      app.get("/slow", () => new Promise<undefined>(() => {}));
    },
  });
  const socket = await dial(port);
  socket.write(`GET /slow HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const closed = readToEnd(socket);
  for (const server of opened.splice(0)) await server.close();
  expect(await closed).toBe("");
});

test("the program's own Request and Response stay what they are", async () => {
  const before = [globalThis.Request, globalThis.Response];
  const { url } = await open();
  await fetch(`${url}/page`);
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
