// The chat in a real terminal: what is drawn and stays, what is stopped, and the ways to leave.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anything, like, words } from "./support/english.ts";
import { eventually } from "./support/eventually.ts";
import { type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import { findFreePort } from "./support/free-port.ts";
import { createPng } from "./support/images.ts";
import { sampled } from "./support/long-form.ts";
import { configFor, createProgramHome, keys, nanobot, openInTerminal } from "./support/run-program.ts";
import { startProgram } from "./support/start-program.ts";
import { hasSystemPart } from "./support/system-part.ts";
import { openInTmux } from "./support/tmux.ts";
import { openTmuxChat } from "./support/tmux-chat.ts";

const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");
const endless: FakeModelReply = { text: "I go on and on", waitFor: new Promise(() => {}) };

it("shows a picture of the gateway's where the terminal can", async () => {
  const picture = createPng(8, 8);
  const model = await startFakeModel((_, index) =>
    index === 0
      ? { toolCalls: [{ name: "message", arguments: { content: "Look!", media: ["cat.png"] } }] }
      : { text: "That was it." },
  );
  const { home, env } = await createProgramHome(
    configFor(model.url, { gateway: { port: await findFreePort() } }),
  );
  await mkdir(join(home, "workspace"), { recursive: true });
  await writeFile(join(home, "workspace", "cat.png"), picture);
  const gateway = startProgram(nanobot("gateway"), { env });
  await gateway.waitFor(words.gateway.stopHint);
  const chat = openInTerminal(nanobot("agent"), { env: { ...env, KITTY_WINDOW_ID: "1" } });
  await chat.waitFor("test-model");
  chat.type("a cat, please\r");
  await chat.waitFor("Look!");
  await eventually(() => Promise.resolve(chat.raw().includes(picture.toString("base64")))).toBe(true);
});

describe.runIf(hasTmux)("a conversation", () => {
  it("shows what was said, the answer as drawn Markdown, and a line for each tool call", async () => {
    const chat = await openTmuxChat([
      { text: "Let me **look**.", toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      { text: ["# Fi", "les\n\n- `AGENTS", ".md`\n\nThat is **all**."] },
    ]);
    await chat.say("what is here?");
    await chat.waitFor("That is all.");
    await chat.waitFor((shown) => !shown.includes(words.terminal.escStops));
    expect(await chat.everything()).toMatch(
      /> what is here\?\n\nLet me look\.\n\n {2}✓ ls \. · [\d.]+ m?s\n\nFiles\n\n• AGENTS\.md\n\nThat is all\.\n/,
    );
  });

  it("shows an answer while it is written, and each part of it once when it is done", async () => {
    const gate = Promise.withResolvers<void>();
    const text = ["First paragraph.\n\n", "Second para", "graph, half"];
    const chat = await openTmuxChat([{ text, waitFor: gate.promise }]);
    await chat.say("hi");
    await chat.waitFor("Second paragraph, half");
    await chat.waitFor(words.terminal.escStops);
    gate.resolve();
    await chat.waitFor((shown) => !shown.includes(words.terminal.escStops));
    const shown = await chat.everything();
    for (const part of ["First paragraph.", "Second paragraph, half"])
      expect(shown.split(part)).toHaveLength(2);
  });

  it("leaves everything that is finished in the terminal's own history", async () => {
    const list = Array.from({ length: 80 }, (_, index) => `${index + 1}. item number ${index + 1}`);
    const chat = await openTmuxChat([{ text: list.map((line) => `${line}\n`) }, { text: "short" }]);
    await chat.say("a long list");
    await chat.waitFor("80. item number 80");
    await chat.say("and now?");
    await chat.waitFor("short");
    const shown = await chat.everything();
    for (const line of list) expect(shown.split(`${line}\n`)).toHaveLength(2);
    expect(shown.indexOf("> a long list")).toBeLessThan(shown.indexOf("1. item number 1"));
  });

  it("draws the change of a file, and the end of what a command printed", async () => {
    const chat = await openTmuxChat([
      {
        toolCalls: [
          { name: "write_file", arguments: { path: "a.txt", content: "one\ntwo\n" } },
          { name: "edit_file", arguments: { path: "a.txt", old_text: "two", new_text: "zwei" } },
          { name: "exec", arguments: { command: "seq 1 9" } },
        ],
      },
      { text: "done" },
    ]);
    await chat.say("go");
    await chat.waitFor("done");
    const styled = await chat.styled();
    expect(styled).toContain("[31m- two");
    expect(styled).toContain("[32m+ zwei");
    expect(await chat.everything()).toMatch(
      like(`$ seq 1 9 · ${anything}\n    … ${words.terminal.moreLines(3)}\n    4\n`),
    );
  });

  it("answers commands, says which one was meant, and asks no model for it", async () => {
    const chat = await openTmuxChat([]);
    await chat.say("/staus");
    await chat.waitFor(words.reply.unknownCommand("/staus", "/status"));
    await chat.say("/new");
    await chat.waitFor(words.reply.newSession);
    expect(chat.model.requests).toEqual([]);
  });

  it("shows a failure as a sentence and goes on", async () => {
    const chat = await openTmuxChat([{ error: { status: 401, message: "bad key" } }, { text: "fine now" }]);
    await chat.say("hi");
    await chat.waitFor("bad key");
    await chat.say("again");
    await chat.waitFor("fine now");
  });

  it("never obeys escape sequences of a model or of what a command prints", async () => {
    const hostile = "\u001b]0;owned\u0007\u001b[2Jgone\u001b[31m";
    const chat = await openTmuxChat([
      { toolCalls: [{ name: "exec", arguments: { command: "printf '\\033[2Jwiped'" } }] },
      { text: hostile },
    ]);
    await chat.say("hi");
    await chat.waitFor("␛]0;owned␇␛[2Jgone␛[31m");
    await chat.waitFor((shown) => /^ {4}.*wiped$/m.test(shown));
    expect(await chat.everything()).toContain("> hi");
  });

  it("survives a window that changes in the middle of an answer", async () => {
    const gate = Promise.withResolvers<void>();
    const text = [
      "Before it.\n\n",
      "A sentence that is long enough to be wrapped in a window of forty columns",
    ];
    const chat = await openTmuxChat([{ text, waitFor: gate.promise }], { columns: 80 });
    await chat.say("hi");
    await chat.waitFor("of forty columns");
    await chat.resize(40, 20);
    await chat.waitFor((shown) => /^─{40}$/m.test(shown) && !/─{41}/.test(shown));
    await chat.resize(100, 30);
    await chat.waitFor((shown) => /^─{100}$/m.test(shown));
    gate.resolve();
    await chat.waitFor((shown) => !shown.includes(words.terminal.escStops));
    const shown = await chat.everything();
    for (const part of ["> hi", "Before it.", "A sentence that"]) expect(shown.split(part)).toHaveLength(2);
    expect(shown.match(/^─+$/gm)).toHaveLength(2);
  });

  it("fits into forty columns, with Chinese text, and without colours", async () => {
    const sentence = "这是一个比较长的中文段落，用来测试换行是否正确。";
    const chat = await openTmuxChat([{ text: `**粗体** \`代码\` ${sentence}` }], {
      columns: 40,
      rows: 16,
      env: { LANG: "zh_CN.UTF-8", NO_COLOR: "1" },
    });
    await chat.say("你好");
    await chat.waitFor("粗体 `代码`");
    await chat.waitFor((shown) => shown.replaceAll("\n", "").includes(sentence));
    expect(await chat.screen()).toMatch(/^─{40}$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour is what is looked for.
    expect(await chat.styled()).not.toMatch(/\u001b\[\d*m/);
  });

  it("tells model, tokens and what was cached below the editor", async () => {
    const chat = await openTmuxChat([{ text: "seen" }]);
    await chat.say("hi");
    await chat.waitFor(`test-model · ${words.terminal.tokens("100")} · ${words.terminal.cached(60)}`);
  });
});

describe.runIf(hasTmux)("stopping and leaving", () => {
  it("stops an answer at Ctrl-C and at Escape, and stays", async () => {
    const chat = await openTmuxChat((index) => (index % 2 === 0 ? endless : { text: `here I am ${index}` }));
    for (const [index, key] of ["C-c", "Escape"].entries()) {
      await chat.say(`hi ${index}`);
      await chat.waitFor((shown) => shown.split("on and on").length === index + 2);
      await chat.press(key);
      await chat.waitFor((shown) => shown.split(words.reply.stoppedMark).length === index + 2);
      await chat.say("still there?");
      await chat.waitFor(`here I am ${2 * index + 1}`);
    }
  });

  it("leaves at the second Ctrl-C with 130", async () => {
    const chat = await openTmuxChat([endless]);
    await chat.say("hi");
    await chat.waitFor("on and on");
    await chat.press("C-c", "C-c");
    expect(await chat.waitForEnd()).toBe(130);
  });

  it("leaves at Ctrl-C with nothing to stop and nothing typed; with text it only clears it", async () => {
    const chat = await openTmuxChat([{ text: "seen" }]);
    await chat.type("no, wait");
    await chat.waitFor("no, wait");
    await chat.press("C-c");
    await chat.waitFor(words.chat.ctrlCAgainLeaves);
    await chat.say("better");
    await chat.waitFor("seen");
    expect(JSON.stringify(chat.model.requests[0]?.messages)).not.toContain("wait");

    const idle = await openTmuxChat([]);
    await idle.press("C-c");
    expect(await idle.waitForEnd()).toBe(0);
  });

  it.each(sampled(["exit"], ["exit", "quit", ":q"]))(
    "leaves at %s, and leaves the conversation on the screen",
    async (word) => {
      const chat = await openTmuxChat([{ text: "kept" }]);
      await chat.say("hi");
      await chat.waitFor("kept");
      await chat.waitFor((shown) => !shown.includes(words.terminal.escStops));
      await chat.say(word);
      expect(await chat.waitForEnd()).toBe(0);
      expect(await chat.everything()).toMatch(/> hi\n\nkept\n+\[ended 0\]/);
    },
  );

  it("gives the terminal back in order, also when it is told to end", async () => {
    const model = await startFakeModel(() => endless);
    const home = await createProgramHome(configFor(model.url));
    const chat = openInTerminal(nanobot("agent"), { env: home.env });
    await chat.waitFor("test-model");
    chat.type(`hi${keys.enter}`);
    await chat.waitFor("on and on");
    process.kill(chat.pid, "SIGTERM");
    expect(await chat.ended).toBe(130);
    for (const [on, off] of [
      ["[?2004h", "[?2004l"],
      ["[?25l", "[?25h"],
    ] as const)
      expect(chat.raw().lastIndexOf(`\u001b${off}`)).toBeGreaterThan(chat.raw().lastIndexOf(`\u001b${on}`));
    // Neither another screen, nor a history that is wiped.
    for (const never of ["[?1049h", "[3J"]) expect(chat.raw()).not.toContain(`\u001b${never}`);
  });
});

describe("one question in a terminal", () => {
  it.runIf(hasTmux)("streams the answer, drawn, and leaves it there once", async () => {
    const gate = Promise.withResolvers<void>();
    const text = ["This is **bold", "** and so"];
    const model = await startFakeModel(() => ({ text, waitFor: gate.promise }));
    const home = await createProgramHome(configFor(model.url));
    const program = await openInTmux(nanobot("agent", "-m", "hi"), { env: home.env });
    await program.waitFor("This is bold and so");
    gate.resolve();
    expect(await program.waitForEnd()).toBe(0);
    expect((await program.everything()).trim()).toBe("This is bold and so\n[ended 0]");
  });

  it("is stopped by Ctrl-C", async () => {
    const model = await startFakeModel(() => endless);
    const home = await createProgramHome(configFor(model.url));
    const program = openInTerminal(nanobot("agent", "-m", "hi"), { env: home.env });
    await program.waitFor("and on");
    program.type(keys.ctrlC);
    expect(await program.ended).toBe(130);
    expect(program.text()).toContain(words.failure.interrupted);
  });
});
