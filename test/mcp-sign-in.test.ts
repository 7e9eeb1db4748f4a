// Signing in to MCP servers: by operations of a gateway and its callback, kept for the next process, renewed once, with more
// rights when they are needed, and what a hostile server or authorization server cannot do with it.
import { createHash } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, test } from "vitest";
import { createHttpClient } from "../src/api/client.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createSignInSupport } from "../src/mcp/oauth/sign-in-support.ts";
import { resolveHome } from "../src/storage/home.ts";
import { openServers } from "./support/mcp-servers.ts";
import { type OAuthOptions, type OAuthServer, startOAuthServer } from "./support/oauth-server.ts";
import { runTool, runToolText } from "./support/run-tool.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

const redirectUrl = "http://127.0.0.1:1/callback";

async function open(options: OAuthOptions = {}, more: Record<string, unknown> = {}) {
  const server = await startOAuthServer(options);
  const config = { tools: { mcpServers: { web: { url: server.url, ...more } } } };
  const gateway = await createTestGateway([], { config });
  const client = createHttpClient(gateway.address);
  const test = async () => (await client.call("mcp.test", {})).tests[0];
  return { server, gateway, client, test };
}

type Scene = Awaited<ReturnType<typeof open>>;

async function signIn({ client, server }: Scene): Promise<URL> {
  const { address = "" } = await client.call("mcp.login", { name: "web", redirectUrl });
  await client.call("mcp.finish-login", { address: await server.agree(address) });
  return new URL(address);
}

const signInsOf = (home: string) => join(home, "auth", "mcp-servers.json");
const refusal = (kind: string, params: object = {}) => ({
  phrase: { code: "mcp.sign-in-problem", params: { reason: { code: `mcp.${kind}`, params } } },
});

it("leads a browser to the page and back to the gateway, and keeps the token to itself", async () => {
  const scene = await open({}, { headers: { "X-Team": "team-secret-1234" } });
  const { client, gateway, server } = scene;
  expect(await scene.test()).toMatchObject({ ok: false, problem: { kind: "sign-in", server: "web" } });
  const redirect = `${gateway.address.url}/oauth/callback`;
  const { address = "" } = await client.call("mcp.login", { name: "web", redirectUrl: redirect });
  const page = new URL(address).searchParams;
  expect(page.get("code_challenge_method")).toBe("S256");
  expect([page.get("scope"), page.get("resource")]).toEqual(["basic", server.url]);
  const back = await server.agree(address);
  expect((await fetch(back)).status).toBe(200);
  expect(await scene.test()).toMatchObject({ ok: true });
  expect((await client.call("mcp.list", {})).servers).toMatchObject([{ isSignedIn: true }]);
  const stored = await readFile(signInsOf(gateway.home), "utf8");
  expect(stored).toContain("access-token");
  expect((await stat(signInsOf(gateway.home))).mode & 0o777).toBe(0o600);
  expect(server.asked.some(({ headers }) => headers["x-team"] !== undefined)).toBe(false);
  expect(JSON.stringify(await client.call("mcp.list", {}))).not.toContain("access-token");
  // A second time it says nothing new: the code and its state count once.
  await expect(client.call("mcp.finish-login", { address: back })).rejects.toMatchObject(
    refusal("sign-in-over"),
  );
  expect(await client.call("mcp.logout", { name: "web" })).toEqual({ wasSignedIn: true });
  expect(await readFile(signInsOf(gateway.home), "utf8")).not.toContain("access-token");
  expect(await scene.test()).toMatchObject({ ok: false, problem: { kind: "sign-in" } });
});

it("asks for more rights when a call needs them, with those that it has", async () => {
  const scene = await open({ callScope: "write" });
  await signIn(scene);
  const servers = await openAgain(scene.server, scene.gateway.home);
  await expect(runTool(servers.tool("mcp_web_whoami"), {})).rejects.toThrow(/mcp login web|mcp\.more-rights/);
  const page = await signIn(scene);
  expect(page.searchParams.get("scope")?.split(" ").sort()).toEqual(["basic", "write"]);
  expect(await runToolText(servers.tool("mcp_web_whoami"), {})).toContain("you with basic write");
});

/** As other processes of the same home. */
async function openAgain(server: OAuthServer, home: string, more: Record<string, unknown> = {}) {
  const paths = resolveHome({ env: { NANOBOT_HOME: home } });
  const signInSupport = createSignInSupport({ paths, clock: systemClock, env: {}, allow: [] });
  const servers = await openServers({ web: { url: server.url, ...more } }, { signInSupport });
  await servers.ready();
  return servers;
}

