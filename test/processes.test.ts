// Commands that are left running, in the whole assistant: what ends them, in a sandbox and without.
import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";
import type { CodeScript, CodeStep } from "../src/llm/scripted.ts";
import { like, sentence, words } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { sampled } from "./support/long-form.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./support/run-program.ts";
import { hasBubblewrap } from "./support/sandboxed-shell.ts";
import { type Program, runProgram, startProgram } from "./support/start-program.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const modes = hasBubblewrap() ? ["auto", "off"] : ["off"];
let marks = 0;

/** A command that runs for days and can be told from all others. From a sandbox not even what hides gets away. */
function createEndless(sandbox = "auto"): { command: string; isRunning(): boolean } {
  const mark = `9${process.pid}${++marks}`;
  const isRunning = () => spawnSync("pgrep", ["-f", `sleep ${mark}`]).status === 0;
  const child = sandbox === "auto" ? `(setsid sleep ${mark} &)` : `sleep ${mark} &`;
  return { command: `${child}\nsleep ${mark}`, isRunning };
}

const leave = (command: string) => ({
  toolCalls: [{ name: "exec", arguments: { command, yield_time_ms: 100 } }],
});

function openApp(script: CodeScript, sandbox: string): Promise<TestApp> {
  return createTestApp(script, { config: { tools: { approval: "off", exec: { sandbox } } } });
}

const say = (app: TestApp, text: string, sessionKey = "cli:direct") =>
  app.loop.processDirect({ text, sessionKey });

describe.each(modes)("a command that was left running, with the sandbox %s", (sandbox) => {
  it("is still there in the next turn", async () => {
    const endless = createEndless(sandbox);
    const app = await openApp([leave(endless.command), "started", "fine"], sandbox);
    await say(app, "start it");
    await say(app, "go on");
    expect(endless.isRunning()).toBe(true);
  });

  it.each(["/stop", "/new"])("ends with %s, and not with that of another conversation", async (command) => {
    const endless = createEndless(sandbox);
    const app = await openApp([leave(endless.command), "started"], sandbox);
    await say(app, "start it");
    await say(app, command, "cli:other");
    expect(endless.isRunning()).toBe(true);
    const { text } = await say(app, command);
    expect(endless.isRunning()).toBe(false);
    if (command === "/stop") expect(text).toBe(words.reply.stopped(1));
  });

  it("ends when the assistant closes", async () => {
    const endless = createEndless(sandbox);
    const app = await openApp([leave(endless.command), "started"], sandbox);
    await say(app, "start it");
    await app.close();
    expect(endless.isRunning()).toBe(false);
  });

  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  // The signals do not depend on the sandbox.
  it.each(sampled(sandbox === "off" ? signals : signals.slice(0, 1), signals))(
    "ends when the program gets %s",
    async (signal) => {
      const endless = createEndless(sandbox);
      const program = await startWith(endless.command, sandbox);
      expect(endless.isRunning()).toBe(true);
      program.kill(signal);
      await program.ended;
      expect(endless.isRunning()).toBe(false);
    },
  );
});

describe.runIf(modes.includes("auto"))("a program that is killed", () => {
  it("leaves nothing behind that ran in the sandbox", async () => {
    const endless = createEndless();
    const program = await startWith(endless.command, "auto");
    expect(endless.isRunning()).toBe(true);
    program.kill("SIGKILL");
    await program.ended;
    await expect.poll(endless.isRunning).toBe(false);
  });

  it("leaves nothing behind, however soon it dies after the start", async () => {
    const folder = await createTemporaryFolder();
    const script = packagePath("test/support/die-while-running.ts");
    const moments = sampled([0, 1, 4, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const all = moments.map((ms) => ({ ms: String(ms), ...createEndless() }));
    for (const { ms, command } of all) {
      const { signal } = await runProgram([process.execPath, script, folder, command, ms]);
      expect(signal).toBe("SIGKILL");
    }
    await expect.poll(() => all.filter(({ isRunning }) => isRunning())).toEqual([]);
  });

  it("leaves nothing behind of a call that is waited for either", async () => {
    const endless = createEndless();
    const { program } = await startProgramWith({ command: endless.command }, "auto");
    await expect.poll(endless.isRunning).toBe(true);
    program.kill("SIGKILL");
    await program.ended;
    await expect.poll(endless.isRunning).toBe(false);
  });
});

/** The real program, whose model waits for ever after the command was left running. */
async function startWith(command: string, sandbox: string): Promise<Program> {
  const { program, waitForSecond } = await startProgramWith({ command, yield_time_ms: 100 }, sandbox);
  await waitForSecond();
  return program;
}

async function startProgramWith(
  args: Record<string, unknown>,
  sandbox: string,
): Promise<{ program: Program; waitForSecond(): Promise<void> }> {
  const never = new Promise(() => {});
  const model = await startFakeModel((_, index) =>
    index === 0 ? { toolCalls: [{ name: "exec", arguments: args }] } : { text: "…", waitFor: never },
  );
  const tools = { approval: "off", exec: { sandbox } };
  const home: ProgramHome = await createProgramHome(configFor(model.url, { tools }));
  const program = startProgram(nanobot("agent", "-m", "start it"), { env: home.env });
  return { program, waitForSecond: () => model.waitForRequests(2) };
}

describe.runIf(modes.includes("auto"))("what is written to a shell that was left running", () => {
  const write =
    (text: string): CodeStep =>
    ({ messages }) => {
      const id = /Process (p\w+) still runs/.exec(JSON.stringify(messages))?.[1];
      return { toolCalls: [{ name: "process", arguments: { action: "write", id, text, wait_ms: 0 } }] };
    };

  it("is judged like a command, together with what was written before", async () => {
    const lines = ["echo one\n", "curl https://a.example\n", "echo() { \n", "x=1\n"];
    const config = { tools: { exec: { deny: ["curl"] } } };
    const app = await createTestApp([leave("bash"), ...lines.map(write), "done"], { config });
    await app.loop.processDirect({
      sessionKey: "cli:direct",
      text: "go",
      ask: async ({ detail }) => ({ choice: detail === "bash" ? "once" : "no" }),
    });
    const messages = app.provider.requests.at(-1)?.messages ?? [];
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? [String(content)] : []));
    expect(results).toEqual([
      expect.stringMatching(/still runs/),
      expect.stringMatching(/still runs/),
      expect.stringMatching(like(sentence("approval.owner-rule", { rule: "curl" }))),
      expect.stringMatching(/^Not allowed/),
      expect.stringMatching(/still runs/),
    ]);
  });
});
