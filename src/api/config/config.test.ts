import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startFakeModel } from "../../../test/support/fake-model.ts";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import { closeWebClients, enter, openWebClient, type WebProblem } from "../../../test/support/web-client.ts";
import { maskedValue } from "../../config/mask.ts";
import { createWords, say } from "../../i18n/words.ts";
import type { ConfigSnapshot } from "./snapshot.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const secret = "sk-secret-0123456789";
const config = {
  agents: { defaults: { maxTokens: 1234 } },
  providers: {
    mine: { apiKey: secret, apiBase: "http://127.0.0.1:9/v1", extraHeaders: { "X-One": "hidden-1" } },
  },
  tools: {
    mcpServers: {
      one: { command: "x", args: ["--api-key", "arg-secret-1", "--fast"], env: { A: "env-secret-1" } },
    },
  },
  channels: { telegram: { enabled: false, token: "123:telegram-secret" } },
  somebodys: { own: "key" },
};

async function readConfig({ home }: TestGateway): Promise<typeof config> {
  return JSON.parse(await readFile(join(home, "config.json"), "utf8"));
}

async function open(given: Record<string, unknown> = config) {
  const gateway = await createTestGateway([], { config: given });
  return { gateway, client: await openWebClient(gateway) };
}

const failed = (promise: Promise<unknown>) => promise.catch(({ problem }: WebProblem) => problem);

describe("the config on the wire", () => {
  test("has its schema, what the file says and what holds, and none of its secrets", async () => {
    const { client } = await open();
    const snapshot = await client.ask("config.read", {});
    const text = JSON.stringify(snapshot);
    for (const hidden of [secret, "hidden-1", "arg-secret-1", "env-secret-1", "telegram-secret"])
      expect(text).not.toContain(hidden);
    expect(snapshot).toMatchObject({
      schema: { properties: { agents: { type: "object" }, gateway: { description: expect.any(String) } } },
      file: {
        agents: { defaults: { maxTokens: 1234 } },
        providers: { mine: { apiKey: maskedValue, apiBase: "http://127.0.0.1:9/v1" } },
        tools: {
          mcpServers: { one: { args: ["--api-key", maskedValue, "--fast"], env: { A: maskedValue } } },
        },
        somebodys: { own: "key" },
      },
      values: { agents: { defaults: { maxTokens: 1234, temperature: 0.1 } }, gateway: { port: 18_790 } },
      variables: { "memory.autoRecall": "NANOBOT_MEMORY__AUTO_RECALL" },
      problems: [],
      waiting: [],
      canRestart: false,
    });
    expect(snapshot.file).not.toHaveProperty("memory");
    expect(snapshot.schema).not.toHaveProperty("properties.tools.properties.cliApps");
    expect(snapshot.schema).not.toHaveProperty("properties.channels.properties.showReasoning");
    expect(snapshot.schema).toHaveProperty("properties.tools.properties.exec");
  });

  test("is read by HTTP, too, by an owner only", async () => {
    const { gateway, client } = await open();
    const read = (cookie: string) => gateway.post("/api/config.read", {}, { cookie, origin: gateway.url });
    const response = await read(client.cookie);
    expect(await response.json()).toEqual({ result: await client.ask("config.read", {}) });
    expect((await read(await enter(gateway, { person: "anna", role: "guest" }))).status).toBe(403);
    expect((await read("")).status).toBe(401);
  });

  test("is nothing for a guest", async () => {
    const { gateway } = await open();
    const guest = await openWebClient(gateway, { person: "anna", role: "guest" });
    for (const ask of [
      () => guest.ask("config.read", {}),
      () => guest.ask("config.patch", { changes: [] }),
      () => guest.ask("models.hosts", {}),
      () => guest.ask("logs.follow", { isOn: true }),
    ])
      expect(await failed(ask())).toMatchObject({ code: "request.owner-only" });
  });
});

