// The offline model with the real runner and the real tools: their answers must be such that it can tell them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toTurnRequest } from "../../test/support/run-to-end.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createFileRoots } from "../guards/files/file-roots.ts";
import { systemClock } from "../lib/clock.ts";
import { createScripted } from "../llm/scripted.ts";
import { AgentRunner } from "../runner/runner.ts";
import type { Tool } from "../runner/tool.ts";
import { createExec } from "../tools/commands/exec.ts";
import { createEditFile } from "../tools/files/edit-file.ts";
import { createGrep } from "../tools/files/grep.ts";
import { createGlob, createListDir } from "../tools/files/list-files.ts";
import { createReadFile } from "../tools/files/read-file.ts";
import { createWriteFile } from "../tools/files/write-file.ts";
import { createOffline } from "./offline.ts";

async function setUp(files: Record<string, string> = {}) {
  const workspace = await createTemporaryFolder(files);
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  const creators = [
    createReadFile,
    createWriteFile,
    createEditFile,
    createListDir,
    createGlob,
    createGrep,
    createExec,
  ];
  const tools = creators.map((create) => create(roots) as Tool);
  async function say(content: string): Promise<string> {
    const turn = new AgentRunner().run({
      ...toTurnRequest(createScripted([]), { tools }),
      provider: createOffline({ clock: systemClock, version: "1.2.3" }),
      messages: [{ role: "user", content }],
    });
    for (;;) {
      const next = await turn.next();
      if (next.done) return next.value.text;
    }
  }
  return { say, read: (path: string) => readFile(join(workspace, path), "utf8") };
}

it("lists, reads, finds and searches", async () => {
  const { say } = await setUp({ "notes/a.md": "# Shopping\n\nmilk (2 l)\n", "b.txt": "tea" });

  expect(await say("list the files")).toBe("In the workspace:\n\n```\nb.txt\nnotes/\n```");
  expect(await say("列出 notes 目录")).toBe("`notes`里有：\n\n```\na.md\n```");
  expect(await say("read notes/a.md")).toBe("`notes/a.md`:\n\n```\n# Shopping\n\nmilk (2 l)\n```");
  expect(await say("find files *.md")).toContain("notes/a.md");
  expect(await say('search for "milk (2"')).toMatch(/notes\/a\.md[\s\S]*milk \(2 l\)/);
  expect(await say("search for coffee")).toBe("I found nothing.");
  expect(await say("搜索 咖啡")).toBe("什么也没找到。");
});

it("runs a command", async () => {
  const { say } = await setUp({ "a.txt": "tea" });

  expect(await say("run cat a.txt")).toBe("`cat a.txt` says:\n\n```\ntea\n```");
  expect(await say("运行 `true`")).toBe("执行完毕，没有输出。");
  expect(await say("$ ls nowhere")).toMatch(/Exit code: [1-9]/);
  expect(await say("what time is it?")).toMatch(/^It is [^\n]*\d\d:\d\d[^\n]*\.$/);
});

it("tells of what is missing or forbidden", async () => {
  const { say } = await setUp({ "empty.md": "" });

  expect(await say("read nothing.md")).toMatch(/^That did not work.*Not found: nothing\.md/);
  expect(await say("读取 ../secret.txt")).toMatch(/^没有成功.*secret\.txt/);
  expect(await say("list the folder nowhere")).toMatch(/^The tool `list_dir` answers: Not found: nowhere/);
  expect(await say("read empty.md")).toBe("`empty.md` is empty.");
});

it("remembers facts one after the other, in a file that was there and in one that was not", async () => {
  const template = "# Long-term Memory\n\n## Preferences\n\n## Important Notes\n";
  const { say, read } = await setUp({ "memory/MEMORY.md": template });

  expect(await say("please remember that my cat is called Luna")).toContain("memory/MEMORY.md");
  expect(await say("请记住：我喜欢那家酒吧")).toBe("已经记到 `memory/MEMORY.md` 里了。");
  expect(await say("remember my cat is called Luna")).toBe("That is already written there.");
  expect(await read("memory/MEMORY.md")).toBe(`${template}\n- my cat is called Luna\n- 我喜欢那家酒吧\n`);
  expect(await say("what do you remember?")).toContain("- my cat is called Luna\n- 我喜欢那家酒吧");

  const fresh = await setUp();
  expect(await fresh.say("what do you remember?")).toBe("Nothing yet.");
  await fresh.say("remember: a\nb");
  expect(await fresh.read("memory/MEMORY.md")).toBe("# Long-term Memory\n\n- a\n  b\n");
});

it("loses no line of a long, repetitive file that it adds to", async () => {
  const long = "- the same\n".repeat(4500);
  const { say, read } = await setUp({ "notes.md": long });

  await say("write a note: something new");

  expect(await read("notes.md")).toBe(`${long}- something new\n`);
});

it("writes notes without replacing what is there", async () => {
  const { say, read } = await setUp({ "todo.txt": "first\r\nsecond" });

  await say('save "third" to todo.txt');
  await say("写个笔记：买牛奶");
  await say("新建文件 “新 文件.txt”，内容：你好");

  expect(await read("todo.txt")).toBe("first\r\nsecond\r\nthird");
  expect(await read("notes.md")).toBe("# Notes\n\n- 买牛奶\n");
  expect(await read("新 文件.txt")).toBe("你好\n");
});
