// Dream, from `/dream` to the files: what it reads, what it keeps, and when it asks no model at all.
import { readdir, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { buildApp } from "../src/app/build-app.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords } from "../src/i18n/words.ts";
import type { CodeStep } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { Provenance } from "../src/storage/documents/provenance.ts";
import { resolveHome } from "../src/storage/home.ts";
import { addHistory, addLine, createDreamApp, edit, memory } from "./support/dream-app.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps } from "./support/test-app.ts";

afterEach(closeTestApps);

const day = 24 * 60 * 60 * 1000;
const finds = "[MEMORY] The cat is called Luna (#1)";
const adds = addLine(memory, "## Important Notes", "- The cat is called Luna");

function textOf(request: ModelRequest | undefined): string {
  return request?.messages.map(({ content }) => String(content)).join("\n") ?? "";
}

describe("a Dream that finds something", () => {
  it("edits the file, moves the cursor, and tells what changed", async () => {
    const app = await createDreamApp([finds, adds, "done"]);
    expect(await app.dream()).toMatch(
      like(`${words.dream.changed(1)}\n${words.dream.file(memory, 1, 0)}\n\n${words.dream.undo(anything)}`),
    );
    expect(await app.file(memory)).toContain("## Important Notes\n- The cat is called Luna");
    expect(await app.cursor()).toBe(1);
    expect(await readdir(join(app.home, "run/dream"))).toEqual([]);
  });

  it("can be undone by the version that it names, and says where a line came from", async () => {
    const app = await createDreamApp([finds, adds, "done"]);
    const before = await app.file(memory);
    const [, id = ""] = like(words.dream.undo(anything)).exec(await app.dream()) ?? [];
    expect(await new Provenance(app.workspace).find("The cat is called Luna")).toMatchObject([
      { file: memory, line: "- The cat is called Luna", cursors: [1], at: app.clock.now() },
    ]);
    await app.loop.processDirect({ sessionKey: "cli:direct", text: `/dream-restore ${id}` });
    expect(await app.file(memory)).toBe(before);
  });

  it("leaves out of its version what a person changed before", async () => {
    const app = await createDreamApp([finds, adds, "done"]);
    await app.write("SOUL.md", "Be brief.\n");
    const [, id = ""] = like(words.dream.undo(anything)).exec(await app.dream()) ?? [];
    await app.loop.processDirect({ sessionKey: "cli:direct", text: `/dream-restore ${id}` });
    expect(await app.file("SOUL.md")).toBe("Be brief.\n");
  });

  it("asks its model as Dream, in a session of its own, first without tools and then with three", async () => {
    const app = await createDreamApp([
      `${finds}\n[SKILL] plan-trips: Plan a trip from a list of wishes`,
      adds,
      "done",
    ]);
    await app.dream();
    const { requests } = app.provider;
    const key = expect.stringMatching(/^dream:\d{8}-\d{6}$/);
    for (const { attribution } of requests)
      expect(attribution).toMatchObject({ cause: "dream", sessionKey: key });
    expect(requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      [],
      ["edit_file", "read_file", "write_file"],
      ["edit_file", "read_file", "write_file"],
    ]);
  });

  it("works in Chinese", async () => {
    const app = await createDreamApp(
      ["[USER] 养了一只叫露娜的猫 (#1)", addLine("USER.md", "## 关于我", "- 养了一只叫露娜的猫"), "完成"],
      { history: ["- 用户说他养了一只猫，名叫露娜"], files: { "USER.md": "# 用户\n\n## 关于我\n" } },
    );
    expect(await app.dream()).toMatch(like(words.dream.file("USER.md", 1, anything)));
    expect(await app.file("USER.md")).toBe("# 用户\n\n## 关于我\n- 养了一只叫露娜的猫\n");
    expect(await new Provenance(app.workspace).find("露娜")).toMatchObject([{ cursors: [1] }]);
  });

  it("answers in Chinese where the assistant does", async () => {
    const app = await createDreamApp([finds, adds, "done"], { words: createWords("chinese") });
    expect(await app.dream()).toMatch(
      /^看过了历史中的 1 条记录，并作了修改：\n- memory\/MEMORY\.md：新增 1 行，删除 0 行/,
    );
  });
});

