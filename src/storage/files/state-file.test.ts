import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateFile, splitRows } from "./state-file.ts";

async function create() {
  const folder = await createTemporaryFolder();
  const path = join(folder, "state.json");
  const findFault = ({ rows }: Record<string, unknown>) => (Array.isArray(rows) ? undefined : "has no rows");
  return { folder, path, file: new StateFile(path, { findFault }) };
}

describe("a state file", () => {
  it("that is not there has no content and no problem", async () => {
    expect(await (await create()).file.read()).toEqual({ value: undefined });
  });

  it.each([
    ["nothing", ""],
    ["half of it", '{"rows": ['],
    ["zeros", "\0\0\0\0"],
    ["another form", '{"rows": 7}'],
    ["a list", "[]"],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ])("that holds %s gives its last good copy, and is set aside by the next write", async (_, bytes) => {
    const { path, file } = await create();
    await file.write({ rows: [1] });
    await writeFile(path, bytes);
    const { value, problem } = await file.read();
    expect(value).toEqual({ rows: [1] });
    expect(problem).toContain("state.json.last-good");
    expect(await readFile(path)).toEqual(Buffer.from(bytes));
    await file.write({ rows: [2] });
    expect(await file.read()).toEqual({ value: { rows: [2] } });
    expect(await readFile(`${path}.corrupt-1`)).toEqual(Buffer.from(bytes));
  });

  it("leaves a bounded number of others next to it, however often it is damaged", async () => {
    const { folder, path, file } = await create();
    for (const text of ["{1", "{1", "{2", "{3", "{4", "{5", "{6", "{7"]) {
      await writeFile(path, text);
      await file.write({ rows: [] });
    }
    const names = (await readdir(folder)).filter((name) => name.includes("corrupt"));
    expect(names.length).toBe(5);
    expect(await readFile(`${path}.corrupt-1`, "utf8")).toBe("{1");
  });

  it("that cannot be read for now is an error, and is never replaced", async () => {
    const { folder, path, file } = await create();
    await file.write({ rows: [1] });
    const copy = await readFile(`${path}.last-good`);
    await writeFile(`${path}.tmp`, "");
    await mkdir(join(folder, "in"));
    const other = new StateFile(join(folder, "in"));
    await expect(other.read()).rejects.toMatchObject({ phrase: { code: "file.is-folder" } });
    await expect(other.write({})).rejects.toMatchObject({ phrase: { code: "file.is-folder" } });
    expect(await readFile(`${path}.last-good`)).toEqual(copy);
  });

  it("comes back as it was written, whatever happens to the bytes of one of the two files", async () => {
    const { path, file } = await create();
    const damage = fc.record({
      rows: fc.array(fc.jsonValue({ maxDepth: 3 })),
      isCopy: fc.boolean(),
      at: fc.nat(),
      byte: fc.nat(255),
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ rows, isCopy, at, byte, cut }) => {
        const value = JSON.parse(JSON.stringify({ rows }));
        await file.write(value);
        const hit = isCopy ? `${path}.last-good` : path;
        const bytes = await readFile(hit);
        bytes[at % bytes.length] = byte;
        await writeFile(hit, cut ? bytes.subarray(0, at % bytes.length) : bytes);
        const { value: read, problem } = await file.read();
        // A byte may become another valid one: then the file says something else, and nobody can know.
        if (isCopy || problem !== undefined) expect(read).toEqual(value);
        else expect(read).toBeDefined();
      }),
      { numRuns: cases(60) },
    );
  });
});

it("splits rows into those that are understood and the others, as they are", () => {
  const parse = (row: unknown) => (typeof row === "number" ? row : undefined);
  expect(splitRows([1, "a", 2, null], parse)).toEqual({ known: [1, 2], foreign: ["a", null] });
  expect(splitRows({}, parse)).toEqual({ known: [], foreign: [] });
});