it("renews a token that expires, once for all processes", async () => {
  const scene = await open({ expiresIn: 30 });
  await signIn(scene);
  scene.server.options.expiresIn = 3_600;
  const two = await Promise.all([1, 2].map(() => openAgain(scene.server, scene.gateway.home)));
  for (const servers of two)
    expect(await runToolText(servers.tool("mcp_web_whoami"), {})).toContain("you with");
  const refreshes = scene.server.asked.filter(({ params }) => params.get("grant_type") === "refresh_token");
  expect(refreshes.map(({ params }) => params.get("resource"))).toEqual([scene.server.url]);
});

it("renews a token that is refused, and says so when only a person can go on", async () => {
  const scene = await open();
  await signIn(scene);
  const servers = await openAgain(scene.server, scene.gateway.home);
  scene.server.tokens.clear();
  expect(await runToolText(servers.tool("mcp_web_whoami"), {})).toContain("you with");
  scene.server.options.metadata = { token_endpoint: `${scene.server.issuer}/gone` };
  await scene.client.call("mcp.logout", { name: "web" });
  await expect(runTool(servers.tool("mcp_web_whoami"), {})).rejects.toThrow(/mcp login web|mcp\.sign-in/);
});

it("signs in as a client, without a person", async () => {
  const more = {
    auth: "clientCredentials",
    clientId: "robot",
    clientSecret: "robot-secret-1234",
    scopes: ["jobs"],
  };
  const scene = await open({}, more);
  expect(await scene.client.call("mcp.login", { name: "web", redirectUrl })).toEqual({ name: "web" });
  expect(await scene.test()).toMatchObject({ ok: true });
  expect(scene.server.asked.find(({ path }) => path === "/token")?.params.get("scope")).toBe("jobs");
  expect(scene.server.asked.some(({ path }) => path === "/register")).toBe(false);
});

it("uses what the Python original has kept, for the same address only", async () => {
  const server = await startOAuthServer();
  const home = await createTemporaryFolder();
  server.tokens.set("python-token-1234567890", "old");
  const row = {
    server_fingerprint: createHash("sha256").update(server.url).digest("hex"),
    tokens: { access_token: "python-token-1234567890", token_type: "Bearer" },
  };
  await mkdir(join(home, "auth"));
  await writeFile(join(home, "auth", "mcp.json"), JSON.stringify({ version: 1, servers: { web: row } }));
  const servers = await openAgain(server, home);
  expect(await runToolText(servers.tool("mcp_web_whoami"), {})).toContain("you with old");
  const other = await startOAuthServer();
  other.tokens.set("python-token-1234567890", "stolen");
  expect((await openAgain(other, home)).mcp.status()[0]?.problem?.kind).toBe("sign-in");
});

it("signs in to a server of 2025-03-26, which is its own issuer, with a path", async () => {
  const scene = await open({ isOwnIssuer: true });
  await signIn(scene);
  expect(await scene.test()).toMatchObject({ ok: true });
});

test.each<[string, OAuthOptions, string]>([
  [
    "an internal address",
    { resource: { authorization_servers: ["http://169.254.169.254"] } },
    "sign-in-blocked",
  ],
  ["a private network", { resource: { authorization_servers: ["http://10.0.0.1:8080"] } }, "sign-in-blocked"],
  ["another issuer", { metadata: { issuer: "https://other.example" } }, "sign-in-failed"],
  [
    "a page over plain http",
    { metadata: { authorization_endpoint: "http://other.example/a" } },
    "sign-in-blocked",
  ],
  ["a script", { metadata: { authorization_endpoint: "javascript:alert(1)" } }, "sign-in-failed"],
  ["another server's resource", { resource: { resource: "https://bank.example/mcp" } }, "sign-in-failed"],
])("does not begin where the server names %s", async (_, options, kind) => {
  const { client, server } = await open(options);
  const begun = client.call("mcp.login", { name: "web", redirectUrl });
  await expect(begun).rejects.toMatchObject({ phrase: { params: { reason: { code: `mcp.${kind}` } } } });
  expect(server.asked.some(({ path }) => path === "/token")).toBe(false);
});

it("does not take an answer of another issuer, nor one for another state", async () => {
  const scene = await open({ iss: "https://other.example" });
  const { client, server } = scene;
  const { address = "" } = await client.call("mcp.login", { name: "web", redirectUrl });
  const back = await server.agree(address);
  const forged = new URL(back);
  forged.searchParams.set("state", "x".repeat(43));
  await expect(client.call("mcp.finish-login", { address: forged.href })).rejects.toMatchObject(
    refusal("sign-in-over"),
  );
  await expect(client.call("mcp.finish-login", { address: back })).rejects.toMatchObject({
    phrase: { params: { reason: { code: "mcp.sign-in-failed" } } },
  });
  expect(server.asked.some(({ path }) => path === "/token")).toBe(false);
});
