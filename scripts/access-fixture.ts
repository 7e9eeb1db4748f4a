// `node scripts/access-fixture.ts 0.1.0`: writes the matrix of test/fixtures/access.json as the program of that tag has it,
// with the tests of this checkout. The rest of the file stays.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../src/lib/package-root.ts";

const [tag = "0.1.0"] = process.argv.slice(2);
const checkout = join(mkdtempSync(join(tmpdir(), "access-")), tag);
const fixture = "test/fixtures/access.json";
const support = readdirSync(packagePath("test/support")).filter((name) => name.startsWith("access-"));
const run = (file: string, args: string[], cwd: string, env = {}) =>
  execFileSync(file, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });

run("git", ["worktree", "add", "--detach", checkout, tag], packagePath("."));
try {
  symlinkSync(packagePath("node_modules"), join(checkout, "node_modules"));
  for (const path of ["test/access.test.ts", fixture, ...support.map((name) => `test/support/${name}`)])
    cpSync(packagePath(path), join(checkout, path));
  run("npx", ["vitest", "run", "test/access.test.ts"], checkout, { UPDATE_ACCESS: "1" });
  cpSync(join(checkout, fixture), packagePath(fixture));
} finally {
  run("git", ["worktree", "remove", "--force", checkout], packagePath("."));
  rmSync(join(checkout, ".."), { recursive: true, force: true });
}
