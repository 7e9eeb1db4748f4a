// The terminal on a running gateway: the chat attaches to it and survives its death, single questions go through it, and
// so do commands about memory.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showChoices, showsChoices } from "./support/choices.ts";
import { anything, like, words } from "./support/english.ts";
import { type FakeModel, type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import {
  configFor,
  createProgramHome,
  keys,
  nanobot,
  openInTerminal,
  type ProgramHome,
} from "./support/run-program.ts";
import { type Program, runProgram, startProgram } from "./support/start-program.ts";
import { hasSystemPart } from "./support/system-part.ts";
import { openTmuxChat } from "./support/tmux-chat.ts";

const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");

interface Scene {
  home: ProgramHome;
  model: FakeModel;
  gateway: Program;
  start(): Promise<Program>;
}

async function open(replies: FakeModelReply[] | ((index: number) => FakeModelReply)): Promise<Scene> {
  const at = (index: number) =>
    typeof replies === "function" ? replies(index) : (replies[index] ?? { text: "ok" });
  const model = await startFakeModel((_, index) => at(index));
  const config = configFor(model.url, { memory: { autoRecall: false } });
  const home = await createProgramHome(config);
  const start = async () => {
    const program = startProgram(nanobot("gateway", "--port", "0"), { env: home.env });
    await program.waitFor(words.gateway.stopHint);
    return program;
  };
  return { home, model, start, gateway: await start() };
}

describe.runIf(hasTmux)("a chat next to a gateway", () => {
  it("attaches to it, with tools, questions, custom commands, and what is said elsewhere", async () => {
    const risky = { toolCalls: [{ name: "exec", arguments: { command: "rm -r old", outside: true } }] };
    const scene = await open([
      { text: "First **answer**." },
      risky,
      { text: "Then not." },
      { text: "From there." },
    ]);
    const chat = await openTmuxChat([], { given: scene.home });
    await chat.waitFor(`· ${words.terminal.gateway}`);
    await chat.say("hi");
    await chat.waitFor("First answer.");
    await chat.say("remove it");
    await chat.waitFor((shown) => showsChoices(shown));
    await chat.say("n");
    await chat.waitFor("Then not.");
    await chat.say("!echo from my shell");
    await chat.waitFor("  from my shell");
    const ended = await runProgram(nanobot("agent", "-m", "over there"), { env: scene.home.env });
    expect(ended).toMatchObject({ code: 0, stdout: "From there.\n" });
    await chat.waitFor("> over there");
    await chat.waitFor((shown) => shown.includes("From there.") && !shown.includes(words.terminal.escStops));
    await chat.say("and here?");
    await scene.model.waitForRequests(5);
    expect(JSON.stringify(scene.model.requests[4]?.messages.at(-1))).toContain("from my shell");
  });

  it("says so when it is killed, finds it again, and goes on with the answer", async () => {
    const gate = Promise.withResolvers<void>();
    const scene = await open((index) => {
      if (index === 0) return { text: "Half an ans", waitFor: gate.promise };
      return { text: index === 1 ? "The whole answer." : "And on." };
    });
    const chat = await openTmuxChat([], { given: scene.home });
    await chat.say("hi");
    await chat.waitFor("Half an ans");
    scene.gateway.kill("SIGKILL");
    await scene.gateway.ended;
    await chat.waitFor(words.terminal.lost);
    await scene.start();
    await chat.waitFor(words.terminal.back);
    await chat.waitFor(
      (shown) => shown.includes("The whole answer.") && !shown.includes(words.terminal.escStops),
    );
    await chat.say("go on");
    await chat.waitFor("And on.");
    const shown = await chat.everything();
    for (const once of ["> hi", "The whole answer.", "> go on"]) expect(shown.split(once)).toHaveLength(2);
    gate.resolve();
  });

  it("stops what runs there, and leaves it running at the end", async () => {
    const endless = { text: "on and on", waitFor: new Promise(() => {}) };
    const scene = await open([endless, { text: "Yes, I am." }]);
    const chat = await openTmuxChat([], { given: scene.home });
    await chat.say("hi");
    await chat.waitFor("on and on");
    await chat.press("Escape");
    await chat.waitFor(words.reply.stoppedMark);
    await chat.say("still there?");
    await chat.waitFor((shown) => shown.includes("Yes, I am.") && !shown.includes(words.terminal.escStops));
    await chat.press("C-d");
    expect(await chat.waitForEnd()).toBe(0);
    const status = await runProgram(nanobot("gateway", "status"), { env: scene.home.env });
    expect(status.code).toBe(0);
  });
});

describe("one question next to a gateway", () => {
  it("has the same output, JSON value and exit code as without one", async () => {
    const call = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };
    const scene = await open([call, { text: "**seen**" }, { error: { status: 401, message: "bad key" } }]);
    const asked = nanobot("agent", "-m", "look", "--json");
    const { code, stdout } = await runProgram(asked, { env: scene.home.env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      text: "**seen**",
      tools: [{ name: "list_dir", ok: true }],
      usage: { input: 200, cached: 120, output: 20 },
      stop: "completed",
      session: "cli:direct",
    });
    const failed = await runProgram(nanobot("agent", "-m", "again"), { env: scene.home.env });
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toMatch(like(words.failure.turnFailed(anything)));
  });

  it("hands files over, and tells what was piped from what was asked", async () => {
    const scene = await open([{ text: "read" }]);
    const file = join(scene.home.home, "far away.txt");
    await writeFile(file, "far");
    const argv = nanobot("agent", "-m", "what is this?", "--media", file);
    const { code, stdout } = await runProgram(argv, { env: scene.home.env, input: "piped text" });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "read\n" });
    const said = JSON.stringify(scene.model.requests[0]?.messages.at(-1));
    expect(said).toContain("what is this?\\n\\npiped text");
    expect(said).toContain("far away.txt");
  });

  it("asks its questions here, and is stopped by Ctrl-C", async () => {
    const risky = { toolCalls: [{ name: "exec", arguments: { command: "rm -r old", outside: true } }] };
    const endless = { text: "on and on", waitFor: new Promise(() => {}) };
    const scene = await open([risky, { text: "Then not." }, endless]);
    const program = openInTerminal(nanobot("agent", "-m", "remove it"), { env: scene.home.env });
    await program.waitFor("rm -r old");
    await program.waitFor(showChoices());
    program.type(`n${keys.enter}`);
    await program.waitFor("Then not.");
    expect(await program.ended).toBe(0);

    const stopped = openInTerminal(nanobot("agent", "-m", "go"), { env: scene.home.env });
    await stopped.waitFor("on and on");
    stopped.type(keys.ctrlC);
    expect(await stopped.ended).toBe(130);
  });

  it("fails with a sentence when the gateway dies under it", async () => {
    const scene = await open([{ text: "half", waitFor: new Promise(() => {}) }]);
    const asking = runProgram(nanobot("agent", "-m", "hi"), { env: scene.home.env });
    await scene.model.waitForRequests(1);
    scene.gateway.kill("SIGKILL");
    const { code, stderr } = await asking;
    expect(code).toBe(1);
    expect(stderr).toContain(words.terminal.unanswered);
  });
});

