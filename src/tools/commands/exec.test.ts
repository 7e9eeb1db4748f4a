import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { createToolContext } from "../../../test/support/tool-context.ts";
import { createWorkspace, type TestWorkspace } from "../../../test/support/workspace.ts";
import { systemClock } from "../../lib/clock.ts";
import { createExec, type ExecOptions } from "./exec.ts";

interface Shell extends TestWorkspace {
  run(command: string, args?: Record<string, unknown>): Promise<string>;
}

async function createShell(options?: ExecOptions): Promise<Shell> {
  const created = await createWorkspace({ "笔记.md": "早上好\n" });
  const tool = createExec(created.roots, options);
  return { ...created, run: (command, args = {}) => runToolText(tool, { command, ...args }) };
}

/** True for a live process; one that waits to be reaped is dead. */
function isRunning(pid: string): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

/** Once it is written. */
async function readPid(workspace: string, name = "pid"): Promise<string> {
  const read = () => readFile(join(workspace, name), "utf8").catch(() => "");
  await expect.poll(read).toMatch(/\n$/);
  return (await read()).trim();
}

describe("a command", () => {
  it("gives its output, its errors and its exit code", async () => {
    const { run } = await createShell();
    expect(await run("cat 笔记.md")).toBe("早上好\nExit code: 0");
    expect(await run("echo out; echo err >&2; exit 3")).toBe("out\nSTDERR:\nerr\nExit code: 3");
    expect(await run("true")).toBe("Exit code: 0");
    expect(await run("kill -SEGV $$")).toBe("Ended by signal SIGSEGV");
    expect(await run("no-such-program")).toMatch(/STDERR:\n.*not found\nExit code: 127$/);
  });

  it("runs in bash, in the workspace or a folder of it, and in no other", async () => {
    const { run, workspace } = await createShell();
    await mkdir(join(workspace, "子"));
    expect(await run('[[ a == a ]] && echo "$BASH_VERSION" | wc -l; pwd')).toBe(
      `1\n${workspace}\nExit code: 0`,
    );
    expect(await run("pwd", { working_dir: "子" })).toBe(`${workspace}/子\nExit code: 0`);
    await expect(run("pwd", { working_dir: "../outside" })).rejects.toThrow(/leads outside/);
    await expect(run("pwd", { working_dir: "笔记.md" })).rejects.toThrow(/not a folder/);
    await expect(run("  ")).rejects.toThrow(/Give a command/);
    await expect(run("a\0b")).rejects.toThrow(/NUL/);
  });

  it("ends with its turn, also when that ends at the very moment in which it begins", async () => {
    const { roots } = await createWorkspace({});
    const turn = new AbortController();
    const openFolder: typeof roots.openFolder = async (path, origin) => {
      const folder = await roots.openFolder(path, origin);
      const close = () => {
        turn.abort(new Error("stop"));
        return folder.close();
      };
      return { ...folder, close };
    };
    // Without a limit of its own it would run for ever.
    const tool = createExec({ ...roots, openFolder }, { timeoutSeconds: 0 });
    const context = createToolContext({ signal: turn.signal });
    await expect(runTool(tool, { command: "sleep 1000" }, context)).rejects.toThrow("stop");
  });

  it("has no input to wait for", async () => {
    const { run } = await createShell();
    expect(await run("cat; read x; echo done")).toBe("done\nExit code: 0");
  });

  it("has no secrets and nothing of npm's in its environment", async () => {
    const { run } = await createShell({
      environment: {
        ...process.env,
        PATH: `/x/node_modules/.bin:${process.env.PATH}`,
        OPENAI_API_KEY: "sk-secret",
        npm_lifecycle_event: "start",
        MINE: "allowed",
      },
      allowedEnvKeys: ["MINE"],
      pathPrepend: "/first",
      pathAppend: "/last",
    });
    const output = await run("env");
    expect(output).not.toMatch(/secret|npm_|node_modules\/\.bin/);
    expect(output).toMatch(/^MINE=allowed$/m);
    expect(output).toMatch(/^PATH=\/first:.*:\/last$/m);
    expect(output).toMatch(/^HOME=/m);
  });

  it("says what it would run", async () => {
    const { roots } = await createShell();
    const effects = createExec(roots).effects?.({ command: "ls", working_dir: "a" });
    expect(effects).toEqual([{ type: "run", command: "ls", workingDirectory: "a" }]);
  });
});

