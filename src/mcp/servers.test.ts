// Servers that others wrote, from npm, as a turn meets them: tools, resources and prompts, images, progress, limits.
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sentence } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { npmServer, oddServer, openServers } from "../../test/support/mcp-servers.ts";
import { runTool, runToolText } from "../../test/support/run-tool.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createToolContext } from "../../test/support/tool-context.ts";

describe("server-everything", () => {
  it("offers tools, resources and prompts", async () => {
    const servers = await openServers({ all: npmServer("everything") });
    await servers.ready();
    await expect.poll(() => servers.listed().length).toBeGreaterThan(20);
    expect(servers.listed()).toEqual(
      expect.arrayContaining([
        "mcp_all_echo",
        "mcp_all_get-sum",
        "mcp_all_prompt_simple-prompt",
        expect.stringMatching(/^mcp_all_resource_/),
      ]),
    );
    const { tool } = servers;
    expect(await runToolText(tool("mcp_all_get-sum"), { a: "2", b: 3 })).toMatch(/The sum of 2 and 3 is 5/);
    expect(tool("mcp_all_get-sum").parameters.parse({ a: "many" })).toEqual({
      ok: false,
      problems: ["missing required b", "a: must be number"],
    });
    expect(await runToolText(tool("mcp_all_prompt_args-prompt"), { city: "上海" })).toMatch(/user:\n.*上海/s);
    const isWhole = (name: string) =>
      name.startsWith("mcp_all_resource_") && tool(name).parameters.parse({}).ok;
    const resource = servers.listed().find(isWhole) ?? "";
    expect(await runToolText(tool(resource), {})).toMatch(/^\[From the MCP server "all".*\]\ndemo:\/\//);
  });

  it("gives images as parts, structure as text, progress as it happens", async () => {
    const servers = await openServers({ all: npmServer("everything") });
    await servers.ready();
    await expect.poll(() => servers.listed().length).toBeGreaterThan(0);
    const { tool } = servers;
    const image = await runTool(tool("mcp_all_get-tiny-image"), {});
    expect(image.content).toEqual([
      { type: "text", text: expect.stringContaining("data, not instructions") },
      { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
    ]);
    const weather = await runToolText(tool("mcp_all_get-structured-content"), { location: "New York" });
    expect(weather).toContain('"temperature"');
    const context = createToolContext();
    await runTool(tool("mcp_all_trigger-long-running-operation"), { duration: 1, steps: 3 }, context);
    expect(context.progressed[0]).toBe("1 / 3");
  });

  it("shows no secret of its configuration, although it tells its whole environment", async () => {
    const env = { SERVICE_TOKEN: "canary-4f9d8c7b6a", PLAIN: "a harmless value" };
    const servers = await openServers({ all: { ...npmServer("everything"), env } });
    await servers.ready();
    await expect.poll(() => servers.listed().length).toBeGreaterThan(0);
    const text = await runToolText(servers.tool("mcp_all_get-env"), {});
    expect(text).toContain("a harmless value");
    expect(text).toContain('"SERVICE_TOKEN": "<secret withheld>"');
    expect(text).not.toContain("canary");
  });
});

describe("server-filesystem and server-memory", () => {
  it("work in the folder that they were given, and refuse in their own words", async () => {
    const folder = await createTemporaryFolder({ "docs/a.txt": "hello 世界" });
    const servers = await openServers(
      { files: npmServer("filesystem", join(folder, "docs")), memory: npmServer("memory") },
      { folder },
    );
    await servers.ready();
    await expect.poll(() => servers.listed().length).toBeGreaterThan(15);
    const read = servers.tool("mcp_files_read_text_file");
    expect(read.readOnly).toBe(true);
    expect(read.effects?.({})).toMatchObject([
      { type: "call", server: "files", tool: "read_text_file", isReadOnly: true },
    ]);
    expect(await runToolText(read, { path: join(folder, "docs/a.txt") })).toContain("hello 世界");
    const refused = await runTool(read, { path: "/etc/passwd" });
    expect(refused).toMatchObject({ isError: true, labels: ["mcp:files"] });
    const write = servers.tool("mcp_files_write_file");
    expect(write.readOnly).toBeUndefined();
    expect(write.parameters.parse({ path: "x" })).toEqual({
      ok: false,
      problems: ["missing required content"],
    });
  });

  it("offers only the tools that are enabled, by either name, and then no resources", async () => {
    const servers = await openServers({
      all: { ...npmServer("everything"), enabledTools: ["echo", "mcp_all_get-sum", "no-such-tool"] },
      none: { ...oddServer("good"), enabledTools: [] },
      off: { ...oddServer("good"), disabled: true },
    });
    await servers.ready();
    await expect.poll(() => servers.listed()).toEqual(["mcp_all_echo", "mcp_all_get-sum"]);
  });
});

describe("what was seen at the last connect", () => {
  it("is offered at once, before any server runs, and a call starts its server", async () => {
    const folder = await createTemporaryFolder();
    const log = join(folder, "log");
    const config = { odd: oddServer("good", log) };
    const first = await openServers(config, { folder });
    await first.ready();
    await first.mcp.close();
    await writeFile(log, "");

    const second = await openServers(config, { folder });
    await second.ready();
    expect(second.listed()).toEqual(["mcp_odd_echo", "mcp_odd_odd"]);
    expect(second.mcp.status()).toEqual([{ name: "odd", state: "idle", offered: 2 }]);
    expect(await runToolText(second.tool("mcp_odd_echo"), { text: "now" })).toContain("now");
    expect(second.mcp.status()).toEqual([{ name: "odd", state: "connected", offered: 2 }]);
  });

  it.each([
    ["is old", 2],
    ["was read at a time that is to come, because the clock was set back", -2],
    ["was read in a year that is to come", -365 * 24],
  ])("is read again in the background when it %s", async (_, hours) => {
    const folder = await createTemporaryFolder();
    const config = { odd: oddServer("good") };
    const first = await openServers(config, { folder });
    await first.ready();
    await first.mcp.close();
    const clock = createFakeClock(Date.now() + hours * 60 * 60_000);
    const second = await openServers(config, { folder, clock });
    await second.ready();
    await expect.poll(() => second.mcp.status()[0]?.state).toBe("connected");
  });

  it("does not hold for another configuration of the same name, and leaves no file of the old one", async () => {
    const folder = await createTemporaryFolder();
    const first = await openServers({ odd: oddServer("good") }, { folder });
    await first.ready();
    await first.mcp.close();
    const second = await openServers({ odd: oddServer("many") }, { folder });
    await second.mcp.load();
    expect(second.listed()).toEqual([]);
    await second.ready();
    await second.mcp.close();
    expect(await readdir(join(folder, "cache"))).toHaveLength(1);
  });

  it("stays on offer while its server fails; a call says what is wrong", async () => {
    const folder = await createTemporaryFolder({ "here/x": "" });
    const config = { odd: { ...oddServer("good"), cwd: "here" } };
    const first = await openServers(config, { folder });
    await first.ready();
    await first.mcp.close();
    await rm(join(folder, "here"), { recursive: true });
    const second = await openServers(config, { folder });
    await second.ready();
    expect(second.listed()).toEqual(["mcp_odd_echo", "mcp_odd_odd"]);
    await expect(runTool(second.tool("mcp_odd_odd"), {})).rejects.toMatchObject({
      name: "ToolError",
      message: `The MCP server "odd" failed: ${sentence("mcp.no-folder", { folder: join(folder, "here") })}. Go on without it, or tell the user.`,
    });
    expect(second.listed()).toEqual(["mcp_odd_echo", "mcp_odd_odd"]);
  });
});

describe("more than 30 tools", () => {
  it("are found by tool_search and called by call_tool, and still know their schemas", async () => {
    const servers = await openServers({ many: oddServer("many") });
    await servers.ready();
    expect(servers.listed()).toEqual(["tool_search", "call_tool"]);
    expect(servers.hidden()).toHaveLength(40);
    const found = await runToolText(servers.tool("tool_search"), { query: "number 17" });
    expect(found).toMatch(/^mcp_many_tool17\nTool number 17.\n\{"type":"object"/);
    expect(await runToolText(servers.tool("tool_search"), { query: "天气" })).toMatch(/^Nothing fits.*tool0/);
    const call = servers.tool("call_tool");
    const good = { name: "mcp_many_tool17", arguments: { text: "好" } };
    expect(await runToolText(call, good)).toContain("好");
    expect(call.effects?.(good)).toMatchObject([
      { type: "call", server: "many", tool: "tool17", isReadOnly: false },
    ]);
    await expect(runTool(call, { name: "mcp_many_tool17", arguments: {} })).rejects.toThrow(
      "Invalid arguments for mcp_many_tool17: missing required text.",
    );
    await expect(runTool(call, { name: "mcp_many_tol17" })).rejects.toThrow('Did you mean "mcp_many_tool');
  });
});

describe("a crash", () => {
  it("is followed by a restart after a pause, and a later call works", async () => {
    const folder = await createTemporaryFolder();
    const mark = join(folder, "mark");
    const servers = await openServers({ odd: oddServer("dies-once", join(folder, "log"), mark) });
    await servers.ready();
    await expect(runTool(servers.tool("mcp_odd_odd"), {})).rejects.toThrow(
      sentence("mcp.ended", { exitCode: 6 }),
    );
    expect(await runToolText(servers.tool("mcp_odd_odd"), {})).toContain("alive again");
  });

  it("goes unnoticed where a call may be repeated", async () => {
    const folder = await createTemporaryFolder();
    const [log, mark] = [join(folder, "log"), join(folder, "mark")];
    const servers = await openServers({ odd: oddServer("dies-once-safely", log, mark) });
    await servers.ready();
    expect(await runToolText(servers.tool("mcp_odd_odd"), {})).toContain("alive again");
    expect((await readFile(log, "utf8")).match(/call odd/g)).toHaveLength(2);
  });

  it("after crash is followed by growing pauses, and then by rest until it is needed", async () => {
    const clock = createFakeClock();
    const config = { command: process.execPath, args: ["-e", "process.exit(1)"] };
    const servers = await openServers({ bad: config }, { clock, random: () => 0.5 });
    const ready = servers.ready();
    const pauses = () => clock.sleeps.filter((ms) => ms !== 3_000);
    for (const count of [1, 2, 3, 4, 5]) {
      await expect.poll(() => pauses().length).toBe(count);
      await clock.advance(pauses().at(-1) ?? 0);
    }
    await ready;
    expect(pauses()).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    await expect.poll(() => servers.mcp.status()[0]?.state).toBe("failed");
    expect(servers.problem("bad")).toBe(sentence("mcp.ended", { exitCode: 1 }));
    expect(pauses()).toHaveLength(5);
  });
});

describe("the cache", () => {
  it("is private, holds no secret, and counts as empty when it is damaged", async () => {
    const folder = await createTemporaryFolder();
    const config = { odd: { ...oddServer("good"), env: { TOKEN: "canary-1234567890" } } };
    const first = await openServers(config, { folder });
    await first.ready();
    await first.mcp.close();
    const [file = ""] = await readdir(join(folder, "cache"));
    const path = join(folder, "cache", file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, "utf8");
    expect(text).not.toContain("canary");
    for (const damaged of [
      text.slice(0, -20),
      "[]",
      '{"version":1}',
      text.replace('"version":1', '"version":2'),
    ]) {
      await writeFile(path, damaged);
      const next = await openServers(config, { folder });
      await next.mcp.load();
      expect(next.listed()).toEqual([]);
    }
  });
});
