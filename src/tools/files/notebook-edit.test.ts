import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runToolText } from "../../../test/support/run-tool.ts";
import { createWorkspace } from "../../../test/support/workspace.ts";
import type { Tool } from "../../runner/tool.ts";
import { readMembers } from "./json-members.ts";
import { type CellEdit, createNotebook, createNotebookEdit, editNotebook } from "./notebook-edit.ts";

/** As Jupyter writes it, with things in it that a JSON library would not keep: 1.0, escapes, a key made of digits. */
const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"scale": 1.0, "\\u4f60": 1e5},
   "source": [
    "# 标题\\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "sum",
   "metadata": {
    "tags": ["keep"],
    "big": 12345678901234567890
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["3\\n"]
    }
   ],
   "source": "1 + 2"
  }
 ],
 "metadata": {
  "kernelspec": {"name": "python3"},
  "2": "b", "1": "a"
 },
 "nbformat": 4,
 "nbformat_minor": 5,
 "unknown": {"\\"cells\\"": []}
}
`;

async function setUp(text?: string | Uint8Array): Promise<{ tool: Tool; read(): Promise<string> }> {
  const { workspace, roots } = await createWorkspace(text === undefined ? {} : { "a.ipynb": text });
  const tool = createNotebookEdit(roots) as Tool;
  return { tool, read: () => readFile(join(workspace, "a.ipynb"), "utf8") };
}

/** The text after an edit, which must begin and end as before. */
async function change(args: Record<string, unknown>, text = notebook): Promise<string> {
  const { tool, read } = await setUp(text);
  await runToolText(tool, { path: "a.ipynb", ...args });
  return read();
}

describe("a cell", () => {
  it("is replaced, and nothing else in the file changes", async () => {
    const { tool, read } = await setUp(notebook);
    const args = { path: "a.ipynb", mode: "replace", cell: "sum", source: "1 + 3\nprint('好')\n" };
    expect(await runToolText(tool, args)).toBe("Replaced cell 1; its outputs are cleared in a.ipynb.");
    const expected = notebook
      .replace('"execution_count": 7', '"execution_count": null')
      .replace(/"outputs": \[[\s\S]*?\n {3}\]/, '"outputs": []')
      .replace('"source": "1 + 2"', `"source": [\n    "1 + 3\\n",\n    "print('好')\\n"\n   ]`);
    expect(await read()).toBe(expected);
  });

  it.each([
    ["its index", 0],
    ["its index as text", "0"],
    ["its id", "intro"],
  ])("is found by %s", async (_, cell) => {
    const text = await change({ mode: "replace", cell, source: "# New" });
    expect(text).toBe(notebook.replace(/"# 标题\\n",\s+"text"/, '"# New"'));
  });

  it("is inserted before another, or at the end", async () => {
    const first = JSON.parse(await change({ mode: "insert", cell: 0, source: "x = 1" }));
    expect(first.cells[0]).toEqual({
      cell_type: "code",
      execution_count: null,
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      metadata: {},
      outputs: [],
      source: ["x = 1"],
    });
    const last = await change({ mode: "insert", source: "## End", cell_type: "markdown" });
    expect(Object.keys(JSON.parse(last).cells[2])).toEqual(["cell_type", "id", "metadata", "source"]);
    expect(last).toContain('  },\n  {\n   "cell_type": "markdown",\n   "id": ');
    expect(last.startsWith(notebook.slice(0, notebook.indexOf("\n ],\n")))).toBe(true);
  });

  it("is deleted, whichever it is", async () => {
    expect(await change({ mode: "delete", cell: 0 })).toBe(
      notebook.replace(/ {2}\{\n {3}"cell_type": "markdown"[\s\S]*?\n {2}\},\n/, ""),
    );
    const without = await change({ mode: "delete", cell: "sum" });
    expect(without).toBe(notebook.replace(/,\n {2}\{\n {3}"cell_type": "code"[\s\S]*?\n {2}\}/, ""));
    expect(await change({ mode: "delete", cell: 0 }, without)).toContain('"cells": [],\n "metadata"');
  });

  it("becomes another type with what that type has", async () => {
    const markdown = JSON.parse(await change({ mode: "replace", cell: 1, cell_type: "markdown" })).cells[1];
    expect(markdown).toMatchObject({ cell_type: "markdown", source: "1 + 2", metadata: { tags: ["keep"] } });
    expect(Object.keys(markdown).sort()).toEqual(["cell_type", "id", "metadata", "source"]);
    const code = JSON.parse(await change({ mode: "replace", cell: 0, cell_type: "code", source: "1" }));
    expect(code.cells[0]).toMatchObject({ outputs: [], execution_count: null, source: ["1"], id: "intro" });
  });

  it("has an id only where the format knows ids", async () => {
    const old = notebook
      .replace('"nbformat_minor": 5', '"nbformat_minor": 4')
      .replaceAll(/ {3}"id".*\n/g, "");
    const inserted = JSON.parse(await change({ mode: "insert", source: "x" }, old));
    expect(inserted.cells[2]).not.toHaveProperty("id");
    const bare = notebook.replaceAll(/ {3}"id".*\n/g, "");
    const replaced = JSON.parse(await change({ mode: "replace", cell: 1, source: "x" }, bare));
    expect(replaced.cells[1].id).toMatch(/^[0-9a-f]{8}$/);
  });
});

describe("a notebook", () => {
  it("is made when a first cell is inserted", async () => {
    const { tool, read } = await setUp();
    const args = { path: "a.ipynb", mode: "insert", source: "print(1)\n" };
    expect(await runToolText(tool, args)).toBe("Created a.ipynb.");
    const made = await read();
    expect(JSON.parse(made)).toMatchObject({ cells: [{ source: ["print(1)\n"] }], nbformat: 4 });
    expect(made).toMatch(/^\{\n "cells": \[\n {2}\{\n {3}"cell_type": "code",[\s\S]*\n\}\n$/);
    await runToolText(tool, args);
    const ids = JSON.parse(await read()).cells.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it("keeps its layout: in one line, with other indentation, with Windows line ends, with a mark at its start", async () => {
    const compact = JSON.stringify(JSON.parse(notebook));
    expect(await change({ mode: "insert", source: "x" }, compact)).not.toContain("\n");
    const wide = JSON.stringify(JSON.parse(notebook), null, 4);
    const widened = await change({ mode: "insert", source: "x" }, wide);
    expect(widened).toBe(JSON.stringify(JSON.parse(widened), null, 4));
    const windows = await change({ mode: "insert", source: "x\r\ny" }, notebook.replaceAll("\n", "\r\n"));
    expect(windows.replaceAll("\r\n", "")).not.toContain("\n");
    expect(JSON.parse(windows).cells[2].source).toEqual(["x\n", "y"]);
    expect(await change({ mode: "delete", cell: 0 }, `\ufeff${notebook}`)).toMatch(/^\ufeff\{/);
  });

  it.each([
    ["no JSON", "print(1)"],
    ["a list", "[]"],
    ["another format", notebook.replace('"nbformat": 4', '"nbformat": 3')],
    ["cells that are none", '{"nbformat":4,"cells":[1]}'],
    ["no cells", '{"nbformat":4}'],
  ])("that is %s is refused in a sentence", async (_, text) => {
    const { tool } = await setUp(text);
    const call = runToolText(tool, { path: "a.ipynb", mode: "delete", cell: 0 });
    await expect(call).rejects.toThrow(/no notebook of format 4\. Convert it/);
  });

  it.each([
    [{ mode: "delete" }, /Give the cell: its index from 0, or its id/],
    [{ mode: "replace", cell: 0 }, /Give the new source/],
    [{ mode: "insert", cell: 0 }, /Give the source/],
    [{ mode: "delete", cell: 2 }, /no cell 2: the notebook has 2, from 0; ids intro, sum\./],
    [{ mode: "delete", cell: -1 }, /no cell -1/],
    [{ mode: "replace", cell: "intro", source: "# 标题\ntext" }, /would change nothing/],
  ])("is not changed by %j", async (args, problem) => {
    const { tool, read } = await setUp(notebook);
    await expect(runToolText(tool, { path: "a.ipynb", ...args })).rejects.toThrow(problem);
    expect(await read()).toBe(notebook);
  });

  it("that is not there, not text or too large is named as such", async () => {
    const { tool } = await setUp();
    const args = { path: "a.ipynb", mode: "delete", cell: 0 };
    await expect(runToolText(tool, args)).rejects.toThrow(/Not found: a\.ipynb/);
    await expect(change({ mode: "delete", cell: 0 }, `{"a":"\0"}`)).rejects.toThrow(/binary/);
    const huge = `{"nbformat":4,"cells":[],"x":"${"x".repeat(21 * 1024 * 1024)}"}`;
    await expect(change({ mode: "insert", source: "" }, huge)).rejects.toThrow(/over 20 MB/);
  });

  it("whose ids repeat asks for an index", async () => {
    const twins = notebook.replace('"id": "sum"', '"id": "intro"');
    await expect(change({ mode: "delete", cell: "intro" }, twins)).rejects.toThrow(/Several cells/);
    expect(JSON.parse(await change({ mode: "delete", cell: 1 }, twins)).cells).toHaveLength(1);
  });

  it("that is nested without end, or named twice, is still read right", async () => {
    const deep = `{"x":${"[".repeat(200_000)}${"]".repeat(200_000)},"cells":[{"cell_type":"raw"}],"nbformat":4}`;
    const text = await change({ mode: "delete", cell: 0 }, deep);
    expect(text).toBe(deep.replace('[{"cell_type":"raw"}]', "[]"));
    const twice = '{"cells":[{"a":1}],"nbformat":4,"c\\u0065lls":[{"b":2},{"c":3}]}';
    expect(await change({ mode: "delete", cell: 0 }, twice)).toBe(
      '{"cells":[{"a":1}],"nbformat":4,"c\\u0065lls":[{"c":3}]}',
    );
  });
});

it("members are found in any JSON, however it is laid out", () => {
  const layout = fc.constantFrom(undefined, 1, "\t", 4);
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      layout,
      (value, unit) => {
        const text = JSON.stringify(value, null, unit);
        const members = readMembers(text, 0);
        const found = members.map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end))]);
        const entries = Object.entries(JSON.parse(text));
        expect(found).toEqual(Array.isArray(value) ? entries.map(([, item]) => [undefined, item]) : entries);
      },
    ),
  );
});

it("any series of edits leaves a valid notebook in which only the named cells changed", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((source) => source.toWellFormed());
  const edit = fc.record({
    mode: fc.constantFrom("insert" as const, "replace" as const, "delete" as const),
    position: fc.nat({ max: 5 }),
    source: text,
    cell_type: fc.constantFrom(undefined, "code" as const, "markdown" as const, "raw" as const),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), fc.boolean(), (edits, isCompact) => {
      const begun = createNotebook({ mode: "insert", source: "begin", seed: "0" });
      let now = isCompact ? JSON.stringify(JSON.parse(begun)) : begun;
      for (const [index, { position, ...rest }] of edits.entries()) {
        const before: unknown[] = JSON.parse(now).cells;
        const at = before.length === 0 ? 0 : position % before.length;
        if (before.length === 0 && rest.mode !== "insert") continue;
        const named: CellEdit = {
          ...rest,
          cell: before.length === 0 ? undefined : String(at),
          seed: `${index}`,
        };
        now = editNotebook(now, named).text;
        const after = JSON.parse(now).cells;
        const others = { insert: 0, replace: 1, delete: 1 }[rest.mode];
        const added = rest.mode === "delete" ? 0 : 1;
        expect(after.toSpliced(at, added)).toEqual(before.toSpliced(at, others));
        if (added === 1) expect(after[at].source.join("")).toBe(rest.source.replaceAll("\r\n", "\n"));
        for (const { cell_type, outputs, execution_count } of after)
          expect([outputs, execution_count]).toEqual(
            cell_type === "code" ? [[], null] : [undefined, undefined],
          );
      }
    }),
  );
});
