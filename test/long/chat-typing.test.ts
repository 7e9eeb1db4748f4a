// What a person types in the chat: the editor with its completions and its history, pastes, commands, conversations.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "../support/english.ts";
import { startFakeModel } from "../support/fake-model.ts";
import { createPng } from "../support/images.ts";
import { configFor, createProgramHome, nanobot } from "../support/run-program.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { openInTmux } from "../support/tmux.ts";
import { lastUserText, openTmuxChat } from "../support/tmux-chat.ts";

const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");

describe.runIf(hasTmux)("the editor", () => {
  it("takes a paste of ten thousand characters as one message, shown in short, sent on Enter", async () => {
    const chat = await openTmuxChat([{ text: "seen" }]);
    const pasted = Array.from({ length: 200 }, (_, line) => `line ${line} ${"x".repeat(42)}`).join("\n");
    await chat.type("explain ");
    await chat.paste(pasted);
    await chat.waitFor("explain [paste #1 +200 lines]");
    await chat.press("Enter");
    await chat.waitFor("seen");
    expect(chat.model.requests).toHaveLength(1);
    expect(pasted.length).toBeGreaterThan(10_000);
    expect(lastUserText(chat.model, 0)).toContain(JSON.stringify(`explain ${pasted}`).slice(1, -1));
  });

  it("goes on in the next line after a backslash or Ctrl-J", async () => {
    const chat = await openTmuxChat([{ text: "seen" }]);
    await chat.type("first\\");
    await chat.press("Enter");
    await chat.type("second");
    await chat.press("C-j");
    await chat.type("third");
    await chat.waitFor("third");
    await chat.press("Enter");
    await chat.waitFor("seen");
    expect(lastUserText(chat.model, 0)).toContain("first\\nsecond\\nthird");
  });

  it("edits Chinese text by characters, with the terminal's cursor where the next one goes", async () => {
    const chat = await openTmuxChat([{ text: "seen" }]);
    await chat.type("今天天气好");
    await chat.press("Left");
    await chat.type("很");
    await chat.waitFor("今天天气很好");
    // One column of margin, and two for each of five characters.
    await expect.poll(async () => (await chat.cursor()).column).toBe(11);
    await chat.press("BSpace", "BSpace");
    await chat.waitFor("今天天好");
    await chat.press("Enter");
    await chat.waitFor("seen");
    expect(lastUserText(chat.model, 0)).toContain("今天天好");
  });

  it("loses no message of several that arrive at once", async () => {
    const chat = await openTmuxChat(() => ({ text: "ok" }));
    await chat.press("o", "n", "e", "Enter", "t", "w", "o", "Enter", "s", "i", "x", "Enter");
    await expect.poll(() => JSON.stringify(chat.model.requests.at(-1)?.messages)).toMatch(/one.*two.*six/s);
  });

  it("completes commands, skills and files", async () => {
    const home = await createProgramHome(configFor("http://127.0.0.1:9/v1"));
    const folder = join(home.home, "project");
    await mkdir(join(folder, "notes"), { recursive: true });
    await writeFile(join(folder, "notes/plan of today.md"), "x");
    const chat = await openTmuxChat([], { given: home, cwd: folder });
    await chat.type("/dream-l");
    await chat.waitFor("/dream-log");
    await chat.press("Tab");
    await chat.press("C-u");
    await chat.type("use $");
    await chat.waitFor("$skill-creator");
    await chat.press("C-u");
    await chat.type("read @no");
    await chat.waitFor("→ notes/");
    await chat.press("Tab");
    await chat.type("pl");
    await chat.waitFor("→ plan of today.md");
    await chat.press("Tab");
    await chat.waitFor('read @"notes/plan of today.md"');
  });

  it("remembers what was typed for the next time, privately", async () => {
    const first = await openTmuxChat([{ text: "one" }]);
    await first.say("remember me");
    await first.waitFor((shown) => shown.includes("one") && !shown.includes(words.terminal.escStops));
    await first.press("C-d");
    expect(await first.waitForEnd()).toBe(0);
    const history = join(first.home.home, "history/cli_history");
    expect(await readFile(history, "utf8")).toContain("+remember me\n");
    expect((await stat(history)).mode & 0o777).toBe(0o600);

    const second = await openTmuxChat([], { given: first.home });
    await second.press("Up");
    await second.waitFor("remember me");
  });

  it("keeps half a line while an answer comes, and steers the answer with a whole one", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await openTmuxChat([
      { text: "Work", waitFor: gate.promise, toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
      { text: "Done, also that." },
    ]);
    await chat.say("start");
    await chat.waitFor("Work");
    await chat.say("also do that");
    await chat.waitFor(words.chat.followUp);
    await chat.type("and half");
    gate.resolve();
    await chat.waitFor("Done, also that.");
    expect(lastUserText(chat.model, 1)).toContain("also do that");
    expect(await chat.screen()).toContain(" and half\n");
  });

  it("goes on after the program was put to sleep and woken by a shell", async () => {
    const model = await startFakeModel(() => ({ text: "seen" }));
    const home = await createProgramHome(configFor(model.url));
    const line = nanobot("agent").join(" ");
    const chat = await openInTmux(["/bin/sh", "-mc", `${line}; echo asleep; fg`], { env: home.env });
    await chat.waitFor("test-model");
    await chat.type("half");
    await chat.waitFor("half");
    await chat.press("C-z");
    await chat.waitFor((shown) => /asleep[\s\S]* half/.test(shown));
    await chat.type(" and half");
    await chat.press("Enter");
    await chat.waitFor("seen");
    expect(lastUserText(model, 0)).toContain("half and half");
  });
});