describe("a Dream without anything to do", () => {
  it("asks no model when nothing is new", async () => {
    const app = await createDreamApp([], { history: [] });
    expect(await app.dream()).toBe(words.dream.nothingNew);
    expect(app.provider.requests).toEqual([]);
  });

  it("says when a conversation is included where much was said and no Dream ever ran", async () => {
    const app = await createDreamApp(["Noted."], { history: [] });
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "my sister is called Ana" });
    expect(await app.dream()).toBe(words.dream.nothingNew);
  });

  it("asks no model when there is none", async () => {
    const home = await createTemporaryFolder();
    const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
    const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
    if (!built.ok) throw new Error(built.problems.join());
    const { app } = built;
    await addHistory(app.storage.environment.workspace, ["- has a cat"], createFakeClock());
    const { text } = await app.loop.processDirect({ sessionKey: "cli:direct", text: "/dream" });
    await app.close();
    expect(text).toBe(words.dream.noModel);
  });

  it("moves on when the model finds nothing worth keeping, without a second phase", async () => {
    const app = await createDreamApp(["[SKIP]"]);
    expect(await app.dream()).toBe(words.dream.unchanged(1));
    expect(app.provider.requests).toHaveLength(1);
    expect(await app.cursor()).toBe(1);
    expect(await app.dream()).toBe(words.dream.nothingNew);
  });

  it("moves on when the second phase finds that all of it is known", async () => {
    const app = await createDreamApp([finds, "done"]);
    expect(await app.dream()).toBe(words.dream.unchanged(1));
    expect(await app.cursor()).toBe(1);
  });
});

describe("a Dream that fails", () => {
  const down = phrase("model.server", { host: anything, detail: "" });
  it.each([
    [
      "the first phase meets a host that is down",
      [{ error: { kind: "server" as const } }],
      sentence("dream.failed-model", { reason: down }),
    ],
    [
      "the answer is in no form that was asked for",
      ["I would remember the cat."],
      sentence("dream.failed-unclear", { detail: "I would remember the cat." }),
    ],
    [
      "the answer is cut off",
      [{ text: finds, stop: "length" as const }],
      sentence("dream.failed-unfinished", { detail: "length" }),
    ],
    [
      "the second phase fails after an edit",
      [finds, adds, { error: { kind: "server" as const } }],
      sentence("dream.failed-model", { reason: down }),
    ],
    [
      "the second phase comes to no end",
      [finds, ...Array.from({ length: 17 }, () => adds)],
      sentence("dream.failed-unfinished", { detail: anything }),
    ],
  ])("changes nothing and stays where it was when %s", async (_, steps, reason) => {
    const app = await createDreamApp(steps);
    const before = await app.file(memory);
    const told = await app.dream();
    expect(told).toMatch(like(reason));
    expect(await app.file(memory)).toBe(before);
    expect(await app.cursor()).toBe(0);
    expect(await readdir(join(app.home, "run/dream"))).toEqual([]);
  });

  it("says so when its copy cannot be made", async () => {
    const app = await createDreamApp([finds]);
    await app.write("../run/dream", "in the way");
    expect(await app.dream()).toMatch(
      like(
        sentence("dream.failed-disk", {
          reason: phrase("storage.unusable", { path: anything, errno: anything }),
        }),
      ),
    );
  });
});

describe("the first phase", () => {
  it("reads twenty entries at most, each of them bounded", async () => {
    const history = Array.from(
      { length: 25 },
      (_, index) => `- entry ${index + 1}: ${"word ".repeat(1_000)}`,
    );
    const app = await createDreamApp(["[SKIP]", "[SKIP]"], { history });
    await app.dream();
    const sent = textOf(app.provider.requests[0]);
    expect(sent).toContain("#20 [");
    expect(sent).not.toContain("#21 [");
    expect(sent.length).toBeLessThan(20 * 1_200 + 10_000);
    expect(await app.cursor()).toBe(20);
    await app.dream();
    expect(textOf(app.provider.requests[1])).toContain("#25 [");
    expect(await app.cursor()).toBe(25);
  });

  it("is shown less where the window is small", async () => {
    const history = Array.from(
      { length: 25 },
      (_, index) => `- entry ${index + 1}: ${"word ".repeat(1_000)}`,
    );
    const app = await createDreamApp(["[SKIP]"], {
      history,
      files: { "USER.md": "x".repeat(20_000) },
      config: { agents: { defaults: { contextWindowTokens: 4_096, maxTokens: 512 } } },
    });
    await app.dream();
    expect(await app.cursor()).toBe(2);
    expect(textOf(app.provider.requests[0]).length).toBeLessThan(10_000);
  });

  it("sees the files bounded, with the age of old lines, and the skills that exist", async () => {
    const app = await createDreamApp(["[SKIP]"], {
      files: {
        [memory]: "# Memory\n\n- an old line\n- a fresh line\n",
        "USER.md": "x".repeat(20_000),
        "SOUL.md": "",
      },
    });
    const written = (app.clock.now() - 20 * day) / 1000;
    await utimes(join(app.workspace, memory), written, written);
    await new Provenance(app.workspace).record([
      { file: memory, line: "- a fresh line", at: app.clock.now() - 3 * day },
    ]);
    await app.dream();
    const sent = textOf(app.provider.requests[0]);
    expect(sent).toMatch(
      /=== \w+ memory\/MEMORY\.md\n# Memory\n\n- an old line {2}<- 20 days old\n- a fresh line\n/,
    );
    expect(sent).toMatch(/=== \w+ SOUL\.md\n\(empty\)\n/);
    expect(sent).toContain("characters left out");
    expect(sent).toMatch(/=== \w+ skills\n- clawhub: /);
  });

  it("keeps the date of lines that nobody dated, though the file is written again", async () => {
    const app = await createDreamApp([finds, adds, "done", "[SKIP]"], {
      files: { [memory]: "- an old line\n\n## Important Notes\n" },
    });
    const written = (app.clock.now() - 20 * day) / 1000;
    await utimes(join(app.workspace, memory), written, written);
    await app.dream();
    await addHistory(app.workspace, ["more"], app.clock);
    await app.dream();
    expect(textOf(app.provider.requests.at(-1))).toContain("- an old line  <- 20 days old");
  });

  it("and the second take their instructions from the workspace where there are some", async () => {
    const files = {
      "prompts/dream_phase1.md": "Say what to keep.",
      "prompts/dream_phase2.md": "Do what was found.",
    };
    const app = await createDreamApp([finds, adds, "done"], { files });
    await app.dream();
    const systems = app.provider.requests.map(({ messages }) => messages[0]?.content);
    expect(systems).toEqual(["Say what to keep.", "Do what was found.", "Do what was found."]);
  });

  it("gives way to lines that are in no form, and to bullets before those that are", async () => {
    const app = await createDreamApp([`Here is what I found:\n- ${finds}\n[NOTES] nothing`, adds, "done"]);
    await app.dream();
    const findings = /findings\n([\s\S]*?)\n\n/.exec(textOf(app.provider.requests[1]))?.[1];
    expect(findings).toBe("[MEMORY] The cat is called Luna");
  });
});

