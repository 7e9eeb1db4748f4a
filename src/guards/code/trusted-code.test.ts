import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type CodeFile, TrustedCode, type TrustedCodeOptions } from "./trusted-code.ts";

interface Scene {
  home: string;
  code: TrustedCode;
  write(name: string, text: string): Promise<void>;
  /** The state of each file, and why one is refused. */
  states(): Promise<Record<string, string>>;
  find(name: string): Promise<CodeFile>;
  allow(name: string): Promise<void>;
}

function placesOf(home: string, workspace = "ws"): TrustedCodeOptions {
  return {
    folder: join(home, "tools"),
    listPath: join(home, "tools.json"),
    workspace: join(home, workspace),
    kit: "/nowhere",
  };
}

async function setUp(files: Record<string, string>, workspace = "ws"): Promise<Scene> {
  const home = await createTemporaryFolder();
  const code = new TrustedCode(placesOf(home, workspace));
  async function write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(home, "tools", name)), { recursive: true });
    await writeFile(join(home, "tools", name), text);
  }
  async function find(name: string): Promise<CodeFile> {
    return (await code.survey()).find((file) => file.name === name) ?? expect.fail(`no ${name}`);
  }
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    home,
    code,
    write,
    find,
    async states() {
      const found = await code.survey();
      return Object.fromEntries(
        found.map((file) => [
          file.name,
          file.state === "refused" ? `${file.problem.kind} ${file.problem.subject}` : file.state,
        ]),
      );
    },
    async allow(name) {
      const found = await find(name);
      if (found.state === "refused") return expect.fail(found.problem.kind);
      await code.allow(name, found.closure);
    },
  };
}

describe("a folder of custom code", () => {
  it("that is not there, or empty, holds nothing", async () => {
    const { code, home } = await setUp({});
    expect(await code.survey()).toEqual([]);
    await mkdir(join(home, "tools"));
    expect(await code.survey()).toEqual([]);
  });

  it("offers each file at its top, and nothing that belongs to another", async () => {
    const { states } = await setUp({
      "b.ts": "",
      "a.js": "",
      "c.mjs": "",
      "_shared.ts": "",
      ".hidden.ts": "",
      "types.d.ts": "",
      "a.test.ts": "",
      "lib/x.ts": "",
      "data.json": "{}",
      "notes.md": "",
    });
    expect(await states()).toEqual({ "a.js": "new", "b.ts": "new", "c.mjs": "new" });
  });

  it("offers a folder with an index, too, where that is wanted", async () => {
    const { home, code } = await setUp({
      "a.ts": "",
      "room/index.ts": 'import "./part.ts"; import "../shared/x.ts";',
      "room/part.ts": "",
      "shared/x.ts": "",
      "_own/index.ts": "",
    });
    await symlink(join(home, "tools/room"), join(home, "tools/linked"));
    const names = async (each: TrustedCode) =>
      (await each.survey()).map(({ name, state }) => `${name} ${state}`);
    expect(await names(code)).toEqual(["a.ts new"]);
    const wide = new TrustedCode({ ...placesOf(home), takesFolders: true });
    expect(await names(wide)).toEqual(["a.ts new", "linked refused", "room new"]);
    const room = (await wide.survey()).find(({ name }) => name === "room");
    if (room?.state !== "new") return expect.fail("no room");
    expect([...room.closure.sources.keys()].map((path) => path.slice(home.length))).toEqual([
      "/tools/room/index.ts",
      "/tools/room/part.ts",
      "/tools/shared/x.ts",
    ]);
    await wide.allow("room", room.closure);
    await writeFile(join(home, "tools/room/part.ts"), "1");
    expect(await names(wide)).toEqual(["a.ts new", "linked refused", "room changed"]);
  });

  it("uses a file only as it was allowed", async () => {
    const { home, states, allow, write, code } = await setUp({ "a.ts": "export const a = 1;" });
    await allow("a.ts");
    expect(await states()).toEqual({ "a.ts": "allowed" });
    expect((await stat(join(home, "tools.json"))).mode & 0o777).toBe(0o600);
    await write("a.ts", "export const a = 2;");
    expect(await states()).toEqual({ "a.ts": "changed" });
    await allow("a.ts");
    expect(await states()).toEqual({ "a.ts": "allowed" });
    await code.remove("a.ts");
    expect(await states()).toEqual({ "a.ts": "new" });
  });

  it("asks again when anything changes that a file imports, however deep", async () => {
    const files = {
      "a.ts": 'import { b } from "./lib/b.ts";',
      "lib/b.ts": 'export { c } from "../lib/c.ts"; import data from "./d.json" with { type: "json" };',
      "lib/c.ts": "export const c = 1;",
      "lib/d.json": "{}",
      "lib/e.ts": "not imported",
    };
    const { states, allow, write } = await setUp(files);
    for (const name of Object.keys(files)) {
      await allow("a.ts");
      await write(name, name.endsWith("json") ? '{"x":1}' : `${files[name as "a.ts"]}\n// more`);
      expect([name, await states()]).toEqual([name, { "a.ts": name === "lib/e.ts" ? "allowed" : "changed" }]);
    }
  });

  it("tells a file that moved from one that stayed", async () => {
    const { states, allow, write, home } = await setUp({
      "a.ts": 'import "./b/x.ts"; import "./c/x.ts";',
      "b/x.ts": "1",
      "c/x.ts": "2",
    });
    await allow("a.ts");
    await write("b/x.ts", "2");
    await write("c/x.ts", "1");
    expect(await states()).toEqual({ "a.ts": "changed" });
    await rm(join(home, "tools/c/x.ts"));
    expect(await states()).toEqual({ "a.ts": "missing c/x.ts" });
  });
});

