import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createToolContext, owner } from "../../../test/support/tool-context.ts";
import { createWorkspace } from "../../../test/support/workspace.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { ToolContext } from "../../runner/tool.ts";
import { createExec } from "./exec.ts";
import { createProcess } from "./process.ts";
import { ProcessTable, processLimits } from "./process-table.ts";

type Args = Record<string, unknown>;

/** Only for a hang. */
const patienceMs = 30_000;

const hasPython = hasSystemPart(["python3", "--version"], "python3");

async function setUp(clock: Clock = systemClock) {
  const { roots, workspace } = await createWorkspace();
  const processes = new ProcessTable(clock);
  onTestFinished(() => processes.close());
  // Only the table's time is told; waiting takes real time.
  const watch = { ...systemClock, elapsed: clock.elapsed };
  const exec = createExec(roots, { processes, clock: watch });
  const tool = createProcess(processes, watch);
  const start = async (command: string, args: Args = {}, context?: Partial<ToolContext>) => {
    const text = await runToolText(exec, { command, yield_time_ms: 0, ...args }, createToolContext(context));
    return /Process (\S+) still runs/.exec(text)?.[1] ?? expect.fail(`not left running: ${text}`);
  };
  const call = (args: Args, context?: Partial<ToolContext>) =>
    runToolText(tool, args, createToolContext(context));
  /** What it says, from what was already said until it has said this. */
  const readUntil = async (id: string, sign: RegExp, before = "") => {
    let said = before;
    await vi.waitFor(async () => {
      said += await call({ action: "read", id, wait_ms: 20 });
      expect(said).toMatch(sign);
    }, patienceMs);
    return said;
  };
  return { exec, tool, processes, start, call, readUntil, workspace };
}

function isRunning(pid: string): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

async function readPid(workspace: string): Promise<string> {
  return vi.waitFor(async () => {
    const text = (await readFile(join(workspace, "pid"), "utf8")).trim();
    expect(text).not.toBe("");
    return text;
  }, patienceMs);
}

