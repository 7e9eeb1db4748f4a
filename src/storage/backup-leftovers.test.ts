import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createLeftovers, removeLeftovers } from "./backup-leftovers.ts";

it("temporary files of a backup that was killed are removed, those of one that runs are not", async () => {
  const home = await createTemporaryFolder({ "state.db.0123abcd.copy": "", "run/x": "" });
  const elsewhere = await createTemporaryFolder();
  const leftovers = createLeftovers(home);
  const partial = await leftovers.name(join(elsewhere, "b.tar.gz"));
  await writeFile(partial, "half");
  await removeLeftovers(home);
  expect(await readdir(elsewhere)).toHaveLength(1);
  const [note = ""] = (await readdir(join(home, "run"))).filter((name) => name.startsWith("backup-"));
  // Of a process that is gone.
  await rename(join(home, "run", note), join(home, "run", note.replace(String(process.pid), "4194999")));
  await removeLeftovers(home);
  expect(await readdir(elsewhere)).toEqual([]);
  expect([await readdir(home), await readdir(join(home, "run"))]).toEqual([["run"], ["x"]]);
  await rm(elsewhere, { recursive: true });
});
