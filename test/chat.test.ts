// The chat in a real terminal: what is typed, what is drawn, and the ways to stop and to leave.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeModel, type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import {
  configFor,
  createProgramHome,
  keys,
  nanobot,
  openInTerminal,
  type ProgramHome,
  paste,
  type TerminalProgram,
} from "./support/run-program.ts";

interface Chat extends TerminalProgram {
  model: FakeModel;
  home: ProgramHome;
  say(text: string): void;
}

async function openChat(
  replies: FakeModelReply[] | ((index: number) => FakeModelReply),
  { env = {}, given }: { env?: NodeJS.ProcessEnv; given?: ProgramHome } = {},
): Promise<Chat> {
  const at = (index: number) =>
    typeof replies === "function" ? replies(index) : (replies[index] ?? { text: "ok" });
  const model = await startFakeModel((_, index) => at(index));
  const home = given ?? (await createProgramHome(configFor(model.url), env));
  const program = openInTerminal(nanobot("agent"), { env: home.env });
  await program.waitFor("> ");
  return { ...program, model, home, say: (text) => program.type(text + keys.enter) };
}

function lastUserText(model: FakeModel, request: number): string {
  const users = model.requests[request]?.messages.filter(({ role }) => role === "user") ?? [];
  return JSON.stringify(users.at(-1)?.content);
}

