import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runToolText } from "../../../test/support/run-tool.ts";
import {
  createWorkspace,
  searchedProject as project,
  type TestWorkspace,
} from "../../../test/support/workspace.ts";
import { createListDir } from "./list-files.ts";

async function setUp(files: Record<string, string | Uint8Array>): Promise<TestWorkspace & { list: Call }> {
  const created = await createWorkspace(files);
  return { ...created, list: (args) => runToolText(createListDir(created.roots), args) };
}

type Call = (args: Record<string, unknown>) => Promise<string>;

describe("list_dir", () => {
  it("lists one folder, folders with a slash", async () => {
    const { list, workspace } = await setUp(project);
    await symlink("../outside", join(workspace, "out"));
    expect((await list({})).split("\n")).toEqual([
      ".env",
      ".git/",
      ".gitignore",
      ".hidden/",
      "README.md",
      "node_modules/",
      "out (symbolic link)",
      "src/",
      "笔记/",
    ]);
    expect(await list({ path: "笔记" })).toBe("日记.md");
  });

  it("lists recursively without folders of tools and without following links", async () => {
    const { list, workspace } = await setUp(project);
    await symlink("../outside", join(workspace, "out"));
    await symlink(".", join(workspace, "src/loop"));
    expect((await list({ recursive: true })).split("\n")).toEqual([
      ".env",
      ".gitignore",
      ".hidden/",
      ".hidden/x.md",
      "README.md",
      "out (symbolic link)",
      "src/",
      "src/app.ts",
      "src/deep/",
      "src/deep/util.py",
      "src/loop (symbolic link)",
      "笔记/",
      "笔记/日记.md",
    ]);
  });

  it("says what it left out, what is empty and what is no folder", async () => {
    const { list, workspace } = await setUp(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, ""])),
    );
    await mkdir(join(workspace, "empty"));
    expect(await list({ max_entries: 2 })).toBe(
      "empty/\nf0\n(The first 2 of 31 entries. List a subfolder, or use glob with a pattern.)",
    );
    expect(await list({ path: "empty" })).toBe("(Folder empty is empty.)");
    await expect(list({ path: "f0" })).rejects.toThrow(/is a file, not a folder/);
    await expect(list({ path: "../outside" })).rejects.toThrow(/leads outside/);
  });
});
