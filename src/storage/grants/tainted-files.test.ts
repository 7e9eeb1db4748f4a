import { appendFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { TaintedFiles } from "./tainted-files.ts";

async function setUp() {
  const path = join(await createTemporaryFolder(), "taint.jsonl");
  return { path, files: new TaintedFiles(path) };
}

describe("the list of files with content from outside", () => {
  it("keeps the last labels of each, privately, for the next process too", async () => {
    const { path, files } = await setUp();
    expect(await files.labelsOf("/ws/a.md")).toEqual([]);
    await files.record("/ws/a.md", ["web:a.example"]);
    await files.record("/ws/b.md", ["mail"]);
    await files.record("/ws/a.md", ["web:a.example", "mail"]);
    await files.record("/ws/b.md", []);
    const later = new TaintedFiles(path);
    expect(await later.labelsOf("/ws/a.md")).toEqual(["web:a.example", "mail"]);
    expect([...(await later.list()).keys()]).toEqual(["/ws/a.md"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("sees what another process adds and removes", async () => {
    const { path, files } = await setUp();
    await files.record("/ws/a.md", ["web"]);
    await new TaintedFiles(path).record("/ws/b.md", ["mail"]);
    expect(await files.labelsOf("/ws/b.md")).toEqual(["mail"]);
    await rm(path);
    expect(await files.labelsOf("/ws/a.md")).toEqual([]);
  });

  it("writes nothing that it knows already", async () => {
    const { path, files } = await setUp();
    await files.record("/ws/a.md", ["web"]);
    const before = await readFile(path, "utf8");
    await files.record("/ws/a.md", ["web"]);
    await files.record("/ws/clean.md", []);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("passes over what is no entry, and goes on after half a line", async () => {
    const { path, files } = await setUp();
    await writeFile(path, '{"path":"/ws/a.md","labels":["web"]}\nnoise\n{"path":7}\n{"path":"/ws/b.md","lab');
    expect([...(await files.list()).keys()]).toEqual(["/ws/a.md"]);
    await files.record("/ws/c.md", ["mail"]);
    await appendFile(path, '{"path":"/ws/d.md","labels":["mcp:x",3,""]}\n');
    const later = new TaintedFiles(path);
    expect([...(await later.list()).keys()]).toEqual(["/ws/a.md", "/ws/c.md", "/ws/d.md"]);
    expect(await later.labelsOf("/ws/d.md")).toEqual(["mcp:x"]);
  });

  it("is bounded without losing a label: a folder represents the many files in it, and the file is rewritten", async () => {
    const { path, files } = await setUp();
    const lines = Array.from({ length: 4_001 }, (_, index) => `{"path":"/ws/${index}","labels":["web"]}\n`);
    await writeFile(path, `{"path":"/other/old.md","labels":["mail"]}\n${lines.join("")}`);
    await files.record("/ws/new", ["web"]);
    expect((await files.list()).size).toBeLessThanOrEqual(2_000);
    expect((await readFile(path, "utf8")).split("\n").length).toBeLessThanOrEqual(2_001);
    expect(await files.labelsOf("/ws/0")).toEqual(["web"]);
    expect(await files.labelsOf("/ws/new")).toEqual(["web"]);
    expect(await files.labelsOf("/other/old.md")).toEqual(["mail"]);
  });

  it("gives back any path that a disk can hold", async () => {
    const { path, files } = await setUp();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (text) => {
        const name = `a${text.replaceAll("/", "")}`;
        for (const file of [`/ws/${name}`, join(dirname(path), name)]) {
          await files.record(file, ["web"]);
          expect(await new TaintedFiles(path).labelsOf(file)).toEqual(["web"]);
        }
      }),
      { numRuns: cases(30) },
    );
  });
});