describe("a conversation", () => {
  it("shows the answer as rendered Markdown, one line per tool call, and then the prompt again", async () => {
    const chat = await openChat([
      { text: "Let me **look**.", toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      { text: ["# Fi", "les\n- `AGENTS", ".md`\n"] },
    ]);
    chat.say("what is here?");
    await chat.waitFor("Let me look.");
    await chat.waitFor("✓ ls . · ");
    await chat.waitFor("# Files\r\n• AGENTS.md\r\n");
    await chat.waitFor("> ");
    chat.say("exit");
    expect(await chat.ended).toBe(0);
  });

  it("loses no line of several that arrive at once", async () => {
    const chat = await openChat(() => ({ text: "ok" }));
    chat.type("one\rtwo\rthree\r");
    await chat.waitFor("> ");
    await expect
      .poll(() => JSON.stringify(chat.model.requests.at(-1)?.messages), { timeout: 30_000 })
      .toMatch(/one.*two.*three/s);
    chat.say("exit");
    await chat.ended;
  });

  it("answers commands, and says which one was meant", async () => {
    const chat = await openChat([]);
    chat.say("/staus");
    await chat.waitFor('Did you mean "/status"?');
    chat.say("/help");
    await chat.waitFor("/new");
    await chat.waitFor("> ");
    expect(chat.model.requests).toEqual([]);
  });

  it("shows a failure as a sentence and goes on", async () => {
    const chat = await openChat([{ error: { status: 401, message: "bad key" } }, { text: "fine now" }]);
    chat.say("hi");
    await chat.waitFor("That did not work:");
    await chat.waitFor("> ");
    chat.say("again");
    await chat.waitFor("fine now");
    await chat.waitFor("> ");
  });

  it("never obeys escape sequences of the model", async () => {
    const chat = await openChat([{ text: "\u001b]0;owned\u0007\u001b[2Jgone\u001b[31m" }]);
    chat.say("hi");
    await chat.waitFor("␛]0;owned␇␛[2Jgone␛[31m");
    expect(chat.raw()).not.toContain("\u001b]0;");
    expect(chat.raw()).not.toContain("\u001b[2J");
  });

  it("speaks the language of the terminal", async () => {
    const chat = await openChat([], { env: { LANG: "zh_CN.UTF-8" } });
    expect(chat.text()).toContain("Ctrl-D 离开");
    chat.say("/stop");
    await chat.waitFor("没有正在进行的任务。");
  });

  it("shows no colours with NO_COLOR", async () => {
    const chat = await openChat([{ text: "**bold** `code`" }], { env: { NO_COLOR: "1" } });
    chat.say("hi");
    await chat.waitFor("bold `code`");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour is what is looked for.
    expect(chat.raw()).not.toMatch(/\u001b\[\d*m/);
  });
});

describe("typing", () => {
  it("sends a paste of several lines as one message, shown in short, only on Enter", async () => {
    const chat = await openChat([{ text: "seen" }]);
    chat.type("explain ");
    chat.type(paste("def f():\n  return 1\n"));
    await chat.waitFor("explain def f(): [+1 line #1]");
    chat.type(keys.enter);
    await chat.waitFor("seen");
    expect(lastUserText(chat.model, 0)).toContain("explain def f():\\n  return 1");
    expect(chat.model.requests).toHaveLength(1);
  });

  it("goes on in the next line after a backslash", async () => {
    const chat = await openChat([{ text: "seen" }]);
    chat.say("first\\");
    await chat.waitFor("… ");
    chat.say("second");
    await chat.waitFor("seen");
    expect(lastUserText(chat.model, 0)).toContain("first\\nsecond");
  });

  it("during an answer is held apart from it, and joins the running turn", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await openChat([
      { text: "Work", waitFor: gate.promise, toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      { text: "Done, also that." },
    ]);
    chat.say("start");
    await chat.waitFor("Work");
    chat.type("also do that");
    await chat.waitFor("> also do that");
    chat.type(keys.enter);
    await chat.waitFor("(added to the running answer)");
    gate.resolve();
    await chat.waitFor("Done, also that.");
    await chat.waitFor("> ");
    expect(lastUserText(chat.model, 1)).toContain("also do that");
  });

  it("keeps half a line when the answer ends meanwhile", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await openChat([{ text: "One", waitFor: gate.promise }, { text: "Two" }]);
    chat.say("start");
    await chat.waitFor("One");
    chat.type("half ");
    await chat.waitFor("> half");
    gate.resolve();
    await chat.waitFor("> half");
    chat.say("and half");
    await chat.waitFor("Two");
    expect(lastUserText(chat.model, 1)).toContain("half and half");
  });

  it("goes on after the program was put to sleep and woken by a shell, and in a narrower terminal", async () => {
    const model = await startFakeModel(() => ({ text: "seen" }));
    const home = await createProgramHome(configFor(model.url));
    const line = nanobot("agent").join(" ");
    // With job control: the shell goes on with `fg` when its job is stopped.
    const chat = openInTerminal(["/bin/sh", "-mc", `${line}; echo asleep; fg`], { env: home.env });
    await chat.waitFor("> ");
    chat.type("half");
    await chat.waitFor("half");
    chat.type(keys.ctrlZ);
    await chat.waitFor("asleep");
    await chat.waitFor("> half");
    chat.resize(30);
    chat.type(` and half${keys.enter}`);
    await chat.waitFor("seen");
    expect(lastUserText(model, 0)).toContain("half and half");
  });

  it("is remembered for the next time, privately", async () => {
    const first = await openChat([{ text: "one" }]);
    first.say("remember me");
    await first.waitFor("one");
    await first.waitFor("> ");
    first.type(keys.ctrlD);
    expect(await first.ended).toBe(0);
    const history = join(first.home.home, "history/cli_history");
    expect(await readFile(history, "utf8")).toContain("+remember me\n");
    expect((await stat(history)).mode & 0o777).toBe(0o600);

    const second = await openChat([], { given: first.home });
    second.type(keys.up);
    await second.waitFor("> remember me");
  });
});

describe("a question for approval", () => {
  const command = "rm -rf old\u202e; echo ok";
  const risky: FakeModelReply = { toolCalls: [{ name: "exec", arguments: { command } }] };

  it("shows the exact command, with what could disguise it, and obeys a no", async () => {
    const chat = await openChat([risky, { text: "Then not." }]);
    chat.say("make it");
    await chat.waitFor("rm -rf old<U+202E>; echo ok");
    await chat.waitFor("[N]o ");
    chat.type(keys.enter);
    await chat.waitFor("Refused.");
    await chat.waitFor("✗");
    await chat.waitFor("Then not.");
    expect(JSON.stringify(chat.model.requests[1]?.messages.at(-1))).toContain("owner");
  });

  it("asks again when the answer is none, and lets it run after a yes", async () => {
    const chat = await openChat([risky, { text: "Made." }]);
    chat.say("make it");
    await chat.waitFor("[N]o ");
    chat.say("what would that do?");
    await chat.waitFor("Please answer the question first");
    await chat.waitFor("[N]o ");
    chat.say("yes");
    await chat.waitFor("Allowed.");
    await chat.waitFor("Made.");
  });

  it("does not take what was being typed for an answer, and gives it back afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await openChat([{ text: "Soon", waitFor: gate.promise, ...risky }, { text: "Then not." }]);
    chat.say("make it");
    await chat.waitFor("Soon");
    chat.type("y");
    await chat.waitFor("> y");
    gate.resolve();
    await chat.waitFor("[N]o ");
    chat.say("no");
    await chat.waitFor("Refused.");
    await chat.waitFor("> y");
  });

  it("is gone when the turn is stopped", async () => {
    const chat = await openChat([risky]);
    chat.say("make it");
    await chat.waitFor("[N]o ");
    chat.type(keys.ctrlC);
    await chat.waitFor("Stopped 1 task.");
    await chat.waitFor("> ");
    chat.say("hello");
    await chat.waitFor("ok");
  });
});

