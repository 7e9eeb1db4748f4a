import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createWords } from "../../i18n/words.ts";
import { startHttpServer } from "../http/http-server.ts";
import { openWebFiles } from "./web-files.ts";

const page = "<!doctype html><title>nanobot</title>";
const script = "export const answer = 42;";

async function open(): Promise<{ url: string; port: number }> {
  const outside = await createTemporaryFolder();
  const folder = join(outside, "web");
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret");
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, ".hidden.txt"), "secret");
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, "assets", "main-abc123.js"), script);
  await writeFile(join(folder, "assets", "main-abc123.js.gz"), gzipSync(script));
  const files = await openWebFiles(folder);
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words: createWords("english").gateway.address,
    onError(error) {
      throw error;
    },
    addRoutes: (app) => files?.addTo(app),
  });
  onTestFinished(() => server.close());
  return { url: server.url, port: Number(new URL(server.url).port) };
}

test("the application is one page, which may load nothing from elsewhere", async () => {
  const { url } = await open();
  for (const path of ["/", "/index.html"]) {
    const response = await fetch(url + path);
    expect([response.status, await response.text()]).toEqual([200, page]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self';.*connect-src 'self';.*frame-ancestors 'none'$/,
    );
  }
});

test("what is named by its content is kept for ever, the rest is asked for again", async () => {
  const { url } = await open();
  const asset = await fetch(`${url}/assets/main-abc123.js`, { headers: { "accept-encoding": "identity" } });
  expect(await asset.text()).toBe(script);
  expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const icon = await fetch(`${url}/icon.svg`);
  expect(icon.headers.get("cache-control")).toBe("no-cache");
  const etag = icon.headers.get("etag") ?? "";
  const again = await fetch(`${url}/icon.svg`, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("compressed files are sent to clients that accept them", async () => {
  const { port } = await open();
  const answer = await new Promise<{ encoding?: string; body: Buffer }>((resolve) => {
    const headers = { "accept-encoding": "gzip, br" };
    const asked = request(
      { port, host: "127.0.0.1", path: "/assets/main-abc123.js", headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const encoding = response.headers["content-encoding"];
          resolve({ ...(encoding && { encoding }), body: Buffer.concat(chunks) });
        });
      },
    );
    asked.end();
  });
  expect(answer.encoding).toBe("gzip");
  expect(gunzipSync(answer.body).toString()).toBe(script);
});

test.each([
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/assets/../../secret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/assets%2f..%2f..%2fsecret.txt",
  "/..\\secret.txt",
  "/.hidden.txt",
  "/assets/missing.js",
  "/assets/main-abc123.js.gz",
  "/assets/",
  "/missing.txt",
  "/icon.svg/",
  "/api/nothing",
  "/v1/nothing",
  "/control/nothing",
])("nothing else can be read: %s", async (path) => {
  const { port } = await open();
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    // As it is written: fetch would tidy it up.
    request({ port, host: "127.0.0.1", path }, (response) => {
      let body = "";
      response.on("data", (chunk) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: body }));
    }).end();
  });
  expect(text).not.toContain("secret");
  expect(status).toBeGreaterThanOrEqual(400);
});

test("where nothing was built there is no page", async () => {
  expect(await openWebFiles(await createTemporaryFolder())).toBeUndefined();
});
