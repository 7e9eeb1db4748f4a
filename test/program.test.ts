// The real program as a process: one question, a pipe, failures of the world, signals, and death in the middle.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { anything, like, words } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { findFreePort } from "./support/free-port.ts";
import {
  configFor,
  createProgramHome,
  nanobot,
  openInTerminal,
  type ProgramHome,
} from "./support/run-program.ts";
import { type Ended, runProgram, startProgram } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

function ask(home: ProgramHome, argv: string[], input?: string): Promise<Ended> {
  return typeHere(["agent", ...argv], home.env, { input });
}

describe("nanobot agent -m", () => {
  it("prints the answer on stdout and nothing else anywhere", async () => {
    const model = await startFakeModel(() => ({ text: ["Hello ", "**you**."] }));
    const home = await createProgramHome(configFor(model.url));
    expect(await runProgram(nanobot("agent", "-m", "hi"), { env: home.env })).toEqual({
      code: 0,
      signal: null,
      stdout: "Hello **you**.\n",
      stderr: "",
    });
    expect(model.requests[0]?.authorization).toBe("Bearer sk-test-1234567890");
  });

  it("prints one JSON value with --json, tools and tokens in it", async () => {
    const model = await startFakeModel((_, index) =>
      index === 0
        ? { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] }
        : { text: "There are files." },
    );
    const home = await createProgramHome(configFor(model.url));
    const { code, stdout } = await ask(home, ["-m", "what is here?", "--json", "--session", "cli:other"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      text: "There are files.",
      tools: [{ name: "list_dir", ok: true, ms: expect.any(Number) }],
      usage: { input: 200, cached: 120, output: 20 },
      stop: "completed",
      session: "cli:other",
    });
  });

  it("works without any config, key or network, and says so", async () => {
    const { code, stdout } = await ask(await createProgramHome(), ["-m", "hi"]);
    expect(code).toBe(0);
    expect(stdout).toContain(words.demo.tryThese);
    expect(stdout).toContain("nanobot onboard");
    const chinese = await ask(await createProgramHome(), ["-m", "现在几点？"]);
    expect(chinese.stdout).toMatch(/^现在是 /m);
  });

  it("answers commands", async () => {
    const { code, stdout } = await ask(await createProgramHome(), ["-m", "/help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("/new");
  });

  it("goes on with the conversation of the last time", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url));
    await ask(home, ["-m", "my cat is called Luna"]);
    await ask(home, ["-m", "and my dog?"]);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("Luna");
  });

  it("refuses a risky command where nobody can be asked, and goes on", async () => {
    const model = await startFakeModel((_, index) =>
      index === 0
        ? { toolCalls: [{ name: "exec", arguments: { command: "rm -rf made", outside: true } }] }
        : { text: "Not allowed." },
    );
    const home = await createProgramHome(configFor(model.url));
    const { code, stdout } = await ask(home, ["-m", "make a file", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ text: "Not allowed.", tools: [{ name: "exec", ok: false }] });
  });

  it("is quiet when the reader of its answer has gone", async () => {
    const model = await startFakeModel(() => ({ text: "x".repeat(200_000) }));
    const home = await createProgramHome(configFor(model.url));
    const [command = "", ...rest] = nanobot("agent", "-m", "hi");
    const child = spawn(command, rest, { env: home.env, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("standard input", () => {
  const echo = () =>
    startFakeModel(({ messages }) => ({ text: JSON.stringify(messages.at(-1)?.content).slice(0, 300) }));

  it("is the message where there is none, also without a command", async () => {
    const model = await echo();
    const home = await createProgramHome(configFor(model.url));
    expect((await ask(home, [], "from the pipe\n")).stdout).toContain("from the pipe");
    const plain = await runProgram(nanobot(), { env: home.env, input: "你好，从管道来\n" });
    expect(plain.stdout).toContain("你好，从管道来");
  });

  it("is appended to the message where there is one, unless it is empty", async () => {
    const model = await echo();
    const home = await createProgramHome(configFor(model.url));
    expect((await ask(home, ["-m", "explain:"], "the text\n")).stdout).toContain("explain:\\n\\nthe text");
    expect((await ask(home, ["-m", "explain:"], " \n")).stdout).not.toContain("explain:\\n\\n \\n");
  });

  it("is waited for as long as a command takes that writes to it", async () => {
    const model = await echo();
    const home = await createProgramHome(configFor(model.url));
    const line = nanobot("agent", "-m", "explain:")
      .map((word) => `'${word}'`)
      .join(" ");
    const { stdout } = await runProgram(["/bin/sh", "-c", `(sleep 1; echo late) | ${line}`], {
      env: home.env,
    });
    expect(stdout).toContain("explain:\\n\\nlate");
  });

  it("is never waited for when it stays open and silent", async () => {
    const model = await echo();
    const home = await createProgramHome(configFor(model.url));
    const [command = "", ...rest] = nanobot("agent", "-m", "hi");
    const child = spawn(command, rest, { env: home.env, stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  });

  it("says so when there is no message at all, or one that is no text", async () => {
    const home = await createProgramHome();
    const none = await ask(home, [], "\n");
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain(words.failure.noMessage);
    const child = startProgram(["/bin/sh", "-c", `printf '\\377\\376x' | ${nanobot("agent").join(" ")}`], {
      env: home.env,
    });
    const binary = await child.ended;
    expect(binary.code).toBe(1);
    expect(binary.stderr).toContain(words.failure.notText);
  });
});

describe("when it cannot work", () => {
  it("names the missing key of a model that was chosen, with exit code 1", async () => {
    const home = await createProgramHome({ agents: { defaults: { model: "deepseek/deepseek-chat" } } });
    const plain = await ask(home, ["-m", "hi"]);
    expect(plain).toMatchObject({ code: 1, stdout: "" });
    expect(plain.stderr).toContain("DEEPSEEK_API_KEY");
    const json = await ask(home, ["-m", "hi", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      text: "",
      stop: "error",
      session: "cli:direct",
      error: expect.stringContaining("DEEPSEEK_API_KEY"),
    });
  });

  it("tells everything that is wrong with a config, and changes nothing in it", async () => {
    const broken = '{ "agents": { "defaults": { "maxTokens": "many", "temperature": 9 } } }';
    const home = await createProgramHome(broken);
    const { code, stderr } = await ask(home, ["-m", "hi"]);
    expect(code).toBe(1);
    expect(stderr).toContain("agents.defaults.maxTokens");
    expect(stderr).toContain("agents.defaults.temperature");
    expect(await readFile(join(home.home, "config.json"), "utf8")).toBe(broken);
  });

  it("goes on with the last good config, and says so", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url));
    await ask(home, ["-m", "hi"]);
    await writeFile(join(home.home, "config.json"), "{ broken");
    const { code, stdout, stderr } = await ask(home, ["-m", "hi"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok\n" });
    expect(stderr).toContain("last-good");
  });

  it("says that a host cannot be reached, at once where it is on this machine", async () => {
    const address = `127.0.0.1:${await findFreePort()}`;
    const home = await createProgramHome(configFor(`http://${address}/v1`));
    const { code, stderr, stdout } = await ask(home, ["-m", "hi"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(address);
    expect(stderr).not.toContain("    at ");
    const json = await ask(home, ["-m", "hi", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ stop: "error", error: expect.any(String) });
  });

  it("fails when the answer could not be written", async () => {
    const model = await startFakeModel(() => ({ text: "lost" }));
    const home = await createProgramHome(configFor(model.url));
    const line = nanobot("agent", "-m", "hi").join(" ");
    const { code, stderr } = await runProgram(["/bin/sh", "-c", `${line} > /dev/full`], { env: home.env });
    expect(code).toBe(1);
    expect(stderr).toContain("ENOSPC");
  });

  it("shows a retry as a line on stderr", async () => {
    const model = await startFakeModel((_, index) =>
      index === 0 ? { error: { status: 503, message: "overloaded" } } : { text: "there" },
    );
    const home = await createProgramHome(configFor(model.url));
    const { code, stdout, stderr } = await ask(home, ["-m", "hi"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "there\n" });
    expect(stderr).toMatch(like(words.chat.retry(anything, 1, anything)));
  });

  it("never shows the key, whatever the host says", async () => {
    const model = await startFakeModel(() => ({
      error: { status: 401, message: "Incorrect API key provided: sk-test-1234567890." },
    }));
    const home = await createProgramHome(configFor(model.url));
    const { code, stderr, stdout } = await ask(home, ["-m", "hi", "--verbose"]);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain("sk-test-1234567890");
    expect(model.requests).toHaveLength(1);
  });

  it("shows a stack only with NANOBOT_DEBUG=1", async () => {
    const home = await createProgramHome(undefined, { NANOBOT_HOME: "/dev/null/nowhere" });
    const { code, stderr } = await ask(home, ["-m", "hi"]);
    expect(code).toBe(1);
    expect(stderr).not.toContain("    at ");
    const debug = await ask({ ...home, env: { ...home.env, NANOBOT_DEBUG: "1" } }, ["-m", "hi"]);
    expect(debug.stderr).toContain("    at ");
  });

  it.each([
    [["agnt"], words.usage.unknownCommand("agnt", "agent")],
    [["agent", "--mesage", "x"], "--message"],
    [["agent", "-m"], words.usage.missingValue("-m, --message <text>")],
  ])("exits with 2 for %j and says what was meant", async (argv, hint) => {
    const home = await createProgramHome();
    const { code, stdout, stderr } = await typeHere(argv, home.env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });
});

describe("signals", () => {
  it("stops at SIGINT with 130, and the next question finds a whole conversation", async () => {
    const model = await startFakeModel((_, index) =>
      index === 0 ? { text: "I am think", waitFor: new Promise(() => {}) } : { text: "ok" },
    );
    const home = await createProgramHome(configFor(model.url));
    const running = startProgram(nanobot("agent", "-m", "hi", "--json"), { env: home.env });
    await model.waitForRequests(1);
    running.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ stop: "cancelled" });
    expect((await ask(home, ["-m", "again"])).stdout).toBe("ok\n");
    const roles = model.requests[1]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
  });

  it("leaves a conversation that goes on after kill -9 in the middle of a tool, which is not run again", async () => {
    const command = "echo $$ >> started; exec sleep 600";
    const model = await startFakeModel((_, index) =>
      index === 0 ? { toolCalls: [{ name: "exec", arguments: { command } }] } : { text: "ok" },
    );
    const home = await createProgramHome(
      configFor(model.url, { tools: { approval: "off", exec: { sandbox: "off" } } }),
    );
    const program = openInTerminal(nanobot("agent", "-m", "sleep a while"), { env: home.env });
    const started = join(home.workspace, "started");
    const pid = Number(await readWhenThere(started));
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    process.kill(program.pid, "SIGKILL");
    await program.ended;

    expect(await ask(home, ["-m", "go on"])).toMatchObject({ code: 0, stdout: "ok\n" });
    const messages = model.requests[1]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(messages[3]?.content)).toMatch(/interrupt/i);
    expect((await readFile(started, "utf8")).trim().split("\n")).toHaveLength(1);
  });
});

/** The content of a file that another process is about to write. */
async function readWhenThere(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return "";
    });
    if (text.endsWith("\n")) return text;
    await sleep(20);
  }
}
