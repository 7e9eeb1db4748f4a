import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../test/support/eventually.ts";
import { createBuildFolder, finishBuild, isUpToDate, readStamp } from "./build-folder.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const script = (name: string) => join(project, "scripts", name);

describe("prepare, after the build that tests begin with", () => {
  it("builds nothing again", () => {
    const { ino, mtimeMs } = statSync(join(project, "dist", "main.cjs"));
    const said = execFileSync(process.execPath, [script("prepare.mjs")], { encoding: "utf8" });
    expect(said).toContain("up to date");
    expect(statSync(join(project, "dist", "main.cjs"))).toMatchObject({ ino, mtimeMs });
  });

  it("leaves dist/ whole when a build is killed", async () => {
    const build = spawn(process.execPath, [script("build.mjs")], { stdio: "ignore" });
    const ended = once(build, "exit");
    const folder = join(project, `dist.new-${build.pid}`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await eventually(() => existsSync(folder)).toBe(true);
    build.kill("SIGKILL");
    await ended;
    expect(existsSync(join(project, "dist", "main.cjs"))).toBe(true);
    expect(isUpToDate(project)).toBe(true);
  });
});

describe("a build", () => {
  let root = "";
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function createProject(): void {
    root = mkdtempSync(join(tmpdir(), "nanobot-build-"));
    for (const folder of ["src", "web", "scripts"]) mkdirSync(join(root, folder));
    writeFileSync(join(root, "src", "main.ts"), "one");
  }

  function build(): void {
    finishBuild(root, createBuildFolder(root), readStamp(root));
  }

  it("is up to date until something that it reads changes", () => {
    createProject();
    expect(isUpToDate(root)).toBe(false);
    build();
    writeFileSync(join(root, "src", "main.test.ts"), "tests are not built");
    expect(isUpToDate(root)).toBe(true);
    writeFileSync(join(root, "src", "main.ts"), "two");
    expect(isUpToDate(root)).toBe(false);
    build();
    expect(isUpToDate(root)).toBe(true);
    writeFileSync(join(root, "web", "page.tsx"), "");
    expect(isUpToDate(root)).toBe(false);
  });

  it("takes the place of the one before, and removes what a killed one left", () => {
    createProject();
    build();
    writeFileSync(join(root, "dist", "old"), "");
    mkdirSync(join(root, "dist.new-nobody"));
    build();
    expect(readdirSync(root).sort()).toEqual(["dist", "scripts", "src", "web"]);
    expect(readdirSync(join(root, "dist"))).toEqual(["stamp"]);
    expect(readFileSync(join(root, "dist", "stamp"), "utf8")).toBe(readStamp(root));
  });
});
