import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { modules } from "../scripts/modules.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const exists = (path: string) => existsSync(join(root, path));

const pages = [
  ...["README.md", "README.zh-CN.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md"].filter(exists),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => posix.join("docs", name)),
];

interface Fence {
  info: string;
  code: string;
}

/** A page in two: its prose, and the code blocks that are in it. */
function split(text: string): { prose: string; fences: Fence[] } {
  const fences: Fence[] = [];
  const prose = text.replaceAll(/^```(.*)\n([\s\S]*?)^```$/gm, (_all, info: string, code: string) => {
    fences.push({ info, code });
    return "";
  });
  return { prose, fences };
}

/** The name that GitHub gives to a heading. */
function toAnchor(heading: string): string {
  const plain = heading.trim().toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

function anchorsOf(path: string): string[] {
  return [...split(read(path)).prose.matchAll(/^#+\s+(.*)$/gm)].map(([, heading = ""]) => toAnchor(heading));
}

function brokenLinks(page: string): string[] {
  const { prose } = split(read(page));
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const path = file === "" ? page : posix.join(dirname(page), file);
    if (!exists(path)) return true;
    return anchor !== undefined && !anchorsOf(path).includes(decodeURIComponent(anchor));
  });
}

describe.each(pages)("%s", (page) => {
  test("has only links that lead somewhere", () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test("names only files that are there", () => {
    const named = /`((?:src|test|scripts|bench|bin|docs|templates|\.ci)\/[^`\s]+)`/g;
    const paths = [...read(page).matchAll(named)].map(([, path = ""]) => path);
    // <name> and * represent files that are yet to come.
    const missing = paths.filter((path) => !/[<*]/.test(path) && !exists(path));
    expect(missing).toEqual([]);
  });

  test("names only scripts that package.json has", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = [...read(page).matchAll(/\bnpm (?:run )?(start|test|(?<=run )[a-z]+)\b/g)];
    expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  test("shows code that is compiled and tested elsewhere", () => {
    const shown = split(read(page)).fences.filter(({ info }) => info.startsWith("ts"));
    const stale = shown.filter(({ info, code }) => {
      const file = /^ts (\S+)$/.exec(info)?.[1];
      return file === undefined || !asInSource(read(file)).includes(code);
    });
    expect(stale.map(({ info, code }) => `${info}\n${code}`)).toEqual([]);
  });
});

/** An example is in test/examples, but is written for the module, or the program, that it would live in. */
function asInSource(text: string): string {
  return text.replaceAll('"../../src/index.ts"', '"nanobot"').replaceAll('"../../src/', '"../');
}

describe("docs/decisions", () => {
  const notes = readdirSync(join(root, "docs/decisions")).filter((name) => name !== "README.md");

  test("are numbered from 001 without gap or double", () => {
    const expected = notes.map((_, index) => String(index + 1).padStart(3, "0"));
    expect(notes.map((name) => name.slice(0, 3))).toEqual(expected);
    expect(notes.filter((name) => !/^\d{3}-[a-z0-9-]+\.md$/.test(name))).toEqual([]);
  });

  test("open with their number and title, and are in the list in that order", () => {
    const list = read("docs/decisions/README.md");
    const linked = [...list.matchAll(/\]\((\d{3}-[^)]+)\)/g)].map(([, target]) => target);
    expect(linked).toEqual(notes);
    for (const name of notes)
      expect(read(`docs/decisions/${name}`)).toMatch(new RegExp(`^# ${name.slice(0, 3)} \\S`));
  });
});

describe("AGENTS.md", () => {
  test("names every module that has sources", () => {
    const built = modules.filter(({ name }) => exists(`src/${name}`)).map(({ name }) => name);
    const guide = read("AGENTS.md");
    expect(built.filter((name) => !guide.includes(`\`${name}/\``))).toEqual([]);
  });
});

test("the changelog has the form of Keep a Changelog, with what is not released on top", () => {
  const changelog = read("CHANGELOG.md");
  expect(changelog).toMatch(/^# Changelog\n/);
  const versions = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
  expect(versions[0]).toBe("[Unreleased]");
  expect(
    versions.slice(1).filter((heading) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(heading)),
  ).toEqual([]);
  const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);
  const known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
  expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
});