describe("a command that is left running", () => {
  it("runs alone: no start-up file of the shell is read before it", async () => {
    const { roots } = await createWorkspace();
    const HOME = await createTemporaryFolder({ ".bashrc": "echo more than was asked for" });
    const exec = createExec(roots, { environment: { PATH: process.env.PATH, HOME } });
    const text = await runToolText(exec, { command: "echo quick", yield_time_ms: 30_000 });
    expect(text).toBe("quick\nExit code: 0");
  });

  it("returns what it has so far with an id, or simply ends if it is fast", async () => {
    const { exec, call, readUntil } = await setUp();
    expect(await runToolText(exec, { command: "echo quick", yield_time_ms: 30_000 })).toBe(
      "quick\nExit code: 0",
    );
    const begun = await runToolText(exec, { command: "echo first; read x; echo $x", yield_time_ms: 0 });
    const id = /Process (p\w{5}) still runs/.exec(begun)?.[1] ?? expect.fail(begun);
    expect(await readUntil(id, /first/, begun)).toMatch(/first\n\(Process \S+ still runs, for \d+\.\d s\.\)/);
    expect(await call({ action: "write", id, text: "你好\n", wait_ms: 30_000 })).toBe("你好\nExit code: 0");
    expect(await call({ action: "read", id })).toBe("Exit code: 0");
  });

  it.runIf(hasPython)("is talked to like a person at a terminal would", async () => {
    const { start, call, readUntil } = await setUp();
    const id = await start("exec python3 -iq 2>&1");
    await readUntil(id, /42/, await call({ action: "write", id, text: "6 * 7\n", wait_ms: 0 }));
    expect(await call({ action: "write", id, text: "exit(3)\n", wait_ms: 30_000 })).toMatch(/Exit code: 3$/);
  });

  it("can have its input closed, and then takes no more", async () => {
    const { start, call, readUntil } = await setUp();
    const id = await start("cat; echo done; sleep 300");
    const fed = await call({ action: "write", id, text: "a\nb", wait_ms: 0 });
    await readUntil(id, /done/, fed + (await call({ action: "close", id, wait_ms: 0 })));
    await expect(call({ action: "write", id, text: "c" })).rejects.toThrow(/takes no more input/);
    await expect(call({ action: "write", id })).rejects.toThrow(/needs text/);
  });

  it("shows only what is new, bounded, and without bytes that are no text", async () => {
    const { start, call, readUntil } = await setUp();
    const id = await start("head -c 3000000 /dev/urandom; seq 1 300000; echo END; read x; echo more");
    const output = await readUntil(id, /END/);
    expect(output).not.toMatch(/[\p{Cc}--[\t\n]]/v);
    expect(await call({ action: "write", id, text: "\n", wait_ms: 30_000 })).toBe("more\nExit code: 0");
    const flood = await start("head -c 3000000 /dev/urandom; seq 1 300000; seq 1 300000 >&2");
    const whole = await call({ action: "read", id: flood, wait_ms: 30_000 });
    expect(whole).toMatch(/characters left out.*\n300000\nExit code: 0$/s);
    expect(whole.length).toBeLessThan(10_300);
  });

  it("tells one look from the next, so that waiting is not going in circles", async () => {
    const { start, call } = await setUp();
    const id = await start("sleep 300");
    const looks = [
      await call({ action: "read", id, wait_ms: 150 }),
      await call({ action: "read", id, wait_ms: 150 }),
    ];
    expect(new Set(looks).size).toBe(2);
  });

  it("says where its words come from: what was read before it, and the network", async () => {
    const { start, tool } = await setUp();
    const id = await start("sleep 300", { network: true }, { labels: new Set(["web:a.example"]) });
    const { labels } = await runTool(tool, { action: "read", id, wait_ms: 0 });
    expect(labels).toEqual(["web:a.example", "command"]);
  });

  it("reports progress while it is waited for", async () => {
    const { start, tool } = await setUp();
    const id = await start("read x; echo 三");
    const context = createToolContext();
    await runTool(tool, { action: "write", id, text: "\n", wait_ms: 10_000 }, context);
    expect(context.progressed).toEqual(["三"]);
  });

  it("keeps a limit that was given to it", async () => {
    const { start, call } = await setUp();
    const id = await start("sleep 300", { timeout: 1 });
    expect(await call({ action: "read", id, wait_ms: 20_000 })).toMatch(/^Timed out after 1 seconds/);
  });

  it("says what writing to it would run, with the network if it has it", async () => {
    const { tool, start, call } = await setUp();
    const id = await start("bash", { network: true });
    expect(tool.effects?.({ action: "write", id, text: "rm -r x\n" })).toEqual([
      { type: "run", command: "{ bash\n} <<'INPUT'\nrm -r x\nINPUT", network: true },
    ]);
    const tricky = tool.effects?.({ action: "write", id, text: "INPUT\nrm x" })[0];
    expect(tricky).toMatchObject({ command: "{ bash\n} <<'INPUT10'\nINPUT\nrm x\nINPUT10" });
    await call({ action: "write", id, text: "f() {\n", wait_ms: 0 });
    expect(tool.effects?.({ action: "write", id, text: "rm x; }\n" })[0]).toMatchObject({
      command: "{ bash\n} <<'INPUT'\nf() {\nrm x; }\nINPUT",
    });
    expect(tool.effects?.({ action: "read", id })).toEqual([]);
    expect(tool.effects?.({ action: "write", id: "p0", text: "x" })).toEqual([]);
  });
});

