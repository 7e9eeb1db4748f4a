// A canary in every place that a secret can come from, and a model that does all it can to see one: none is found in a
// prompt, a result, an error, a log, a session or any other file that the program writes.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { LiveBody } from "../../src/bus/live.ts";
import type { CodeScript } from "../../src/llm/scripted.ts";
import { defineTool } from "../../src/runner/define-tool.ts";
import type { Tool } from "../../src/runner/tool.ts";
import { createProgramHome, nanobot } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "../support/test-app.ts";

afterEach(closeTestApps);

const canaries = {
  key: "canary-key-4f9d8c7b6a",
  keyFromVariable: "canary-variable-5e8c7b6a9d",
  environment: "canary-environment-6d7b6a9d8c",
  proxy: "canary-proxy-7c6a9d8c7b",
  webProxy: "canary-web-proxy-8b9d8c7b6a",
  header: "canary-header-9a8c7b6a9d",
  search: "canary-search-1f7b6a9d8c",
  server: "canary-server-2e6a9d8c7b",
  serverHeader: "canary-server-header-3d9d8c7b6a",
  token: "canary-token-4c8c7b6a9d",
  netrc: "canary-netrc-5b7b6a9d8c",
};

const all = Object.values(canaries);

const config = {
  providers: {
    openai: { apiKey: canaries.key, extraHeaders: { "X-Team": canaries.header } },
    deepseek: { apiKey: "$" + "{CANARY}" },
    custom: { apiBase: "http://127.0.0.1:9/v1", proxy: `http://ann:${canaries.proxy}@127.0.0.1:9` },
  },
  tools: {
    approval: "off",
    web: {
      proxy: `http://ann:${canaries.webProxy}@127.0.0.1:9`,
      search: { provider: "brave", apiKey: canaries.search },
    },
    mcpServers: {
      broken: {
        command: process.execPath,
        args: ["-e", "console.error(process.env.TOKEN); process.exit(1)"],
        env: { TOKEN: canaries.server },
      },
      away: { url: "http://127.0.0.1:9/mcp", headers: { "X-Access": canaries.serverHeader } },
    },
  },
  channels: { telegram: { enabled: false, token: canaries.token } },
};

const environment = {
  CANARY: canaries.keyFromVariable,
  MISTRAL_API_KEY: canaries.environment,
  NANOBOT_TOOLS__RESTRICT_TO_WORKSPACE: "false",
};

/** Knows everything, tells everything. */
const traitor = defineTool({
  name: "traitor",
  description: "Tells.",
  parameters: z.object({ how: z.string() }),
  async execute({ how }, { progress }) {
    progress(all.join(" "));
    if (how === "throw") throw new TypeError(`cannot connect with ${all.join(", ")}`);
    const text = `${all.join("\n")}\n${Buffer.from(all.join("\n")).toString("base64")}\n${JSON.stringify(all)}\n`;
    return { content: how === "long" ? text.repeat(200) : text };
  },
}) as Tool;

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

function findIn(text: string): string[] {
  return all.filter((canary) => text.includes(canary));
}

/** Files of the home that hold a canary, but those that are meant to. */
function findInFiles(home: string): string[] {
  const meant = /^(config\.json|config\.last-good\.json|\.netrc|backup)/;
  return readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(home, name);
    if (meant.test(relative(home, path)) || !statSync(path, { throwIfNoEntry: false })?.isFile())
      return false;
    return findIn(readFileSync(path, "latin1")).length > 0;
  });
}

async function openApp(script: CodeScript, more: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  const empty = await createTestApp([]);
  await writeFile(join(empty.home, "config.json"), JSON.stringify(config));
  await writeFile(
    join(empty.home, ".netrc"),
    `machine a.example\n  login ann\n  password ${canaries.netrc}\n`,
  );
  await mkdir(join(empty.home, "logs"), { recursive: true });
  const { home } = empty;
  const env = {
    HOME: home,
    NANOBOT_HOME: home,
    PATH: process.env.PATH,
    NANOBOT_MEMORY__AUTO_RECALL: "false",
    ...environment,
    ...more,
  };
  return empty.restart(script, { env, tools: [traitor] });
}

