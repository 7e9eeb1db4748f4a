// The offline model with the real runner and the real tools: their answers must be such that it can tell them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { words } from "../../test/support/english.ts";
import { toTurnRequest } from "../../test/support/run-to-end.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createFileRoots } from "../guards/files/file-roots.ts";
import { createWords } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import { createScripted } from "../llm/scripted.ts";
import { AgentRunner } from "../runner/runner.ts";
import type { Tool } from "../runner/tool.ts";
import { createEditFile } from "../tools/files/edit-file.ts";
import { createListDir } from "../tools/files/list-files.ts";
import { createReadFile } from "../tools/files/read-file.ts";
import { createOffline } from "./offline.ts";

const { demo } = words;
const { demo: demoZh } = createWords("chinese");

async function setUp(files: Record<string, string> = {}) {
  const workspace = await createTemporaryFolder(files);
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  const creators = [createReadFile, createEditFile, createListDir];
  const tools = creators.map((create) => create(roots) as Tool);
  async function say(content: string): Promise<string> {
    const turn = new AgentRunner().run({
      ...toTurnRequest(createScripted([]), { tools }),
      provider: createOffline({ clock: systemClock }),
      messages: [{ role: "user", content }],
    });
    for (;;) {
      const next = await turn.next();
      if (next.done) return next.value.text;
    }
  }
  return { say, read: (path: string) => readFile(join(workspace, path), "utf8") };
}

it("lists and reads", async () => {
  const { say } = await setUp({ "notes/a.md": "# Shopping\n\nmilk (2 l)\n", "b.txt": "tea", "empty.md": "" });

  expect(await say("list the files")).toBe(
    `${demo.inFolder(demo.workspace)}\n\n\`\`\`\nb.txt\nempty.md\nnotes/\n\`\`\``,
  );
  expect(await say("列出 notes 目录")).toBe(`${demoZh.inFolder("`notes`")}\n\n\`\`\`\na.md\n\`\`\``);
  expect(await say("read notes/a.md")).toBe("`notes/a.md`:\n\n```\n# Shopping\n\nmilk (2 l)\n```");
  expect(await say("read nothing.md")).toBe(demo.missing("`nothing.md`"));
  expect(await say("读取 ../secret.txt")).toContain("secret.txt");
  expect(await say("read empty.md")).toBe(demo.empty("`empty.md`"));
});

it("remembers facts one after the other, in a file that was there and in one that was not, and answers from them", async () => {
  const template = "# Long-term Memory\n\n## Preferences\n\n## Important Notes\n";
  const { say, read } = await setUp({ "memory/MEMORY.md": template });

  expect(await say("my sister is called Ana")).toBe(demo.remembered("Your sister is called Ana."));
  expect(await say("请记住：我喜欢那家酒吧")).toBe(demoZh.remembered("你喜欢那家酒吧。"));
  expect(await say("remember my sister is called Ana")).toBe(demo.alreadyKnown);
  expect(await read("memory/MEMORY.md")).toBe(`${template}\n- my sister is called Ana\n- 我喜欢那家酒吧\n`);
  expect(await say("what is my sister's name?")).toBe("Your sister is called Ana.");

  const fresh = await setUp();
  expect(await fresh.say("what do you remember?")).toBe(demo.noMemories);
  await fresh.say("remember: a\nb");
  expect(await fresh.read("memory/MEMORY.md")).toBe("# Long-term Memory\n\n- a\n  b\n");
});

it("loses no line of a long, repetitive file that it adds to", async () => {
  const long = "- the same\n".repeat(4500);
  const { say, read } = await setUp({ "notes.md": long });

  await say("write a note: something new");

  expect(await read("notes.md")).toBe(`${long}- something new\n`);
});

it("writes notes and lists without replacing what is there, and shows them", async () => {
  const { say, read } = await setUp({ "todo.txt": "first\r\nsecond" });

  await say('save "third" to todo.txt');
  await say("写个笔记：买牛奶");
  await say("新建文件 “新 文件.txt”，内容：你好");
  expect(await read("todo.txt")).toBe("first\r\nsecond\r\nthird");
  expect(await read("notes.md")).toBe(`# ${demoZh.notesHeading}\n\n- 买牛奶\n`);
  expect(await read("新 文件.txt")).toBe("你好\n");

  expect(await say("write a note about tea and then show it")).toContain("- 买牛奶\n- tea\n");
  expect(await say("create a shopping list")).toBe(demo.listMade("shopping"));
  expect(await say("add milk, eggs and tea to my shopping list")).toBe(demo.noted("`shopping-list.md`"));
  expect(await say("add milk to my shopping list")).toBe(demo.alreadyNoted("`shopping-list.md`"));
  expect(await read("shopping-list.md")).toBe(`# ${demo.listHeading("shopping")}\n\n- milk\n- eggs\n- tea\n`);
  expect(await say("show my shopping list")).toContain("- eggs");
  await say("建一个购物清单：牛奶、鸡蛋");
  expect(await say("看看购物清单")).toContain("- 牛奶\n- 鸡蛋");
});
