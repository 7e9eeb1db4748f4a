// `nanobot mcp` as a process, in a home of its own, with real servers.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { oddServer } from "../support/mcp-servers.ts";
import { startHttpServer } from "../support/odd-mcp-http.ts";
import { createProgramHome, nanobot, type ProgramHome } from "../support/run-program.ts";
import { type Ended, runProgram } from "../support/start-program.ts";

const { command, args } = oddServer("good") as { command: string; args: string[] };
const odd = { command, args };

function run({ env }: ProgramHome, argv: string[], input?: string): Promise<Ended> {
  return runProgram(nanobot("mcp", ...argv), { env, input });
}

async function readServers(program: ProgramHome): Promise<Record<string, unknown>> {
  const config = JSON.parse(await readFile(join(program.home, "config.json"), "utf8"));
  return config.tools.mcpServers;
}

describe("nanobot mcp add", () => {
  it("takes a program after --, tries it, and keeps what else the config holds", async () => {
    const program = await createProgramHome({ tools: { mcp_servers: {}, later: 1 }, notes: "mine" });
    const added = await run(program, ["add", "odd", "--env", "A=b=c", "--", odd.command, ...odd.args]);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/connected in \d+ ms, 2 tools\n {2}echo/),
    });
    const config = JSON.parse(await readFile(join(program.home, "config.json"), "utf8"));
    expect(config).toEqual({
      tools: { mcpServers: { odd: { ...odd, env: { A: "b=c" } } }, later: 1 },
      notes: "mine",
    });
    const again = await run(program, ["add", "odd", "--", "true"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already an MCP server "odd"') });
  });

  it("takes an address with headers, and never shows their values", async () => {
    const server = await startHttpServer();
    const program = await createProgramHome(undefined, { TOKEN: "canary-1234567890" });
    const header = ["--header", `Authorization=Bearer \${TOKEN}`, "--header", "X-Team: blue"];
    const added = await run(program, ["add", "web", "--url", server.url, ...header]);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("1 tool\n") });
    expect(server.calls[0]?.headers).toMatchObject({
      authorization: "Bearer canary-1234567890",
      "x-team": "blue",
    });
    expect(await readFile(join(program.home, "config.json"), "utf8")).not.toContain("canary");
    const listed = await run(program, ["list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { name: "web", transport: "http", target: server.url, offered: 1 },
    ]);
    expect(added.stdout + added.stderr + listed.stdout).not.toContain("canary");
  });

  it("takes what was copied from another client, on stdin, in a file, or as an argument", async () => {
    const program = await createProgramHome();
    const pasted = `{ // my servers
      "mcpServers": {
        "one": { "command": "one", "args": ["-y", 7], "env": { "KEY": "\${env:MY_KEY}" }, "autoApprove": [] },
        "two": { "type": "http", "serverUrl": "https://example.com/mcp", "disabled": true },
      }
    }`;
    const first = await run(program, ["add", "--json", "-", "--no-test"], pasted);
    expect(JSON.parse(first.stdout)).toEqual({
      added: ["one", "two"],
      ignored: ["one.autoApprove"],
      tests: [],
    });
    const file = join(dirname(program.home), "mcp.json");
    await writeFile(
      file,
      JSON.stringify({ servers: { three: { command: ["npx", "-y", "three"], type: "local" } } }),
    );
    expect(await run(program, ["add", file, "--no-test"])).toMatchObject({ code: 0 });
    const alone = '{"url": "https://example.com/sse", "transport": "sse"}';
    expect(await run(program, ["add", "four", "--json", alone, "--no-test"])).toMatchObject({ code: 0 });
    expect(await readServers(program)).toEqual({
      one: { command: "one", args: ["-y", "7"], env: { KEY: `\${MY_KEY}` } },
      two: { type: "streamableHttp", url: "https://example.com/mcp", disabled: true },
      three: { command: "npx", args: ["-y", "three"], type: "stdio" },
      four: { url: "https://example.com/sse", type: "sse" },
    });
  });

  it.each([
    [["add"], 2, "Say what to add"],
    [["add", "x"], 2, "Say what to add"],
    [["add", "x", "--url", "http://a", "--", "b"], 2, "Say what to add"],
    [["add", "x", "--url", "http://a", "--header", "canary"], 2, "is not a pair"],
    [["add", "--json", '{"hello": 1}'], 1, "That is not a list"],
    [["add", "--json", '{"command": "x"}'], 1, "That is not a list"],
    [["add", "x", "--json", '{"command": "x", "args": {}}'], 1, "tools.mcpServers.x.args"],
    [["remove"], 2, "Name a server"],
    [["remove", "x"], 1, "There is no MCP server"],
    [["test", "x"], 1, "There is no MCP server"],
    [["fly"], 2, "fly"],
  ])("says what is wrong with %j", async (argv, code, sentence) => {
    const program = await createProgramHome({});
    expect(await run(program, argv)).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    expect(await readFile(join(program.home, "config.json"), "utf8")).toBe("{}");
  });
});

describe("nanobot mcp list, test and remove", () => {
  it("shows how servers fared, in the words of the language, here and in the status", async () => {
    const bad = oddServer("dies-at-start");
    const program = await createProgramHome({ mcpServers: { odd, bad, off: { ...odd, disabled: true } } });
    expect((await run(program, ["list"])).stdout).toMatch(/odd {2}program {2}not connected yet/);
    const tested = await run(program, ["test", "bad", "--json"]);
    expect(tested.code).toBe(1);
    expect(JSON.parse(tested.stdout)).toMatchObject({
      name: "bad",
      ok: false,
      reason: "it ended on its own: exit code 3, TOKEN is missing",
    });
    expect(await run(program, ["test", "odd"])).toMatchObject({ code: 0 });
    const { stdout } = await runProgram(nanobot("status"), { env: { ...program.env, LANG: "zh_CN.UTF-8" } });
    expect(stdout).toContain("bad: 它自己结束了：退出码 3，TOKEN is missing");
    expect(stdout).toContain("odd: 2 个工具");
    expect(stdout).toContain("off: 已停用");
    const status = await runProgram(nanobot("status", "--json"), { env: program.env });
    expect(JSON.parse(status.stdout).mcp).toMatchObject([
      { name: "odd", offered: 2 },
      { name: "bad" },
      { name: "off" },
    ]);
  });

  it("removes a server", async () => {
    const program = await createProgramHome({ tools: { mcpServers: { odd } } });
    expect(await run(program, ["remove", "odd", "--json"])).toMatchObject({
      code: 0,
      stdout: '{"removed":"odd"}\n',
    });
    expect(await readServers(program)).toEqual({});
  });
});
