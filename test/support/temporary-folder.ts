// A folder that is gone when the test is over, by its real path.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export async function createTemporaryFolder(
  files: Record<string, string | Uint8Array> = {},
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "nanobot-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}
