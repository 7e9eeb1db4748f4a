import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { chooseCommand, toInstallCommand } from "./program-command.ts";

/** The package at a place of a folder. */
async function install(place: string): Promise<{ folder: string; root: string; program: string }> {
  const folder = await createTemporaryFolder();
  const root = join(folder, place);
  const program = join(root, "bin", "nanobot.mjs");
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, "");
  return { folder, root, program };
}

async function link(folder: string, program: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await symlink(program, join(folder, "nanobot"));
  return folder;
}

describe("the command that works here", () => {
  test("is npx in a checkout, with its folder when that is not the current one", async () => {
    const { folder, root } = await install("my bot");
    const folders = ["/usr/bin"];
    expect(chooseCommand({ root, cwd: root, folders, words: ["status"] })).toBe("npx nanobot");
    expect(chooseCommand({ root, cwd: join(root, "src"), folders, words: [] })).toBe("npx nanobot");
    expect(chooseCommand({ root, cwd: folder, folders, words: ["status"] })).toBe(
      `npx --prefix "${root}" nanobot`,
    );
    expect(chooseCommand({ root, cwd: "/", folders, words: ["gateway"] })).toBe("npx nanobot");
  });

  test("is the name of the program where that leads to it, and not where it leads to another", async () => {
    const { folder, root, program } = await install("checkout");
    const other = await install("other");
    const linked = await link(join(folder, "linked"), program);
    const foreign = await link(join(folder, "foreign"), other.program);
    const missing = join(folder, "missing");
    expect(chooseCommand({ root, cwd: "/", folders: [missing, linked], words: [] })).toBe("nanobot");
    expect(chooseCommand({ root, cwd: root, folders: [foreign], words: [] })).toBe("npx nanobot");
  });

  test("is its name also for a service that does not have npm's folder in its PATH", async () => {
    const { folder, root, program } = await install("lib/node_modules/nanobot");
    await link(join(folder, "bin"), program);
    expect(chooseCommand({ root, cwd: "/", folders: ["/bin"], words: ["status"] })).toBe("nanobot");
  });

  test("is npx among the modules of a project, whatever npm adds to the PATH while it runs", async () => {
    const { folder, root, program } = await install("node_modules/nanobot");
    const folders = [await link(join(folder, "node_modules", ".bin"), program)];
    expect(chooseCommand({ root, cwd: folder, folders, words: ["status"] })).toBe("npx nanobot");
  });
});

test("packages are installed where the program finds them: in its project, or for all users", async () => {
  const { folder, root } = await install("lib/node_modules/nanobot");
  await writeFile(join(root, "package.json"), "{}");
  expect(toInstallCommand(["grammy@1.46.0"], root)).toBe("npm install --global grammy@1.46.0");
  await writeFile(join(folder, "lib", "package.json"), "{}");
  expect(toInstallCommand(["grammy@1.46.0"], root)).toBe("npm install grammy@1.46.0");
});
