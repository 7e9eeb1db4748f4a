import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { honestPaths, hostilePaths } from "../../../test/fixtures/path-corpus.ts";
import { terminalOrigin } from "../../../test/support/origins.ts";
import { createFileRoots, type FileRoots } from "./file-roots.ts";
import { isInside } from "./real-path.ts";

let folder = "";
let workspace = "";
let roots: FileRoots;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "nanobot-paths-")));
  workspace = join(folder, "ws");
  const [out, home] = [join(folder, "out"), join(folder, "home")];
  for (const path of [join(workspace, "inner"), out, home, `${workspace}-evil`, `${workspace}2`])
    await mkdir(path, { recursive: true });
  await writeFile(join(out, "secret.md"), "secret");
  const links = { "link-out": out, "link-file": join(out, "secret.md"), "link-up": folder, "link-root": "/" };
  const more = {
    "link-in": join(workspace, "inner"),
    dangling: join(folder, "gone"),
    loop: join(workspace, "loop"),
  };
  for (const [name, target] of Object.entries({ ...links, ...more }))
    await symlink(target, join(workspace, name));
  roots = createFileRoots({
    workspaceFor: () => workspace,
    readRoots: [],
    isRestricted: true,
    home: { folder: home, workspace },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function fill(path: string): string {
  return path
    .replaceAll("{ws}", workspace)
    .replaceAll("{base}", basename(workspace))
    .replaceAll("{out}", join(folder, "out"))
    .replaceAll("{home}", join(folder, "home"));
}

function list(corpus: Record<string, string[]>): Array<[kind: string, path: string]> {
  return Object.entries(corpus).flatMap(([kind, paths]) =>
    paths.map((path): [string, string] => [kind, path]),
  );
}

const shown = (path: string) => JSON.stringify(path.length > 60 ? `${path.slice(0, 60)}…` : path);

describe("the corpus of paths", () => {
  it("has at least two hundred forms of many kinds, and none twice", () => {
    const all = [...list(hostilePaths), ...list(honestPaths)].map(([, path]) => path);
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(new Set(all).size).toBe(all.length);
    expect(Object.keys(hostilePaths).length + Object.keys(honestPaths).length).toBeGreaterThanOrEqual(25);
  });

  it.each(list(hostilePaths).map(([kind, path]) => [kind, shown(path), path]))(
    "%s: %s is not written",
    async (_kind, _shown, path) => {
      await expect(roots.resolveWrite(fill(path), terminalOrigin)).rejects.toMatchObject({
        name: "ToolError",
      });
    },
  );

  it.each(list(honestPaths).map(([kind, path]) => [kind, shown(path), path]))(
    "%s: %s lies inside",
    async (_kind, _shown, path) => {
      expect(isInside(await roots.resolveWrite(fill(path), terminalOrigin), workspace)).toBe(true);
    },
  );
});