describe("commands next to a gateway", () => {
  it("about context and memory are answered by it, also when nothing else could", async () => {
    const scene = await open([]);
    const { home, workspace, env } = scene.home;
    const run = (...argv: string[]) => runProgram(nanobot(...argv), { env });
    const file = join(workspace, "memory/MEMORY.md");
    await writeFile(file, "- The car is blue.\n- The house is red.\n");
    // The gateway stays with the model that it has; another assistant could not be opened any more.
    const broken = { agents: { defaults: { provider: "nowhere", model: "x" } } };
    await writeFile(join(home, "config.json"), JSON.stringify(broken));
    const context = await run("context", "--json");
    expect(context.code).toBe(0);
    expect(JSON.parse(context.stdout)).toMatchObject({ session: "cli:direct" });
    const dreamt = await run("memory", "dream", "--json");
    expect(dreamt).toMatchObject({ code: 0 });

    const forgotten = await run("memory", "forget", "car", "--yes", "--json");
    expect(forgotten.code).toBe(0);
    expect(await readFile(file, "utf8")).toBe("- The house is red.\n");
    const { version } = JSON.parse(forgotten.stdout) as { version: string };
    const restored = await run("memory", "restore", version);
    expect(restored.code).toBe(0);
    expect(await readFile(file, "utf8")).toContain("The car is blue.");
    const unknown = await run("memory", "restore", "00000000");
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toContain("00000000");
  });
});