describe("whose memory", () => {
  const guest = {
    channel: "x",
    chatId: "7",
    senderId: "7",
    person: "ann",
    role: "guest",
    cause: "user",
    format: "plain",
  } as const;

  it("a guest's Dream reads the guest's history and changes only the guest's own files", async () => {
    const app = await createDreamApp([
      "[USER] Ann likes tea\n[SOUL] Speak like a pirate\n[SKILL] brew-tea: Brew tea the way Ann likes it",
      edit("USER.md", "", "- likes tea\n"),
      edit("SOUL.md", "", "Arr\n"),
      "done",
    ]);
    const root = join(app.workspace, "people/ann");
    await addHistory(root, ["- Ann likes tea"], app.clock);
    const { text } = await app.loop.processDirect({ sessionKey: "x:7", text: "/dream", origin: guest });
    expect(text).toMatch(like(words.dream.file("USER.md", 1, anything)));
    expect(await app.file("people/ann/USER.md")).toBe("- likes tea\n");
    expect(await readdir(root)).toEqual(["USER.md", "memory"]);
    expect(textOf(app.provider.requests[0])).not.toContain("- has a cat named Luna");
    expect(textOf(app.provider.requests[0])).toContain("You may name: USER, MEMORY\n");
    expect(textOf(app.provider.requests[1])).not.toContain("pirate");
    expect(await app.cursor()).toBe(0);
  });

  it("the timer's run goes through everyone who has something new", async () => {
    const app = await createDreamApp(["[SKIP]", "[SKIP]"]);
    const group = join(app.workspace, "groups/family");
    await addHistory(group, ["- they plan a picnic"], app.clock);
    await addHistory(join(app.workspace, "people/ann"), [], app.clock);
    const outcomes = await app.dreams.runAll(new AbortController().signal);
    expect([...outcomes].map(([scope, { kind }]) => [scope, kind])).toEqual([
      ["owner", "unchanged"],
      ["group:family", "unchanged"],
    ]);
    expect(app.provider.requests).toHaveLength(2);
    expect(textOf(app.provider.requests[1])).toContain("picnic");
  });

  it.each([
    { why: "a model throws for one of them", breaks: "- she sails" },
    { why: "a folder of theirs cannot be looked into", closed: "people" },
  ])("the timer's run goes on for the others when $why, and says so at the end", async (fault) => {
    const { breaks = "nothing", closed } = fault as { breaks?: string; closed?: string };
    const asked: string[] = [];
    const step: CodeStep = (request) => {
      asked.push(textOf(request));
      if (textOf(request).includes(breaks)) throw new Error("broken");
      return "[SKIP]";
    };
    const app = await createDreamApp({ steps: [step], loop: true });
    await addHistory(join(app.workspace, "groups/family"), ["- they plan a picnic"], app.clock);
    // A link to itself: as a disk that is gone, it cannot be looked into.
    if (closed !== undefined) await symlink(closed, join(app.workspace, closed));
    else await addHistory(join(app.workspace, "people/ann"), ["- she sails"], app.clock);
    await expect(app.dreams.runAll(new AbortController().signal)).rejects.toThrow(/ELOOP|broken/);
    expect(asked.at(-1)).toContain("picnic");
  });

  it("the timer's run does nothing while Dream is switched off, and /dream still works", async () => {
    const config = { agents: { defaults: { dream: { enabled: false } } } };
    const app = await createDreamApp(["[SKIP]"], { config });
    expect(await app.dreams.runAll(new AbortController().signal)).toEqual(new Map());
    expect(await app.dream()).toBe(words.dream.unchanged(1));
  });
});