describe.runIf(hasTmux)("files", () => {
  it("that are named go along; the path of a dropped image becomes a name", async () => {
    const chat = await openTmuxChat([{ text: "a picture" }]);
    const path = join(chat.home.home, "my picture.png");
    await writeFile(path, createPng(2, 2));
    await chat.paste(path);
    await chat.waitFor(`@"${path}"`);
    await chat.say("what is this?");
    await chat.waitFor("a picture");
    expect(lastUserText(chat.model, 0)).toContain("data:image/png;base64,");
  });
});

describe.runIf(hasTmux)("a command behind !", () => {
  it("runs at once, without a question, and its output goes along with the next message", async () => {
    const chat = await openTmuxChat([{ text: "I see it" }]);
    await chat.say("!printf 'a%sb' '```'");
    await chat.waitFor("  a```b");
    await chat.waitFor(words.terminal.sharesNext);
    expect(chat.model.requests).toEqual([]);
    await chat.say("what is that?");
    await chat.waitFor("I see it");
    const text = lastUserText(chat.model, 0);
    expect(text).toContain(words.terminal.shared("printf 'a%sb' '```'"));
    expect(text).toMatch(/````\\na```b[\s\S]*````\\n\\nwhat is that\?/);
  });

  it("can be stopped", async () => {
    const chat = await openTmuxChat([]);
    await chat.say("!sleep 1000");
    await chat.waitFor(words.terminal.escStops);
    await chat.press("C-c");
    await chat.waitFor(
      (shown) => shown.includes(words.chat.stopping) && !shown.includes(words.terminal.escStops),
    );
  });
});

describe.runIf(hasTmux)("conversations", () => {
  it("are listed by Ctrl-R, narrowed down by letters, and gone on with", async () => {
    const other = await openTmuxChat([{ text: "Tea it is." }], { argv: ["-s", "cli:tea"] });
    await other.say("about green tea");
    await other.waitFor((shown) => shown.includes("Tea it is.") && !shown.includes(words.terminal.escStops));
    await other.press("C-d");
    await other.waitForEnd();

    const chat = await openTmuxChat([], { given: other.home });
    await chat.press("C-r");
    await chat.waitFor(words.terminal.sessions);
    await chat.type("green");
    await chat.waitFor("→ about green tea");
    await chat.press("Enter");
    await chat.waitFor("Tea it is.");
    await chat.say("more of it");
    await chat.waitFor("> more of it");
    await other.model.waitForRequests(2);
    expect(JSON.stringify(other.model.requests[1]?.messages)).toContain("about green tea");
  });
});