describe("what a file imports", () => {
  it.each([
    ['import { readFile } from "node:fs/promises"; import os from "os";', "new"],
    ['import { defineTool, z } from "nanobot";', "new"],
    ['import x from "lodash";', "package lodash"],
    ['import x from "nanobot/dist/main.js";', "package nanobot/dist/main.js"],
    ["import x from 'lodash'", "package lodash"],
    ['const x = await import("lodash");', "package lodash"],
    ['export * from "lodash";', "package lodash"],
    ['import "lodash"', "package lodash"],
    ['import{a}from"lodash"', "package lodash"],
    ['import a, {\n  b,\n} from\n  "lodash";', "package lodash"],
    ['import { type A } from "lodash";', "package lodash"],
    ['import x from "#inner";', "package #inner"],
    ['import x from "https://example.com/x.js";', "package https://example.com/x.js"],
    ['import x from "../config.json";', "outside ../config.json"],
    ['import x from "./lib/../../x.ts";', "outside ./lib/../../x.ts"],
    ['import x from "/etc/passwd";', "outside /etc/passwd"],
    ['import x from "file:///etc/passwd";', "outside file:///etc/passwd"],
    ['import x from "./lib";', "ending lib"],
    ['import x from "./lib/gone.ts";', "missing lib/gone.ts"],
    ['import x from "./lib/b.cjs";', "ending lib/b.cjs"],
    ['import type { A } from "lodash"; export type { B } from "react";', "new"],
    ['export type A = "x" | "y"\nimport x from "lodash"', "package lodash"],
    ['export type A = number\nimport x from "lodash"', "package lodash"],
    ['// import x from "lodash"\n/* import "react" */', "new"],
    ['const text = "import x from \'lodash\'"; const more = `import "react"`;', "new"],
    ['const bytes = Buffer.from("abc"); const list = Array.from("lodash");', "new"],
    ['const quote = /[\'"`]/;\nimport x from "lodash";', "package lodash"],
    ['const half = a / b; import x from "lodash"; const c = d / e;', "package lodash"],
    ['const options = { from: "lodash" }; loader.import("x");', "new"],
  ])("is judged before anything runs: %s", async (text, state) => {
    const { states } = await setUp({ "a.ts": text, "lib/b.cjs": "" });
    expect(await states()).toEqual({ "a.ts": state });
  });

  it("may go in a circle", async () => {
    const { states } = await setUp({ "a.ts": 'import "./_b.ts";', "_b.ts": 'import "./a.ts";' });
    expect(await states()).toEqual({ "a.ts": "new" });
  });

  it("is bounded in number and size", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`lib/${index}.ts`, `import "./${index + 1}.ts";`]),
    );
    const { states } = await setUp({
      ...many,
      "a.ts": 'import "./lib/0.ts";',
      "b.ts": `// ${"x".repeat(2_200_000)}`,
    });
    expect(await states()).toEqual({ "a.ts": "too-large lib/49.ts", "b.ts": "too-large b.ts" });
  });

  it.each(["/*", "(/[", '"\\', "`${", "import type ", "import (", "'\"`/*"])(
    "is found in time, whatever the file is full of: %s",
    async (piece) => {
      const { states } = await setUp({ "a.js": piece.repeat(300_000) });
      expect(Object.keys(await states())).toEqual(["a.js"]);
    },
  );
});

