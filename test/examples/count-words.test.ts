import { expect, test } from "vitest";
import { createFileRoots } from "../../src/guards/files/file-roots.ts";
import { runToEnd } from "../../test/support/run-to-end.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createCountWords } from "./count-words.ts";

async function ask(path: string): Promise<unknown> {
  const workspace = await createTemporaryFolder({
    "letter.md": "Dear Ann,\nall is well.\n",
    "信.md": "你好，世界。",
  });
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  const call = { name: "count_words", arguments: { path } };
  const { messages } = await runToEnd([{ toolCalls: [call] }, "Done."], { tools: [createCountWords(roots)] });
  return messages.find(({ role }) => role === "tool")?.content;
}

test("the model is told how many words a file has, in English and in Chinese", async () => {
  expect(await ask("letter.md")).toBe("letter.md: 5 words.");
  expect(await ask("信.md")).toBe("信.md: 2 words.");
});

test("a path outside the workspace is refused", async () => {
  expect(await ask("../letter.md")).toMatch(/outside the workspace/);
});
