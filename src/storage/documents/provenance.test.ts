import { appendFile, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Provenance, type ProvenanceRecord } from "./provenance.ts";

const file = "memory/MEMORY.md";
const sidecar = "memory/.provenance.jsonl";

function record(line: string, at: number, more: Partial<ProvenanceRecord> = {}): ProvenanceRecord {
  return { file, line, at, ...more };
}

it("finds a line as people repeat it: without its mark, in parts, by words, in Chinese", async () => {
  const provenance = new Provenance(await createTemporaryFolder());
  const luna = record("- Has a cat named Luna", 1, { cursors: [3, 5], labels: ["web"] });
  const dentist = record("- 牙医在北京路", 2, { sessionKey: "cli:direct", turn: "t1" });
  await provenance.record([luna]);
  await provenance.record([dentist, record("- Luna is ill", 3)]);
  expect(await provenance.find("has a  cat named luna")).toEqual([luna]);
  expect(await provenance.find("  * named Luna")).toEqual([luna]);
  expect(await provenance.find("luna cat")).toEqual([luna]);
  expect(await provenance.find("北京")).toEqual([dentist]);
  expect((await provenance.find("luna")).map(({ at }) => at)).toEqual([3, 1]);
  expect(await provenance.find("dog")).toEqual([]);
  expect(await provenance.find(" ")).toEqual([]);
});

it("puts the line itself first, however old", async () => {
  const provenance = new Provenance(await createTemporaryFolder());
  await provenance.record([record("- likes tea", 1), record("- likes tea in the morning", 9)]);
  expect((await provenance.find("likes tea")).map(({ at }) => at)).toEqual([1, 9]);
});

it("knows how old a line is by when it was last written", async () => {
  const provenance = new Provenance(await createTemporaryFolder());
  await provenance.record([
    record("- tea", 5),
    record("- tea", 2),
    { ...record("- tea", 9), file: "USER.md" },
  ]);
  const ages = await provenance.ageOf(file, ["  - tea\r", "- unknown"]);
  expect([...ages]).toEqual([["  - tea\r", 5]]);
});

it("passes over torn and foreign lines, and loses nothing behind them", async () => {
  const root = await createTemporaryFolder({ [sidecar]: '{"file":1}\n[]\nnull\n{"file":"USER.md","li' });
  const provenance = new Provenance(root);
  await provenance.record([record("- tea", 1)]);
  await appendFile(join(root, sidecar), '{"file":"USER.md","line":"- Ada","cursors":["x",2],"at":"soon"}');
  await provenance.record([record("- coffee", 2)]);
  expect(await provenance.find("tea")).toEqual([record("- tea", 1)]);
  expect(await provenance.find("coffee")).toHaveLength(1);
  expect(await provenance.find("ada")).toEqual([{ file: "USER.md", line: "- Ada", at: 0, cursors: [2] }]);
  await provenance.compact();
  const left = await readFile(join(root, sidecar), "utf8");
  expect(left).toBe('{"file":1}\n[]\nnull\n{"file":"USER.md","li\n');
});

it("stays bounded, by what is still in the files", async () => {
  const root = await createTemporaryFolder({ [file]: "- stays\n", "USER.md": "- Ada\r\n" });
  const provenance = new Provenance(root);
  await provenance.record([{ ...record("- Ada", 1), file: "USER.md" }]);
  for (let round = 0; round < 30; round++) {
    const gone = Array.from({ length: 50 }, (_, index) =>
      record(`- ${round}.${index} ${"x".repeat(500)}`, 1),
    );
    await provenance.record([...gone, record("- stays", round)]);
  }
  expect((await stat(join(root, sidecar))).size).toBeLessThan(600 * 1024);
  expect((await provenance.find("stays")).map(({ at }) => at)[0]).toBe(29);
  expect(await provenance.find("Ada")).toHaveLength(1);
  await provenance.compact();
  const lines = (await readFile(join(root, sidecar), "utf8")).trim().split("\n");
  expect(lines.length).toBe(1 + 8);
});

it("neither reads nor writes through a link", async () => {
  const root = await createTemporaryFolder({ "memory/x": "", "elsewhere.jsonl": "" });
  await writeFile(join(root, "elsewhere.jsonl"), `${JSON.stringify(record("- secret", 1))}\n`);
  await symlink("../elsewhere.jsonl", join(root, sidecar));
  const provenance = new Provenance(root);
  expect(await provenance.find("secret")).toEqual([]);
  await expect(provenance.record([record("- tea", 1)])).rejects.toThrow("ELOOP");
});