describe("output", () => {
  it("keeps its beginning and its end within 10,000 characters", async () => {
    const { run } = await createShell();
    const output = await run("echo BEGIN; seq 1 300000; echo END");
    expect(output.length).toBeLessThan(10_200);
    expect(output).toMatch(/^BEGIN\n1\n2\n/);
    expect(output).toMatch(/\n\.\.\. \(\d+ characters left out\) \.\.\.\n/);
    expect(output).toMatch(/\n300000\nEND\nExit code: 0$/);
  });

  it("leaves room for errors after a flood, and for a flood of errors", async () => {
    const { run } = await createShell();
    const both = await run("seq 1 100000; echo problem >&2");
    expect(both).toMatch(/100000\nSTDERR:\nproblem\nExit code: 0$/);
    const errors = await run("seq 1 100000 >&2; echo fine");
    expect(errors).toMatch(/^fine\nSTDERR:\n1\n/);
    expect(errors.length).toBeGreaterThan(9000);
    expect(errors.length).toBeLessThan(10_300);
  });

  it("does not grow in memory", async () => {
    const { run } = await createShell();
    const before = process.resourceUsage().maxRSS;
    await run("head -c 300000000 /dev/zero | tr '\\0' x");
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(128 * 1024);
  });

  it("is cleaned of colours, redrawn lines and bytes that are no text", async () => {
    const { run } = await createShell();
    expect(await run("printf '\\033[31mred\\033[0m\\n10%%\\r50%%\\r100%%\\nline\\r\\n\\0\\007end'")).toBe(
      "red\n100%\nline\nend\nExit code: 0",
    );
  });

  it("shows its latest line while it comes, and not every one", async () => {
    const { roots } = await createShell();
    const command = "printf 'one\\ntwo\\n'; sleep 0.2; echo 三";
    let time = 0;
    const ticking = { ...systemClock, elapsed: () => (time += 1000) };
    const context = createToolContext();
    await runTool(createExec(roots, { clock: ticking }), { command }, context);
    expect(context.progressed.at(-1)).toBe("三");
    const standing = { ...systemClock, elapsed: () => 0 };
    const quiet = createToolContext();
    await runTool(createExec(roots, { clock: standing }), { command }, quiet);
    expect(quiet.progressed).toHaveLength(1);
  });
});

describe("time", () => {
  it("ends the whole tree when it is over, and keeps what came before", async () => {
    const { roots, workspace } = await createShell();
    const clock = createFakeClock();
    const command =
      "echo started; bash -c 'sleep 300 & echo $! > pid; setsid sleep 300 & echo $! > free; wait' & wait";
    const call = runTool(createExec(roots, { clock }), { command, timeout: 1 });
    const pids = [await readPid(workspace, "pid"), await readPid(workspace, "free")];
    await clock.advance(1_000);
    const result = await call;
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^started\nTimed out after 1 seconds/);
    for (const pid of pids) {
      expect(Number(pid)).toBeGreaterThan(1);
      expect(isRunning(pid)).toBe(false);
    }
  });

  it("is ended with the turn, also when the command does not listen", async () => {
    const { roots, workspace } = await createShell();
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal });
    const call = runTool(
      createExec(roots),
      { command: "trap '' TERM; echo $$ > pid; while :; do sleep 1; done" },
      context,
    );
    const pid = await readPid(workspace);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(isRunning(pid)).toBe(false);
  });

  it("is not spent on what runs in the background", async () => {
    const { run, workspace } = await createShell();
    const output = await run("sleep 300 & echo $! > pid; echo ready");
    expect(output).toBe(
      "ready\nExit code: 0\n(A background process still runs. To keep its output, send it to a file.)",
    );
    const pid = Number(await readFile(join(workspace, "pid"), "utf8"));
    expect(isRunning(String(pid))).toBe(true);
    process.kill(pid);
  });

  it("is not begun in a turn that is over", async () => {
    const { roots, workspace } = await createShell();
    const reason = new Error("stop");
    const context = createToolContext({ signal: AbortSignal.abort(reason) });
    await expect(runTool(createExec(roots), { command: "touch x" }, context)).rejects.toBe(reason);
    await expect(readFile(join(workspace, "x"))).rejects.toThrow(/ENOENT/);
  });
});

it("is told whole, and without a word of the background, by a program that has no time for it", async () => {
  const { run } = await createShell();
  let isOver = false;
  const keepBusy = () => {
    for (const end = performance.now() + 250; performance.now() < end; );
    if (!isOver) setImmediate(keepBusy);
  };
  keepBusy();
  const outputs = [await run("echo one"), await run("cat 笔记.md; echo err >&2")];
  isOver = true;
  expect(outputs).toEqual(["one\nExit code: 0", "早上好\nSTDERR:\nerr\nExit code: 0"]);
});

it("leaves no zombies behind", async () => {
  const { run } = await createShell();
  await Promise.all(Array.from({ length: 10 }, () => run("true & false")));
  const states = execFileSync("ps", ["-o", "stat=", "--ppid", String(process.pid)], { encoding: "utf8" });
  expect(states).not.toMatch(/^Z/m);
});
