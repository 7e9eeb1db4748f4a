// A process of its own that keeps two versions of a file, in a git directory on a disk that may be read-only:
// node keep-version.ts <folder for the git directory>. Prints what happened as JSON.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { Versions, type VersionsProblem } from "../../src/storage/documents/versions.ts";

const [folder = ""] = process.argv.slice(2);
const workTree = await mkdtemp(join(tmpdir(), "nanobot-test-"));
const problems: VersionsProblem[] = [];
const versions = new Versions({
  gitFolder: join(folder, "versions"),
  workTree,
  clock: systemClock,
  onProblem: (problem) => problems.push(problem),
});
const kept: string[] = [];
for (const kind of ["start", "dream"] as const) {
  await writeFile(join(workTree, "USER.md"), `${process.pid} ${kind}\n`);
  const version = await versions.commit({ kind, paths: ["USER.md"] });
  if (version !== undefined) kept.push(version.kind);
}
const log = (await versions.log()).length;
process.stdout.write(`${JSON.stringify({ kept, problems, log })}\n`);
await rm(workTree, { recursive: true });
