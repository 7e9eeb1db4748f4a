import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sentence } from "../../../test/support/english.ts";
import { startHttpProxy } from "../../../test/support/proxy-server.ts";
import { closeTestApps, createTestApp } from "../../../test/support/test-app.ts";
import { startWebSite, type WebSite } from "../../../test/support/web-site.ts";
import { phrase } from "../../i18n/phrase.ts";

let site: WebSite;

beforeAll(async () => {
  site = await startWebSite({
    "/page": { type: "text/plain", body: `早 ${"word ".repeat(5_000)}` },
    "/search": { type: "application/json", body: '{"results":[{"title":"T","url":"https://example.com/"}]}' },
  });
});

afterAll(() => site.close());
afterEach(closeTestApps);

type Args = Record<string, string>;

/** What the model reads as the result of its one call. */
async function callTool(name: string, args: Args, config: object, env = {}): Promise<string> {
  const app = await createTestApp([{ toolCalls: [{ name, arguments: args }] }, "Done."], {
    config,
    env: { PATH: process.env.PATH, ...env },
  });
  await app.loop.processDirect({ sessionKey: "cli:direct", text: `Read ${site.url}/page` });
  const message = app.provider.requests.at(-1)?.messages.findLast(({ role }) => role === "tool");
  return String(message?.content);
}

it("the assistant reads public addresses only, and those that the owner allows", async () => {
  const url = `${site.url}/page`;
  expect(await callTool("web_fetch", { url }, {})).toMatch(/127\.0\.0\.1 is not public \(loopback\)/);
  expect(site.requests).toEqual([]);
  const allowed = await callTool("web_fetch", { url }, { tools: { ssrfWhitelist: ["127.0.0.0/8"] } });
  expect(allowed).toMatch(/^\[Page .*\]\n早 word/);
});

it("a part of a page fits into what a tool may say", async () => {
  const config = {
    tools: { ssrfWhitelist: ["127.0.0.1"] },
    agents: { defaults: { maxToolResultChars: 5_000 } },
  };
  const text = await callTool("web_fetch", { url: `${site.url}/page` }, config);
  expect(text).toMatch(/\(Characters 0-\d+ of \d+\. Use offset=\d+ to continue\.\)$/);
  expect(text.length).toBeLessThanOrEqual(5_000);
});

it("the search service is the one of the config, with the key of the environment", async () => {
  site.requests.length = 0;
  const search = { provider: "tavily", baseUrl: site.url };
  const env = { TAVILY_API_KEY: "k-env" };
  expect(await callTool("web_search", { query: "x" }, { tools: { web: { search } } }, env)).toContain(
    "1. T\n",
  );
  expect(site.requests[0]?.headers.authorization).toBe("Bearer k-env");
  const without = await callTool("web_search", { query: "x" }, { tools: { web: { search } } });
  expect(without).toMatch(/Tavily needs a key: .*TAVILY_API_KEY/);
});

it("the proxy of the config is used, and one that is none is named", async () => {
  const proxy = await startHttpProxy({ "site.test:80": Number(new URL(site.url).port) });
  const web = { proxy: `http://127.0.0.1:${proxy.port}` };
  expect(await callTool("web_fetch", { url: "http://site.test/page" }, { tools: { web } })).toContain("早");
  expect(proxy.seen).toEqual(["GET http://site.test/page"]);
  await proxy.close();
  const broken = { tools: { web: { proxy: "ftp://ann:secret@host" } } };
  const text = await callTool("web_fetch", { url: "http://site.test/page" }, broken);
  expect(text).toMatch(/tools\.web\.proxy is not a usable proxy address/);
  expect(text).not.toContain("secret");
});

it("what a search has shown is fetched without a question, what the model made up from it is not", async () => {
  const found = `${site.url}/page?id=1`;
  site.pages["/search"] = {
    type: "application/json",
    body: JSON.stringify({ results: [{ title: "T", url: found }] }),
  };
  const urls = [found, `${site.url}/page?id=secret`];
  const search = { provider: "searxng", baseUrl: site.url };
  const config = { tools: { ssrfWhitelist: ["127.0.0.1"], web: { search } } };
  const script = [
    { toolCalls: [{ name: "web_search", arguments: { query: "x" } }] },
    ...urls.map((url) => ({ toolCalls: [{ name: "web_fetch", arguments: { url } }] })),
    "Done.",
  ];
  const app = await createTestApp(script, { config });
  site.requests.length = 0;
  await app.loop.processDirect({ sessionKey: "cli:direct", text: "Look for x" });
  expect(site.requests.map(({ url }) => url)).toEqual(["/search?q=x&format=json", "/page?id=1"]);
});

it("without the web there are no web tools", async () => {
  const app = await createTestApp(["Hi."], { config: { tools: { web: { enable: false } } } });
  await app.loop.processDirect({ sessionKey: "cli:direct", text: "Hi" });
  const names = app.provider.requests[0]?.tools?.map(({ name }) => name) ?? [];
  expect(names).toContain("read_file");
  expect(names.filter((name) => name.startsWith("web_"))).toEqual([]);
});

it.each(["localhost", "10.0.0.0/40", "*"])(
  "the network %j is refused by the place of its key",
  async (network) => {
    const config = { tools: { ssrfWhitelist: [network] } };
    await expect(createTestApp(["Hi."], { config })).rejects.toThrow(
      sentence("config.at", { path: "tools.ssrfWhitelist[0]", reason: phrase("config.bad-network") }),
    );
  },
);
