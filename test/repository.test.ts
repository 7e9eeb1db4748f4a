import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProgram } from "./support/start-program.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));

interface LockedPackage {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}
const locked: Record<string, LockedPackage> = JSON.parse(read("package-lock.json")).packages;

/** As Node looks a package up: in the nearest node_modules, then further out. */
function findLocked(from: string, name: string): LockedPackage | undefined {
  const nested = locked[`${from === "" ? "" : `${from}/`}node_modules/${name}`];
  if (nested !== undefined || from === "") return nested;
  const outer = from.lastIndexOf("node_modules/");
  return findLocked(outer <= 0 ? "" : from.slice(0, outer - 1), name);
}

describe("package.json", () => {
  test("pins every dependency exactly", () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
    const pins = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides };
    const loose = Object.entries(pins).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)));
    expect(loose).toEqual([]);
  });

  test("lets a user install only what cannot be part of dist", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["@vscode/ripgrep", "zod"]);
    expect(Object.keys(manifest.optionalDependencies)).toEqual(["sharp"]);
  });

  test("has these scripts and no more", () => {
    expect(Object.keys(manifest.scripts)).toEqual([
      "start",
      "dev",
      "check",
      "test",
      "test:long",
      "build",
      "bench",
      "prepare",
    ]);
  });

  test("brings a Node of its own that satisfies what it asks of the system's", () => {
    expect(manifest.engines.node).toBe(">=22.18");
    expect(manifest.devDependencies.node).toMatch(/^24\./);
    expect(manifest.allowScripts).toMatchObject({ node: true, esbuild: true });
  });

  test("publishes only files that exist once it is built", () => {
    const isMissing = (path: string) => path !== "dist" && globSync(path, { cwd: root }).length === 0;
    const missing = manifest.files.filter(isMissing);
    expect(missing).toEqual([]);
  });
});

describe("the lockfile", () => {
  test("holds the optional packages of every platform, in the versions asked for", () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, range]) => !fits(findLocked(path, name)?.version, range))
        .map(([name, range]) => `${path} wants ${name}@${range}`),
    );
    expect(missing).toEqual([]);
  });

  function fits(version: string | undefined, range: string): boolean {
    const isExact = /^\d+\.\d+\.\d+$/.test(range);
    return version !== undefined && (!isExact || version === range);
  }

  test("covers more platforms than this one", () => {
    const paths = Object.keys(locked);
    for (const platform of ["darwin-arm64", "linux-x64", "win32-x64"]) {
      expect(paths).toContain(`node_modules/@esbuild/${platform}`);
    }
  });

  test("names no host, and the content of every package", () => {
    const installed = Object.entries(locked).filter(
      ([path, { link }]) => path.startsWith("node_modules/") && !link,
    );
    expect(installed.length).toBeGreaterThan(200);
    expect(installed.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(installed.filter(([, entry]) => entry.integrity === undefined)).toEqual([]);
  });

  test("belongs to this package.json", () => {
    const { name, version, dependencies, devDependencies, optionalDependencies } = manifest;
    expect(locked[""]).toMatchObject({ name, version, dependencies, devDependencies, optionalDependencies });
  });
});

describe("the tree", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)));

  test("keeps npm quiet, and hosts out of the lockfile", () => {
    expect(read(".npmrc")).toBe(
      "omit-lockfile-registry-resolved=true\nfund=false\naudit=false\nupdate-notifier=false\nloglevel=error\n",
    );
  });

  test("is under the MIT licence", () => {
    expect(read("LICENSE")).toMatch(/^MIT License\n/);
    expect(manifest.license).toBe("MIT");
  });

  test("holds nothing that is built or installed", () => {
    expect(tracked.filter((path) => /(^|\/)(node_modules|dist|coverage)\//.test(path))).toEqual([]);
  });

  test("names no folder of a developer's machine and no package registry", () => {
    const homes = [root, userInfo().homedir].filter((path) => path.split("/").length > 2);
    const foreign = [
      ...homes.map((path) => new RegExp(`(?<![\\w./-])${path.replaceAll(".", "\\.")}(?![\\w-])`)),
      new RegExp(`(?<![\\w.-])/${"work"}/`),
      /https?:\/\/(registry\.|[\w.-]+\/(repository|artifactory|api)\/npm\b)/,
    ];
    const found = tracked.flatMap((path) => {
      const text = readFileSync(join(root, path), "latin1");
      return foreign.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((hit) => `${path}: ${hit}`);
    });
    expect(found).toEqual([]);
  });

  test("lets the launcher and the CI script be run", () => {
    for (const path of ["bin/nanobot.mjs", ".ci/run"])
      expect(statSync(join(root, path)).mode & 0o111).toBe(0o111);
  });
});

describe("npm install without the development tools", () => {
  test("prepares nothing, says so, and succeeds", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nanobot-prepare-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const script of ["prepare.mjs", "build.mjs", "build-folder.mjs"]) {
      cpSync(join(root, "scripts", script), join(folder, "scripts", script));
    }
    expect(await runProgram([process.execPath, join(folder, "scripts/prepare.mjs")])).toMatchObject({
      code: 0,
      stdout: "nanobot: build tools are not installed, dist/ was not built.\n",
      stderr: "",
    });
    expect(existsSync(join(folder, "dist"))).toBe(false);
  });
});

test("texts name commands by the one function that knows how the program is called here", () => {
  const command =
    /nanobot (web|onboard|agent|gateway|status|doctor|tools|channels|mcp|skills|outbox|memory|cron|pairing|usage|context)\b/;
  const files = execFileSync("git", ["ls-files", "src", "web/src"], { cwd: root, encoding: "utf8" });
  const found = files.split("\n").flatMap((path) => {
    if (!/\.tsx?$/.test(path) || path.includes(".test.")) return [];
    const lines = read(path).split("\n");
    // Comments, and the sentence about the Python original, which has commands of the same names.
    const texts = lines.filter((line) => !/^\s*(\/\/|\/?\*)|Python/.test(line));
    return texts.filter((line) => command.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
