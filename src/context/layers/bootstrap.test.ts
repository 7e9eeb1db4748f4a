import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { copyTemplates, ensureWorkspace } from "../../storage/documents/templates.ts";
import { createBootstrapLayer } from "./bootstrap.ts";
import { PromptFiles } from "./layer.ts";

let workspace: string;
beforeEach(async () => {
  workspace = join(await createTemporaryFolder(), "workspace");
});

async function render(names?: string[], characters = 150_000): Promise<string> {
  const layer = createBootstrapLayer(new PromptFiles(), names);
  const budget = { characters, tokens: characters };
  return (await layer.render({ personRoot: workspace, workspace, budget }))?.text ?? "";
}

const headings = (text: string) => [...text.matchAll(/^## (\S+\.md)$/gm)].map(([, name]) => name);

describe("the files of a new workspace", () => {
  it("are in the prompt in their order, without the placeholders", async () => {
    await ensureWorkspace(workspace);
    expect(headings(await render())).toEqual(["AGENTS.md", "SOUL.md", "TOOLS.md", "BOOTSTRAP.md"]);
    await writeFile(join(workspace, "USER.md"), "Name: Ada");
    expect(headings(await render())).toEqual(["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md"]);
  });

  it("can be another list, of eight at the most", async () => {
    await ensureWorkspace(workspace);
    await writeFile(join(workspace, "PROJECT.md"), "Ship it.");
    expect(headings(await render(["PROJECT.md", "SOUL.md"]))).toEqual([
      "PROJECT.md",
      "SOUL.md",
      "BOOTSTRAP.md",
    ]);
    const many = Array.from({ length: 12 }, (_, index) => `F${index}.md`);
    for (const name of many) await writeFile(join(workspace, name), name);
    expect(headings(await render(many))).toEqual([...many.slice(0, 8), "BOOTSTRAP.md"]);
  });

  it("never overwrite what is there, and never bring back what a person removed", async () => {
    await ensureWorkspace(workspace);
    await writeFile(join(workspace, "SOUL.md"), "mine");
    await rm(join(workspace, "HEARTBEAT.md"));
    await ensureWorkspace(workspace);
    expect(await readFile(join(workspace, "SOUL.md"), "utf8")).toBe("mine");
    expect(await readdir(workspace)).not.toContain("HEARTBEAT.md");
    expect(await copyTemplates(workspace)).toEqual(["HEARTBEAT.md"]);
  });

  it("share the budget, each keeping at least its beginning", async () => {
    await ensureWorkspace(workspace);
    for (const name of ["AGENTS.md", "SOUL.md", "USER.md"]) {
      await writeFile(join(workspace, name), `${name} begins\n${"line\n".repeat(3_000)}`);
    }
    const text = await render(undefined, 10_000);
    expect(text.length).toBeLessThan(11_500);
    expect(text).toContain("USER.md begins");
    expect(text).toContain("[... SOUL.md is longer than the prompt takes; read the rest with read_file]");
  });
});

describe("the first conversation", () => {
  it("is over when the model empties BOOTSTRAP.md, which is then removed", async () => {
    await ensureWorkspace(workspace);
    await writeFile(join(workspace, "BOOTSTRAP.md"), "\n");
    expect(headings(await render())).not.toContain("BOOTSTRAP.md");
    await expect(stat(join(workspace, "BOOTSTRAP.md"))).rejects.toThrow("ENOENT");
  });

  it("is not begun in a workspace that was already lived in, nor where it was declined", async () => {
    await ensureWorkspace(workspace);
    await rm(join(workspace, "BOOTSTRAP.md"));
    await rm(join(workspace, "SOUL.md"));
    expect(await copyTemplates(workspace)).toEqual(["SOUL.md"]);
    const other = join(await createTemporaryFolder(), "other");
    expect(await copyTemplates(other, { hasBootstrap: false })).not.toContain("BOOTSTRAP.md");
  });
});