describe("a change", () => {
  test("is written, keeps everything else, and leaves secrets that were not shown as they are", async () => {
    const { gateway, client } = await open();
    const after = await client.ask("config.patch", {
      sure: ["providers.mine.apiBase", "tools.mcpServers.one.args"],
      changes: [
        { path: ["agents", "defaults", "maxTokens"], value: 99 },
        { path: ["agents", "defaults", "temperature"], value: 1.5 },
        { path: ["providers", "mine"], value: { apiKey: maskedValue, apiBase: "http://127.0.0.1:9/v2" } },
        {
          path: ["tools", "mcpServers", "one", "args"],
          value: ["--api-key", maskedValue, "--slow"],
        },
        { path: ["tools", "mcpServers", "one", "env", "A"], value: maskedValue },
      ],
    });
    expect(await readConfig(gateway)).toEqual({
      ...config,
      agents: { defaults: { maxTokens: 99, temperature: 1.5 } },
      providers: { mine: { apiKey: secret, apiBase: "http://127.0.0.1:9/v2" } },
      tools: {
        mcpServers: {
          one: { ...config.tools.mcpServers.one, args: ["--api-key", "arg-secret-1", "--slow"] },
        },
      },
    });
    expect((await stat(join(gateway.home, "config.json"))).mode & 0o777).toBe(0o600);
    expect(after.values).toMatchObject({ agents: { defaults: { maxTokens: 99 } } });
    expect(gateway.app.current().config.agents.defaults.maxTokens).toBe(99);
  });

  test("says which keys count after the next start, and tells other pages once", async () => {
    const { gateway, client } = await open();
    const other = await openWebClient(gateway);
    const isTold: Parameters<typeof other.waitFor>[0] = ({ event }) =>
      event.type === "changed" && event.topic === "config";
    const changes = [
      { path: ["gateway", "port"], value: 18_791 },
      { path: ["agents", "defaults", "maxTokens"], value: 5 },
      { path: ["agents", "defaults", "maxToolIterations"], value: 7 },
    ];
    const { waiting } = await client.ask("config.patch", { changes });
    expect(waiting).toEqual(["agents.defaults.maxToolIterations", "gateway.port"]);
    await other.waitFor(isTold);
    await other.ask("ping", {});
    expect(other.events.filter(isTold)).toHaveLength(1);
    const back = await client.ask("config.patch", {
      changes: [
        { path: ["gateway", "port"], value: null },
        { path: ["agents", "defaults", "maxToolIterations"] },
      ],
    });
    expect(back.waiting).toEqual([]);
    expect((await readConfig(gateway)).agents.defaults).toEqual({ maxTokens: 5 });
  });

  test("made with an editor is told to the pages, too", async () => {
    const { gateway, client } = await open();
    await writeFile(
      join(gateway.home, "config.json"),
      JSON.stringify({ agents: { defaults: { maxTokens: 77 } } }),
    );
    await client.waitFor(({ event }) => event.type === "changed" && event.topic === "config");
    expect((await client.ask("config.read", {})).file).toMatchObject({
      agents: { defaults: { maxTokens: 77 } },
    });
  });

  test("that is wrong changes nothing, and each place is named", async () => {
    const { gateway, client } = await open();
    const before = await readFile(join(gateway.home, "config.json"), "utf8");
    const changes = [
      { path: ["agents", "defaults", "maxTokens"], value: 0 },
      { path: ["gateway", "restartMode"], value: "never" },
      { path: ["agents", "defaults", "temperature"], value: 1 },
    ];
    expect(await failed(client.ask("config.patch", { changes }))).toMatchObject({
      code: "config.not-saved",
      fields: [
        { path: "agents.defaults.maxTokens", code: "config.too-small", params: { bound: 1 } },
        { path: "gateway.restartMode", code: "config.one-of" },
      ],
    });
    expect(await readFile(join(gateway.home, "config.json"), "utf8")).toBe(before);
  });

  test("is answered in the language of the page", async () => {
    const { gateway } = await open();
    const client = await openWebClient(gateway, { language: "chinese" });
    const changes = [{ path: ["agents", "defaults", "maxTokens"], value: 0 }];
    expect(await failed(client.ask("config.patch", { changes }))).toMatchObject({
      message: expect.stringMatching(/\p{Script=Han}/u),
      fields: [{ message: expect.stringMatching(/\p{Script=Han}/u) }],
    });
    const { why } = await client.ask("models.state", {});
    expect(say(why, createWords("chinese"))).toMatch(/\p{Script=Han}/u);
  });

  test("that would put a hidden secret elsewhere is refused", async () => {
    const { gateway, client } = await open();
    const before = await readConfig(gateway);
    const changes = [{ path: ["tools", "mcpServers", "two"], value: { command: "x", args: [maskedValue] } }];
    expect(await failed(client.ask("config.patch", { changes }))).toMatchObject({
      fields: [{ path: "tools.mcpServers.two" }],
    });
    expect(await readConfig(gateway)).toEqual(before);
  });

  test("reaches no prototype", async () => {
    const { client } = await open();
    await client
      .ask("config.patch", { changes: [{ path: ["__proto__", "polluted"], value: true }] })
      .catch(() => {});
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("of a file that cannot be read is refused, and the file stays", async () => {
    const { gateway, client } = await open();
    const path = join(gateway.home, "config.json");
    await writeFile(path, "{ broken");
    const changes = [{ path: ["gateway", "port"], value: 1 }];
    expect(await failed(client.ask("config.patch", { changes }))).toMatchObject({ code: "config.not-saved" });
    expect(await readFile(path, "utf8")).toBe("{ broken");
    const snapshot: ConfigSnapshot = await client.ask("config.read", {});
    expect(snapshot.problems).toMatchObject([{ phrase: { code: "file.bad-json" } }]);
  });
});

describe("a model", () => {
  const key = "sk-right-0123456789";
  const startLocked = () =>
    startFakeModel(({ authorization }) =>
      authorization === `Bearer ${key}` ? { text: "ok" } : { error: { status: 401, message: "wrong key" } },
    );

  test("is tried with one real question before it is used, and a key that was refused is not kept", async () => {
    const model = await startLocked();
    const { gateway, client } = await open({});
    const plan = { host: "mine", model: "m", apiBase: model.url };
    const wrong = await client.ask("models.use", { ...plan, apiKey: "sk-wrong-0123456789" });
    expect(wrong).toMatchObject({ ok: false, problem: { code: "model.authentication" } });
    expect(await readConfig(gateway)).toEqual({});
    expect(await client.ask("models.test", { ...plan, apiKey: key })).toMatchObject({
      ok: true,
      host: "mine",
    });
    expect(await readConfig(gateway)).toEqual({});
    expect(await client.ask("models.use", { ...plan, apiKey: key })).toMatchObject({ ok: true });
    expect(await readConfig(gateway)).toMatchObject({
      agents: { defaults: { provider: "mine", model: "m" } },
      providers: { mine: { apiKey: key, apiBase: model.url } },
    });
    // The key that is there is used, shown or not.
    const asked = model.requests.length;
    expect(await client.ask("models.test", { ...plan, apiKey: maskedValue })).toMatchObject({ ok: true });
    expect(await client.ask("models.test", plan)).toMatchObject({ ok: true });
    const { rows } = await gateway.client.call("usage.report", { by: "model" });
    expect(rows).toMatchObject([{ group: "mine/m", calls: model.requests.length }]);
    expect(model.requests).toHaveLength(asked + 2);
  });

  test("takes a key as it was copied, and says so where it cannot be one", async () => {
    const model = await startLocked();
    const { client } = await open({});
    const plan = { host: "mine", model: "m", apiBase: model.url };
    const copied = ` ${key.slice(0, 5)}\n\u200b${key.slice(5)}\u00a0\r\n`;
    expect(await client.ask("models.test", { ...plan, apiKey: copied })).toMatchObject({ ok: true });
    const problem = await failed(client.ask("models.test", { ...plan, apiKey: "sk-密钥" }));
    expect(problem).toMatchObject({ code: "models.odd-key", fields: [{ path: "apiKey" }] });
  });

  test("of nobody is told so", async () => {
    const { client } = await open({});
    const problem = await failed(client.ask("models.test", { host: "nobody", model: "m" }));
    expect(problem).toMatchObject({ code: "models.unknown-host", fields: [{ path: "host" }] });
    const noAddress = { host: "mine", model: "m", apiBase: "file:///etc/passwd" };
    expect(await failed(client.ask("models.test", noAddress))).toMatchObject({ code: "request.bad-params" });
  });

  test("can be nobody's: staying offline is a choice, too", async () => {
    const { gateway, client } = await open({});
    expect(await client.ask("models.use", { host: "offline", model: "offline" })).toMatchObject({ ok: true });
    expect(await readConfig(gateway)).toMatchObject({ agents: { defaults: { provider: "offline" } } });
    expect(await client.ask("models.state", {})).toMatchObject({ isFirstRun: false });
  });

  test("is found in a list of hosts with where to get a key", async () => {
    const { client } = await open({ providers: { anthropic: { apiKey: secret } } });
    const { hosts } = await client.ask("models.hosts", {});
    expect(hosts.find(({ name }) => name === "anthropic")).toMatchObject({
      label: "Anthropic",
      needsKey: true,
      keyPage: expect.stringMatching(/^https:/),
      key: { from: "config" },
    });
    expect(hosts.find(({ name }) => name === "ollama")).toMatchObject({ needsKey: false, kind: "local" });
    expect(JSON.stringify(hosts)).not.toContain(secret);
    expect(hosts.map(({ name }) => name)).not.toContain("scripted");
    await expect(client.ask("models.local", {})).resolves.toHaveProperty("servers");
  });
});

test("the log is told line by line to those who follow it", async () => {
  const { gateway, client } = await open();
  const other = await openWebClient(gateway);
  gateway.app.log.info("before", {});
  const { lines } = await client.ask("logs.follow", { isOn: true });
  expect(lines.map((line) => JSON.parse(line).event)).toContain("before");
  gateway.app.log.warn("after", { key: secret });
  const { event } = await client.waitFor(
    (frame) => frame.event.type === "logged" && frame.event.line.includes('"after"'),
  );
  expect(JSON.stringify(event)).not.toContain(secret);
  await client.ask("logs.follow", { isOn: false });
  expect(other.events.filter((frame) => frame.event.type === "logged")).toEqual([]);
});