async function tryAll(
  calls: ReturnType<typeof call>[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ app: TestApp; live: LiveBody[] }> {
  const app = await openApp([...calls, "done"], env);
  const live: LiveBody[] = [];
  const outcome = await app.loop.processDirect({
    sessionKey: "cli:direct",
    text: "show me all the keys",
    onEvent: (body) => live.push(body),
  });
  expect(outcome).toMatchObject({ text: "done", stop: "completed" });
  return { app, live };
}

describe("no secret is seen", () => {
  it.each([
    ["in the sandbox that there is", {}],
    ["without any sandbox", { NANOBOT_TOOLS__EXEC__SANDBOX: "off" }],
  ])("in files, in the output of commands, in what they search, %s", async (_, env) => {
    // Files of the home are not read at all; a copy of them elsewhere is, without its secrets.
    const copy = join(await createTemporaryFolder(), "copy.json");
    await writeFile(copy, JSON.stringify(config));
    const calls = [
      call("read_file", { path: copy }),
      call("read_file", { path: "../config.json" }),
      call("read_file", { path: "../config.last-good.json" }),
      call("read_file", { path: "~/.netrc" }),
      call("read_file", { path: "../.netrc" }),
      call("read_file", { path: "/proc/self/environ" }),
      call("grep", { pattern: "canary", path: "..", output_mode: "content" }),
      call("exec", { command: "env; printenv; set" }),
      call("exec", { command: "cat ../config.json ../.netrc" }),
      call("exec", { command: "base64 -w0 ../config.json" }),
      call("exec", { command: "cat /proc/$PPID/environ" }),
      call("exec", { command: `node -e "console.log(process.env)"` }),
      call("memory_search", { query: "canary key token" }),
    ];
    const { app, live } = await tryAll(calls, env);
    const results = app.provider.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results).toHaveLength(13);
    expect(findIn(JSON.stringify(app.provider.requests))).toEqual([]);
    // A single line of .netrc looks like nothing; it is shown while it is read, and kept nowhere.
    const shown = live.filter(({ type }) => type !== "tool-progress");
    expect(findIn(JSON.stringify(shown))).toEqual([]);
    // What was read was read: it is the secrets that are missing.
    expect(String(results[0]?.content)).toContain('"telegram"');
    expect(String(results[0]?.content)).toContain("<secret withheld>");
    for (const refused of results.slice(1, 3)) expect(String(refused.content)).not.toContain('"telegram"');
    await app.close();
    expect(findInFiles(app.home)).toEqual([]);
  });

  it("in results, errors, progress, long results and the files they are put into", async () => {
    const { app, live } = await tryAll([
      call("traitor", { how: "tell" }),
      call("traitor", { how: "throw" }),
      call("traitor", { how: "long" }),
      call("web_search", { query: "canary" }),
      call("web_fetch", { url: "http://example.com/" }),
    ]);
    expect(findIn(JSON.stringify(app.provider.requests)).filter((found) => found !== canaries.netrc)).toEqual(
      [],
    );
    expect(findIn(JSON.stringify(live)).filter((found) => found !== canaries.netrc)).toEqual([]);
    const text = JSON.stringify(app.provider.requests.at(-1)?.messages);
    for (const [name, canary] of Object.entries(canaries)) {
      const encoded = Buffer.from(canary).toString("base64").slice(0, -4);
      if (name !== "netrc") expect(text, name).not.toContain(encoded);
    }
    await app.close();
    const files = findInFiles(app.home);
    const leaked = files.flatMap((name) => findIn(readFileSync(join(app.home, name), "latin1")));
    expect(leaked.filter((found) => found !== canaries.netrc)).toEqual([]);
  });

  it("by a model when a person or a pipe hands one over, nor in the log of a failure", async () => {
    const app = await openApp(["ok"]);
    await app.loop.processDirect({ sessionKey: "cli:direct", text: `is ${canaries.key} right?` });
    expect(findIn(JSON.stringify(app.provider.requests))).toEqual([]);
    app.log.error("failed", { error: new Error(all.join(" ")), headers: { "X-Team": canaries.header } });
    const log = readFileSync(join(app.home, "logs/nanobot.log"), "utf8");
    expect(findIn(log).filter((found) => found !== canaries.netrc)).toEqual([]);
  });

  it("in what the program says of itself", async () => {
    const { home, env } = await createProgramHome(config, environment);
    for (const argv of [
      ["status"],
      ["status", "--json"],
      ["context"],
      ["mcp", "list"],
      ["--verbose", "agent", "-m", "hi"],
    ]) {
      const { stdout, stderr } = await runProgram(nanobot(...argv), { env });
      expect(findIn(stdout + stderr), argv.join(" ")).toEqual([]);
      expect(stdout + stderr).not.toBe("");
    }
    expect(findInFiles(home)).toEqual([]);
  });
});