describe("a file is refused", () => {
  it("when it is a link, or lies behind one", async () => {
    const { home, states } = await setUp({ "b.ts": 'import "./lib/x.ts";' });
    await writeFile(join(home, "x.ts"), "");
    await symlink(join(home, "x.ts"), join(home, "tools/a.ts"));
    await symlink(home, join(home, "tools/lib"));
    expect(await states()).toEqual({ "a.ts": "not-a-file a.ts", "b.ts": "not-a-file lib/x.ts" });
  });

  it("when others can write it, or what it imports", async () => {
    const { home, states } = await setUp({ "a.ts": "", "b.ts": 'import "./lib/x.ts";', "lib/x.ts": "" });
    await chmod(join(home, "tools/a.ts"), 0o664);
    await chmod(join(home, "tools/lib/x.ts"), 0o646);
    expect(await states()).toEqual({ "a.ts": "writable a.ts", "b.ts": "writable lib/x.ts" });
  });

  it("when others can write the folder or the list, or the folder is the model's", async () => {
    const { home, states, allow } = await setUp({ "a.ts": "" });
    await allow("a.ts");
    await chmod(join(home, "tools.json"), 0o666);
    expect(await states()).toEqual({ "a.ts": `writable ${home}/tools.json` });
    await chmod(join(home, "tools.json"), 0o600);
    await chmod(join(home, "tools"), 0o777);
    expect(await states()).toEqual({ "a.ts": `writable ${home}/tools` });
    const inside = await setUp({ "a.ts": "" }, ".");
    expect(await inside.states()).toEqual({ "a.ts": `in-workspace ${inside.home}/tools` });
  });

  it.runIf(process.getuid?.() === 0)("when it belongs to another user", async () => {
    const { home, states } = await setUp({ "a.ts": "" });
    await chown(join(home, "tools/a.ts"), 12345, 12345);
    expect(await states()).toEqual({ "a.ts": "owner a.ts" });
  });
});

it("a damaged list allows nothing, and can be rewritten", async () => {
  const { home, states, allow } = await setUp({ "a.ts": "", "b.ts": "" });
  await allow("a.ts");
  for (const damage of ["{", "[]", '{"allowed":[]}', '{"allowed":{"a.ts":1}}', ""]) {
    await writeFile(join(home, "tools.json"), damage);
    await writeFile(join(home, "tools.json.last-good"), damage);
    expect([damage, await states()]).toEqual([damage, { "a.ts": "new", "b.ts": "new" }]);
  }
  await allow("b.ts");
  expect(await states()).toEqual({ "a.ts": "new", "b.ts": "allowed" });
  expect(JSON.parse(await readFile(join(home, "tools.json"), "utf8"))).toEqual({
    allowed: { "b.ts": expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});

it("no two different folders have the same hash", async () => {
  const { write, find } = await setUp({ "a.ts": 'import "./x.ts"; import "./y.ts";' });
  const seen = new Map<string, string>();
  const text = fc.stringMatching(/^[ab\n\0 ;]{0,4}$/);
  await fc.assert(
    fc.asyncProperty(text, text, async (x, y) => {
      await write("x.ts", x);
      await write("y.ts", y);
      const found = await find("a.ts");
      const hash = found.state === "refused" ? expect.fail(found.problem.kind) : found.closure.hash;
      const key = JSON.stringify([x, y]);
      expect(seen.get(hash) ?? key).toBe(key);
      seen.set(hash, key);
    }),
  );
});
