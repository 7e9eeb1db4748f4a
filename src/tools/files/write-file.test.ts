import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { createWorkspace } from "../../../test/support/workspace.ts";
import { createWriteFile } from "./write-file.ts";

it("creates and replaces a file, with its folders", async () => {
  const { workspace, roots } = await createWorkspace();
  const tool = createWriteFile(roots);
  expect(await runToolText(tool, { path: "新/a.md", content: "早上好" })).toBe(
    "Wrote 3 characters to 新/a.md.",
  );
  expect(await readFile(join(workspace, "新/a.md"), "utf8")).toBe("早上好");
  await runTool(tool, { path: "新/a.md", content: "" });
  expect(await readFile(join(workspace, "新/a.md"), "utf8")).toBe("");
});

it("says what it would write, and refuses what is outside or protected", async () => {
  const { roots } = await createWorkspace();
  const tool = createWriteFile(roots);
  expect(tool.effects?.({ path: "x", content: "" })).toEqual([{ type: "write", path: "x", text: "" }]);
  await expect(runTool(tool, { path: "../outside/secret.md", content: "x" })).rejects.toThrow(
    /leads outside/,
  );
  await expect(runTool(tool, { path: ".git/config", content: "x" })).rejects.toThrow(/keeps for itself/);
});

it("replaces lone surrogates, which no file can hold", async () => {
  const { workspace, roots } = await createWorkspace();
  await runTool(createWriteFile(roots), { path: "a", content: "a\ud800b" });
  expect(await readFile(join(workspace, "a"), "utf8")).toBe("a\ufffdb");
});