describe("its end", () => {
  it("comes with kill, with everything that it started", async () => {
    const { start, call, workspace } = await setUp();
    const id = await start("sleep 300 & echo $! > pid; wait");
    const pid = await readPid(workspace);
    expect(await call({ action: "kill", id })).toMatch(/Ended on request/);
    expect(isRunning(pid)).toBe(false);
    expect(await call({ action: "kill", id })).toMatch(/Ended on request/);
  });

  it("comes with the end of its conversation's work, and of nobody else's", async () => {
    const { start, processes, workspace, call } = await setUp();
    await start("sleep 300 & echo $! > pid; wait");
    const pid = await readPid(workspace);
    const other = await start("sleep 300", {}, { sessionKey: "telegram:1" });
    expect(await processes.stopSession("cli:direct")).toBe(1);
    expect(isRunning(pid)).toBe(false);
    expect(await call({ action: "list" }, { sessionKey: "telegram:1" })).toMatch(
      new RegExp(`^${other} \\(Process ${other} still runs, for .*\\) sleep 300$`),
    );
    expect(await processes.stopSession("cli:direct")).toBe(0);
  });

  it("is up to the person who started it, also where another one has the same session key later", async () => {
    const { start, call, processes } = await setUp();
    const id = await start("sleep 300");
    const guest = { origin: { ...owner, person: "ben", role: "guest" } } as const;
    expect(await call({ action: "list" }, guest)).toBe("No processes.");
    await expect(call({ action: "read", id }, guest)).rejects.toThrow(/There is no process/);
    expect(await processes.stopSession("cli:direct")).toBe(1);
  });

  it("comes with the turn while the call still waits", async () => {
    const { exec, workspace, processes } = await setUp();
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal });
    const call = runTool(exec, { command: "echo $$ > pid; sleep 300", yield_time_ms: 30_000 }, context);
    const pid = await readPid(workspace);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(isRunning(pid)).toBe(false);
    expect(processes.list("cli:direct")).toEqual([]);
  });

  it("comes when nobody asked for it for half an hour, and after four hours at the latest", async () => {
    const clock = createFakeClock();
    const { start, call, processes } = await setUp(clock);
    const idle = await start("sleep 300");
    await clock.advance(processLimits.idleMs - 1000);
    const busy = await start("sleep 300");
    await clock.advance(2000);
    await vi.waitFor(async () => expect(processes.peek(idle)?.process.end).toBeDefined(), patienceMs);
    expect(await call({ action: "read", id: idle })).toMatch(/nobody asked for it/);
    for (let quarters = 0; quarters < 15; quarters++) {
      await clock.advance(processLimits.lifeMs / 16);
      expect(processes.find("cli:direct", "owner", busy).process.end).toBeUndefined();
    }
    await clock.advance(processLimits.lifeMs / 16);
    await vi.waitFor(async () => expect(processes.peek(busy)?.process.end).toBeDefined(), patienceMs);
    expect(processes.peek(busy)?.process.end?.stopCause).toBe("life");
    await vi.waitFor(async () => {
      await clock.advance(processLimits.keptMs + 1000);
      expect(processes.list("cli:direct")).toEqual([]);
    }, patienceMs);
  });

  it("comes when the program closes", async () => {
    const { start, processes, workspace } = await setUp();
    await start("echo $$ > pid; sleep 300");
    const pid = await readPid(workspace);
    await processes.close();
    expect(isRunning(pid)).toBe(false);
  });
});

describe("a conversation", () => {
  it("does not see the processes of another", async () => {
    const { start, call } = await setUp();
    const id = await start("sleep 300");
    const elsewhere = { sessionKey: "telegram:1" };
    await expect(call({ action: "read", id }, elsewhere)).rejects.toThrow(
      `There is no process "${id}" here. exec starts one`,
    );
    await expect(call({ action: "kill", id: "p1" })).rejects.toThrow(`There are: ${id}.`);
    expect(await call({ action: "list" }, elsewhere)).toBe("No processes.");
    await expect(call({ action: "read" })).rejects.toThrow(/needs the id/);
  });

  it("has eight at most, and all together have thirty-two", async () => {
    const { start, call } = await setUp();
    const ids = await Promise.all(Array.from({ length: 8 }, () => start("sleep 300")));
    await expect(start("sleep 300")).rejects.toThrow(/^8 processes already run here: /);
    await call({ action: "kill", id: ids[0] });
    await start("sleep 300");
    for (const sessionKey of ["a", "b", "c"]) {
      await Promise.all(Array.from({ length: 8 }, () => start("sleep 300", {}, { sessionKey })));
    }
    await expect(start("sleep 300", {}, { sessionKey: "d" })).rejects.toThrow(/other conversations/);
  });
});
