import { appendFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type KeptAside, ShownLog } from "./shown-log.ts";

function aside(id: string, text = id): KeptAside {
  return { type: "aside", id, turnId: "T", at: 1, kind: "notice", text, media: [] };
}

it("keeps what was shown by session, once, and passes over what a crash left half", async () => {
  const folder = await createTemporaryFolder();
  const log = new ShownLog(folder, folder);
  await log.append("web:a", [aside("one")]);
  await log.append("web:b", [aside("other")]);
  const [name = ""] = (await readdir(folder)).toSorted();
  await appendFile(join(folder, name), '{"type":"aside","id":"half\n[]\n');
  await log.append("web:a", [aside("one"), aside("二")]);
  expect((await new ShownLog(folder, folder).read("web:a")).asides.map(({ id }) => id)).toEqual([
    "one",
    "二",
  ]);
  await log.clear("web:a");
  expect(await log.read("web:a")).toEqual({ said: [], asides: [], turns: [], tasks: [] });
  expect((await log.read("web:b")).asides).toHaveLength(1);
});

it("forgets the oldest when a megabyte is full", async () => {
  const folder = await createTemporaryFolder();
  const log = new ShownLog(folder, folder);
  for (let number = 0; number < 30; number++)
    await log.append("web:a", [aside(`n${number}`, "x".repeat(50_000))]);
  const [name = ""] = await readdir(folder);
  expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(1_000_000);
  const ids = (await log.read("web:a")).asides.map(({ id }) => id);
  expect(ids.at(-1)).toBe("n29");
  expect(ids).not.toContain("n0");
  expect(ids.length).toBeGreaterThan(8);
});
