// A page that would widen rights in passing, or send a key elsewhere: it is asked whether that is meant.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startFakeModel } from "../../../test/support/fake-model.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebProblem } from "../../../test/support/web-client.ts";
import { maskedValue } from "../../config/mask.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const key = "sk-stored-0123456789";
const config = {
  providers: { mine: { apiKey: key, apiBase: "http://127.0.0.1:9/v1" } },
  tools: { exec: { allow: ["npm test"] }, mcpServers: { one: { command: "x", args: ["a"] } } },
  channels: { telegram: { enabled: false, token: "123:telegram-secret", owners: ["1"] } },
  api: { apiKey: "a-key-of-the-owner" },
};

async function open() {
  const gateway = await createTestGateway([], { config });
  const client = await openWebClient(gateway);
  const read = async () => JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
  return { client, read };
}

const failed = (promise: Promise<unknown>) => promise.catch(({ problem }: WebProblem) => problem);

const widening: Array<[path: string, value: unknown]> = [
  ["tools.approval", "off"],
  ["tools.exec.sandbox", "off"],
  ["tools.restrictToWorkspace", false],
  ["tools.exec.allow", ["npm test", "curl *"]],
  ["tools.exec.sandboxRwBinds", ["/"]],
  ["tools.exec.sandboxRuntime", "./evil"],
  ["tools.ssrfWhitelist", ["10.0.0.0/8"]],
  ["tools.mcpServers.one.command", "curl"],
  ["tools.mcpServers.one.args", ["b"]],
  ["gateway.host", "0.0.0.0"],
  ["gateway.publicUrl", "https://evil.example"],
  ["api.apiKey", null],
  ["providers.mine.apiBase", "https://evil.example/v1"],
  ["providers.mine.proxy", "http://evil.example"],
  ["channels.telegram.owners", ["1", "2"]],
];
const narrowing: Array<[path: string, value: unknown]> = [
  ["tools.approval", "auto"],
  ["tools.exec.sandbox", "required"],
  ["tools.exec.allow", []],
  ["tools.mcpServers.one.disabled", true],
  ["tools.mcpServers.one", null],
  ["api.apiKey", "another-key-of-the-owner"],
  ["channels.telegram.owners", []],
  ["agents.defaults.maxTokens", 999],
];

describe("a change of the config", () => {
  test.each(widening)("that widens rights by %s is made only when it is meant", async (path, value) => {
    const { client, read } = await open();
    const change = { path: path.split("."), value };
    const problem = await failed(client.ask("config.patch", { changes: [change] }));
    expect(problem).toMatchObject({ code: "config.unsure", fields: [{ path }] });
    expect(await failed(client.ask("config.patch", { changes: [change], sure: ["tools"] }))).toMatchObject({
      code: "config.unsure",
    });
    expect(await read()).toEqual(config);
    await client.ask("config.patch", { changes: [change], sure: [path] });
    expect(await read()).not.toEqual(config);
  });

  test.each(narrowing)("that takes rights away or none, by %s = %j, is just made", async (path, value) => {
    const { client, read } = await open();
    await client.ask("config.patch", { changes: [{ path: path.split("."), value }] });
    expect(await read()).not.toEqual(config);
  });

  test("is seen however it is put", async () => {
    const { client, read } = await open();
    const puts = [
      { path: ["tools"], value: { restrictToWorkspace: false } },
      { path: ["tools", "restrict_to_workspace"], value: false },
      { path: ["tools", "mcpServers", "two"], value: { command: "curl" } },
      { path: ["providers", "mine"], value: { apiKey: maskedValue, apiBase: "https://evil.example" } },
    ];
    for (const change of puts)
      expect(await failed(client.ask("config.patch", { changes: [change] }))).toMatchObject({
        code: "config.unsure",
      });
    expect(await read()).toEqual(config);
  });
});

test("a key that is stored is not tried at another address", async () => {
  const thief = await startFakeModel(() => ({ text: "ok" }));
  const { client, read } = await open();
  const plan = { host: "mine", model: "m", apiBase: thief.url };
  for (const apiKey of [undefined, "", maskedValue])
    for (const method of ["models.test", "models.use"] as const)
      expect(
        await failed(client.ask(method, { ...plan, ...(apiKey !== undefined && { apiKey }) })),
      ).toMatchObject({ code: "models.key-elsewhere", fields: [{ path: "apiKey" }] });
  expect(thief.requests).toEqual([]);
  expect(await read()).toEqual(config);
  expect(await client.ask("models.test", { ...plan, apiKey: "sk-another-0123456789" })).toMatchObject({
    ok: true,
  });
});

test("nor is the token or password of a channel", async () => {
  const thief = await startFakeModel(() => ({ text: "ok" }));
  const { client, read } = await open();
  for (const method of ["channels.check", "channels.save"] as const)
    for (const key of ["apiBase", "proxy"]) {
      const values = { [key]: thief.url, enabled: method === "channels.check" };
      expect(await failed(client.ask(method, { name: "telegram", values }))).toMatchObject({
        code: "channels.secret-elsewhere",
        fields: [{ path: "values.token" }],
      });
    }
  expect(thief.requests).toEqual([]);
  expect(await read()).toEqual(config);
});