describe("stopping and leaving", () => {
  const endless: FakeModelReply = { text: "I go on and on", waitFor: new Promise(() => {}) };

  it("stops an answer at Ctrl-C and stays", async () => {
    const chat = await openChat([endless, { text: "here I am" }]);
    chat.say("hi");
    await chat.waitFor("on and on");
    chat.type(keys.ctrlC);
    await chat.waitFor("Stopped 1 task.");
    await chat.waitFor("> ");
    chat.say("still there?");
    await chat.waitFor("here I am");
  });

  it("leaves at the second Ctrl-C with 130", async () => {
    const chat = await openChat([endless]);
    chat.say("hi");
    await chat.waitFor("on and on");
    chat.type(keys.ctrlC + keys.ctrlC);
    expect(await chat.ended).toBe(130);
  });

  it("leaves at Ctrl-C with nothing to stop and nothing typed; with text it only clears it", async () => {
    const chat = await openChat([{ text: "seen" }]);
    chat.type("no, wait");
    await chat.waitFor("no, wait");
    chat.type(keys.ctrlC);
    await chat.waitFor("Press Ctrl-C again to leave.");
    chat.say("better");
    await chat.waitFor("seen");
    expect(lastUserText(chat.model, 0)).not.toContain("wait");

    const idle = await openChat([]);
    idle.type(keys.ctrlC);
    expect(await idle.ended).toBe(0);
  });

  it.each(["exit", "quit", "/exit", "/quit", ":q"])("leaves at %s", async (word) => {
    const chat = await openChat([]);
    chat.say(word);
    expect(await chat.ended).toBe(0);
  });

  it("gives the terminal back in order, also when it is told to end", async () => {
    const chat = await openChat([endless]);
    chat.say("hi");
    await chat.waitFor("on and on");
    process.kill(chat.pid, "SIGTERM");
    expect(await chat.ended).toBe(130);
    expect(chat.raw().lastIndexOf("\u001b[?2004l")).toBeGreaterThan(chat.raw().lastIndexOf("\u001b[?2004h"));
  });
});

describe("answers that go into a file", () => {
  it("are raw Markdown there, while the terminal shows the rest", async () => {
    const model = await startFakeModel(() => ({ text: ["**one", "** two"] }));
    const home = await createProgramHome(configFor(model.url));
    const line = nanobot("agent").join(" ");
    const chat = openInTerminal(["/bin/sh", "-c", `${line} > out.md`], { env: home.env, cwd: home.home });
    await chat.waitFor("> ");
    chat.type(`first${keys.enter}`);
    await chat.waitFor("> ");
    chat.type(`second${keys.enter}`);
    await chat.waitFor("> ");
    chat.type(keys.ctrlD);
    expect(await chat.ended).toBe(0);
    expect(await readFile(join(home.home, "out.md"), "utf8")).toBe("**one** two\n**one** two\n");
    expect(chat.text()).not.toContain("one");
  });
});

describe("one question in a terminal", () => {
  it("streams the answer, rendered", async () => {
    const gate = Promise.withResolvers<void>();
    const model = await startFakeModel(() => ({
      text: ["This is **bold", "** and so"],
      waitFor: gate.promise,
    }));
    const home = await createProgramHome(configFor(model.url));
    const program = openInTerminal(nanobot("agent", "-m", "hi"), { env: home.env });
    await program.waitFor("This is bold and so");
    gate.resolve();
    expect(await program.ended).toBe(0);
    expect(program.text().match(/This is/g)).toHaveLength(1);
  });

  it("is stopped by Ctrl-C", async () => {
    const model = await startFakeModel(() => endless());
    const home = await createProgramHome(configFor(model.url));
    const program = openInTerminal(nanobot("agent", "-m", "hi"), { env: home.env });
    await program.waitFor("and on");
    program.type(keys.ctrlC);
    expect(await program.ended).toBe(130);
    expect(program.text()).toContain("Interrupted.");
  });

  function endless(): FakeModelReply {
    return { text: "on and on", waitFor: new Promise(() => {}) };
  }
});
