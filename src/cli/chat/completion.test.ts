import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPng } from "../../../test/support/images.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findMentionedFiles, withImageMention } from "../terminal/media-files.ts";
import { createCompletion } from "./completion.ts";

const commands = [
  { name: "stop", about: "stops" },
  { name: "status", about: "tells" },
];
const skills = [{ name: "weather", about: "Rain\u001b[2J\nand sun" }];

async function complete(typed: string, folders: string[] = []) {
  const provider = createCompletion({ known: async () => ({ commands, skills }), folders });
  const lines = typed.split("\n");
  const row = lines.length - 1;
  const column = lines[row]?.length ?? 0;
  const { signal } = new AbortController();
  const found = await provider.getSuggestions(lines, row, column, { signal });
  const apply = (index: number) => {
    const item = found?.items[index];
    if (found === null || item === undefined) throw new Error("nothing to apply");
    return provider.applyCompletion(lines, row, column, item, found.prefix).lines.join("\n");
  };
  return { labels: found?.items.map(({ label }) => label) ?? [], items: found?.items ?? [], apply };
}

describe("completion", () => {
  it("knows commands at the beginning of a message only, and skills at every word", async () => {
    expect((await complete("/st")).labels).toEqual(["/stop", "/status"]);
    expect((await complete("see /st")).labels).toEqual([]);
    expect((await complete("first\n/st")).labels).toEqual([]);
    expect((await complete("/sta")).apply(0)).toBe("/status ");
    const skill = await complete("please $we");
    expect(skill.apply(0)).toBe("please $weather ");
    expect(skill.items[0]?.description).not.toContain("\u001b");
    expect((await complete("costs 5$we")).labels).toEqual([]);
  });

  it("lists folders first, hidden files only when asked for, and goes on inside a folder", async () => {
    const folder = await createTemporaryFolder();
    await mkdir(join(folder, "zoo/Deep Water"), { recursive: true });
    for (const name of ["apple.md", "bad\u001b[2J.md", ".hidden", "zoo/lion.txt", "zoo/Deep Water/fish.md"])
      await writeFile(join(folder, name), "x");
    expect((await complete("@", [folder])).labels).toEqual(["zoo/", "apple.md"]);
    expect((await complete("@.", [folder])).labels).toEqual([".hidden"]);
    expect((await complete("read @z", [folder])).apply(0)).toBe("read @zoo/");
    expect((await complete("@zoo/LI", [folder])).apply(0)).toBe("@zoo/lion.txt ");
    expect((await complete("@zoo/wat", [folder])).apply(0)).toBe('@"zoo/Deep Water/');
    expect((await complete('@"zoo/Deep Water/f', [folder])).apply(0)).toBe('@"zoo/Deep Water/fish.md" ');
    expect((await complete("@nowhere/x", [folder])).labels).toEqual([]);
    expect((await complete(`@${folder}/app`)).apply(0)).toBe(`@${folder}/apple.md `);
  });
});

describe("files of a message", () => {
  it("are those that are there, in the first folder that has them, each once", async () => {
    const [here, there] = [await createTemporaryFolder(), await createTemporaryFolder()];
    await writeFile(join(here, "a b.txt"), "x");
    await writeFile(join(there, "c.png"), createPng(1, 1));
    const text = 'compare @"a b.txt" with @c.png, @c.png and @missing, not me@c.png';
    expect(await findMentionedFiles(text, [here, there])).toEqual([
      join(here, "a b.txt"),
      join(there, "c.png"),
    ]);
    expect(await findMentionedFiles(`look at @${there}/c.png。`, [])).toEqual([join(there, "c.png")]);
  });

  it("may be dropped on the terminal: only the path of an image becomes a name", () => {
    const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;
    expect(withImageMention(paste("/tmp/my\\ cat.PNG"))).toBe(paste('@"/tmp/my cat.PNG" '));
    expect(withImageMention(paste("'/tmp/cat.jpg'"))).toBe(paste("@/tmp/cat.jpg "));
    expect(withImageMention(paste("file:///tmp/a%20b.webp"))).toBe(paste('@"/tmp/a b.webp" '));
    for (const other of ["/tmp/notes.md", "cat.png", "/tmp/a.png\n/tmp/b.png", "hello"])
      expect(withImageMention(paste(other))).toBe(paste(other));
  });
});
