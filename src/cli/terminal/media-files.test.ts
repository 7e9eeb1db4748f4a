import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { systemClock } from "../../lib/clock.ts";
import { takeMedia } from "./media-files.ts";

it("copies files from outside of the workspace to where they may be read, and leaves the others", async () => {
  const root = await createTemporaryFolder();
  const [workspace, folder] = [join(root, "workspace"), join(root, "media", "cli")];
  await mkdir(workspace);
  await writeFile(join(workspace, "inside.txt"), "in");
  await writeFile(join(root, "报告.txt"), "out");
  const given = [join(workspace, "inside.txt"), join(root, "报告.txt"), root];
  const place = { workspace, folder, clock: systemClock, words };
  const [inside, copy = "", isFolder] = await takeMedia(given, place);
  expect([inside, isFolder]).toEqual([given[0], given[2]]);
  for (const missing of [join(root, "missing"), join(workspace, "missing")])
    await expect(takeMedia([missing], place)).rejects.toThrow(words.failure.noMedia(missing, "ENOENT"));
  expect(copy).toMatch(/media\/cli\/\d+-1-报告\.txt$/);
  expect(await readFile(copy, "utf8")).toBe("out");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
