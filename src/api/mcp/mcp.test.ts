// MCP servers of a gateway that runs, as a command asks for them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { oddServer } from "../../../test/support/mcp-servers.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { createHttpClient } from "../client.ts";

afterEach(closeTestGateways);

const phraseOf = (code: string, params: object) => ({ phrase: { code, params } });

it("adds servers, tests them, says how they fared as data, and removes them", async () => {
  const gateway = await createTestGateway([]);
  const client = createHttpClient(gateway.address);
  const servers = { good: oddServer("good"), bad: oddServer("dies-at-start") };
  const added = await client.call("mcp.add", { servers });
  expect(added).toEqual({ added: ["good", "bad"], ignored: [], problems: [] });
  expect((await client.call("mcp.list", {})).servers).toMatchObject([
    { name: "good", transport: "stdio", isDisabled: false },
    { name: "bad" },
  ]);
  const problem = { kind: "ended", exitCode: 3, lastLine: "TOKEN is missing" };
  expect((await client.call("mcp.test", {})).tests).toEqual([
    { name: "good", ok: true, ms: expect.any(Number), tools: expect.any(Array) },
    { name: "bad", ok: false, ms: expect.any(Number), problem },
  ]);
  expect((await client.call("mcp.list", {})).servers).toMatchObject([
    { name: "good", offered: 2, seenAt: expect.any(String) },
    { name: "bad", problem },
  ]);
  expect(await client.call("mcp.remove", { name: "bad" })).toEqual({ removed: "bad" });
  const config = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
  expect(Object.keys(config.tools.mcpServers)).toEqual(["good"]);
});

it("takes what was copied from another client, and refuses what it cannot use", async () => {
  const gateway = await createTestGateway([], {
    config: { tools: { mcpServers: { one: { command: "x" } } } },
  });
  const client = createHttpClient(gateway.address);
  const pasted = '{"command": "two", "autoApprove": []}';
  expect(await client.call("mcp.add", { pasted, name: "two" })).toMatchObject({
    added: ["two"],
    ignored: ["two.autoApprove"],
  });
  await expect(client.call("mcp.add", { pasted })).rejects.toMatchObject(phraseOf("mcp.not-servers", {}));
  await expect(client.call("mcp.add", { servers: { one: {} } })).rejects.toMatchObject(
    phraseOf("mcp.exists", { name: "one" }),
  );
  await expect(client.call("mcp.add", { servers: { odd: { args: {} } } })).rejects.toMatchObject({
    phrase: { code: "config.not-saved" },
    fields: [{ path: "tools.mcpServers.odd.args" }],
  });
  for (const name of ["mcp.remove", "mcp.test"] as const)
    await expect(
      name === "mcp.test" ? client.call(name, { names: ["tow"] }) : client.call(name, { name: "tow" }),
    ).rejects.toMatchObject(phraseOf("mcp.unknown", { name: "tow", nearest: "two" }));
});

it("adds a preset, and names the variables that one needs", async () => {
  const gateway = await createTestGateway([]);
  const client = createHttpClient(gateway.address);
  expect(await client.call("mcp.add", { preset: "browser" })).toMatchObject({
    added: ["browser"],
    problems: [],
  });
  expect(await client.call("mcp.add", { preset: "files", name: "notes" })).toMatchObject({
    added: ["notes"],
  });
  const config = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
  expect(config.tools.mcpServers.browser.args).toEqual(
    expect.arrayContaining(["@playwright/mcp", "--isolated"]),
  );
  await expect(client.call("mcp.add", { preset: "home-assistant" })).rejects.toMatchObject({
    phrase: { code: "mcp.preset-needs", params: { variables: "HOME_ASSISTANT_URL, HOME_ASSISTANT_TOKEN" } },
  });
  await expect(client.call("mcp.add", { preset: "nothing" })).rejects.toMatchObject({
    phrase: { code: "mcp.unknown-preset" },
  });
});
