import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { resolveHome } from "../storage/home.ts";
import { interpret } from "./interpret.ts";

async function read(value: Record<string, unknown>, allowed?: string) {
  const folder = await createTemporaryFolder();
  mkdirSync(join(folder, "inside"));
  symlinkSync("/", join(folder, "outside"));
  const env = { NANOBOT_HOME: folder, ...(allowed !== undefined && { NANOBOT_HOME_ALLOWED: allowed }) };
  const home = resolveHome({ env });
  return { home, ...interpret({ value, home, env, movedIn: undefined }) };
}

const wide = {
  agents: { defaults: { workspace: "outside" } },
  gateway: { host: "0.0.0.0" },
  skills: { directories: ["/etc", "outside", "inside"] },
  tools: {
    restrictToWorkspace: false,
    ssrfWhitelist: ["10.0.0.0/8"],
    exec: { sandbox: "off", sandboxRwBinds: ["/"], allowedEnvKeys: ["SECRET"] },
    mcpServers: { local: { command: "server" }, far: { url: "https://mcp.example/" } },
  },
};

describe("a home of an operator", () => {
  it("has no code outside of a sandbox, no folder and no network of the machine, whatever its config says", async () => {
    const { config, home } = await read(wide, "");
    expect(config).toMatchObject({
      agents: { defaults: { workspace: home.workspace } },
      gateway: { host: "127.0.0.1" },
      skills: { directories: ["inside"] },
      tools: {
        restrictToWorkspace: true,
        ssrfWhitelist: [],
        exec: { sandbox: "required", sandboxRwBinds: [], allowedEnvKeys: [] },
        mcpServers: { local: { disabled: true }, far: { disabled: false } },
      },
    });
  });

  it("gets what the operator allows, and no more", async () => {
    const { config } = await read(wide, "commands");
    expect(config?.tools).toMatchObject({ exec: { sandbox: "off" }, ssrfWhitelist: [] });
    expect(config?.tools.mcpServers.local?.disabled).toBe(false);
    expect(config?.gateway.host).toBe("127.0.0.1");
  });

  it.each([
    "http://169.254.169.254/v1",
    "http://localhost:1234/v1",
    "http://[::1]/v1",
    "https://db.internal/",
  ])("may not name %s as the address of a model", async (apiBase) => {
    const value = { providers: { mine: { apiBase } } };
    const { problems } = await read(value, "code,commands");
    expect(problems).toMatchObject([
      { path: "providers.mine.apiBase", phrase: { code: "config.internal-address" } },
    ]);
    expect((await read(value, "network")).problems).toEqual([]);
    expect((await read(value)).problems).toEqual([]);
  });
});

it("a home of its owner is limited by nothing", async () => {
  const { config } = await read(wide);
  expect(config?.tools).toMatchObject({ ssrfWhitelist: ["10.0.0.0/8"], exec: { sandbox: "off" } });
  expect(config?.gateway.host).toBe("0.0.0.0");
});
