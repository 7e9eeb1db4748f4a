import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say as sayPhrase } from "../src/i18n/words.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { anything, like, words } from "./support/english.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

async function ask(app: TestApp, text: string, sessionKey = "cli:direct"): Promise<string> {
  return (await app.loop.processDirect({ sessionKey, text })).text;
}

describe("/undo", () => {
  it("puts back what the last turn did to files, names what commands did, and knows no other conversation", async () => {
    const app = await createTestApp([
      call("write_file", { path: "notes.md", content: "changed" }),
      call("write_file", { path: "new.md", content: "made" }),
      call("exec", { command: "echo hi" }),
      "done",
    ]);
    const path = join(app.workspace, "notes.md");
    await writeFile(path, "as it was");
    await ask(app, "work");
    expect(await readFile(path, "utf8")).toBe("changed");
    expect(await ask(app, "/undo", "cli:other")).toBe(words.undo.nothing);
    const told = await ask(app, "/undo");
    expect(told).toMatch(/notes\.md.*new\.md/);
    expect(told).toMatch(/echo hi/);
    expect(await readFile(path, "utf8")).toBe("as it was");
    await expect(readFile(join(app.workspace, "new.md"))).rejects.toThrow("ENOENT");
    expect(await ask(app, "/undo")).toBe(words.undo.nothing);
  });

  it("leaves a file alone that a person has changed since", async () => {
    const app = await createTestApp([call("write_file", { path: "notes.md", content: "changed" }), "done"]);
    await ask(app, "work");
    await writeFile(join(app.workspace, "notes.md"), "by hand");
    expect(await ask(app, "/undo")).toMatch(like(words.undo.left(`${anything}notes.md${anything}`)));
    expect(await readFile(join(app.workspace, "notes.md"), "utf8")).toBe("by hand");
  });

  it.each(["english", "chinese"] as const)(
    "refuses to follow a link out, and says so in %s",
    async (language) => {
      const write = { name: "write_file", arguments: { path: "desk/notes.md", content: "changed" } };
      const app = await createTestApp([{ toolCalls: [write] }, "done"]);
      const say = async (text: string) =>
        (
          await app.loop.processDirect({
            sessionKey: "cli:direct",
            text,
            origin: { ...terminalOrigin, language },
          })
        ).text;
      await mkdir(join(app.workspace, "desk"));
      await say("work");
      const outside = await createTemporaryFolder();
      await cp(join(app.workspace, "desk"), outside, { recursive: true });
      await rm(join(app.workspace, "desk"), { recursive: true });
      await symlink(outside, join(app.workspace, "desk"));
      const file = `"${join(app.workspace, "desk/notes.md")}"`;
      expect(await say("/undo")).toBe(sayPhrase(phrase("file.outside", { file }), createWords(language)));
    },
  );

  it("puts back what commands did: edits, moves, deletions, and many new files", async () => {
    const app = await createTestApp(
      [
        call("exec", {
          command:
            "sed -i s/old/new/ a.md && mv b.md desk/c.md && rm run.sh && mkdir many && cd many && touch $(seq 200)",
        }),
        call("exec", { command: "echo more >> desk/c.md && echo x > a.md" }),
        "done",
      ],
      { config: { tools: { approval: "off" } } },
    );
    const files = { "a.md": "old", "b.md": "moved", "run.sh": "#!/bin/sh\n" };
    await mkdir(join(app.workspace, "desk"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(app.workspace, name), text);
    await chmod(join(app.workspace, "run.sh"), 0o755);
    await ask(app, "work");
    expect(await readFile(join(app.workspace, "a.md"), "utf8")).toBe("x\n");
    expect(await readdir(join(app.workspace, "many"))).toHaveLength(200);
    const told = await ask(app, "/undo");
    expect(told).toMatch(/\b18\d\b/);
    for (const [name, text] of Object.entries(files))
      expect(await readFile(join(app.workspace, name), "utf8")).toBe(text);
    expect((await stat(join(app.workspace, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(app.workspace)).not.toContain("many");
    expect(await readdir(join(app.workspace, "desk"))).toEqual([]);
    expect(await ask(app, "/undo")).toBe(words.undo.nothing);
  });

  it("leaves alone what changed while another conversation's command ran, and says so", async () => {
    const wait = (name: string) => `while [ ! -e ${name} ]; do sleep 0.02; done`;
    const script = {
      loop: true,
      steps: [
        ({ messages }: ModelRequest) => {
          const last = JSON.stringify(messages.at(-1));
          if (last.includes("first")) return call("exec", { command: `echo a > one.md; ${wait("two.md")}` });
          if (last.includes("second")) return call("exec", { command: `${wait("one.md")}; echo b > two.md` });
          return "done";
        },
      ],
    };
    const app = await createTestApp(script, { config: { tools: { approval: "off" } } });
    await Promise.all([ask(app, "first", "cli:one"), ask(app, "second", "cli:two")]);
    for (const session of ["cli:one", "cli:two"])
      expect(await ask(app, "/undo", session)).toMatch(like(words.undo.lost(anything)));
    expect(await readFile(join(app.workspace, "one.md"), "utf8")).toBe("a\n");
    expect(await readFile(join(app.workspace, "two.md"), "utf8")).toBe("b\n");
  });

  it("removes the folders that the turn made, unless a person put something into one", async () => {
    const app = await createTestApp(
      [
        call("write_file", { path: "new/deep/a.md", content: "a" }),
        call("exec", {
          command: "mkdir -p made/deep kept/deep && touch made/deep/b kept/deep/c && mv old.md made/",
        }),
        "done",
      ],
      { config: { tools: { approval: "off" } } },
    );
    await writeFile(join(app.workspace, "old.md"), "old");
    const before = await readdir(app.workspace);
    await ask(app, "work");
    await writeFile(join(app.workspace, "kept", "mine.md"), "mine");
    await ask(app, "/undo");
    expect(await readdir(app.workspace)).toEqual([...before, "kept"].toSorted());
    expect(await readdir(join(app.workspace, "kept"))).toEqual(["mine.md"]);
    expect(await readFile(join(app.workspace, "old.md"), "utf8")).toBe("old");
  });

  it("puts back a file whose name a folder has taken, and a folder whose name a file has taken", async () => {
    const app = await createTestApp(
      [call("exec", { command: "rm a && mkdir a && echo x > a/x && rm -r b && echo y > b" }), "done"],
      { config: { tools: { approval: "off" } } },
    );
    await writeFile(join(app.workspace, "a"), "a file");
    await mkdir(join(app.workspace, "b"));
    await writeFile(join(app.workspace, "b", "in.md"), "in a folder");
    await ask(app, "work");
    await ask(app, "/undo");
    expect(await readFile(join(app.workspace, "a"), "utf8")).toBe("a file");
    expect(await readFile(join(app.workspace, "b", "in.md"), "utf8")).toBe("in a folder");
  });

  it("loses no file that was moved to where another one had been removed", async () => {
    const app = await createTestApp(
      [call("exec", { command: "rm a.md" }), call("exec", { command: "mv b.md a.md" }), "done"],
      { config: { tools: { approval: "off" } } },
    );
    for (const name of ["a.md", "b.md"]) await writeFile(join(app.workspace, name), name);
    await ask(app, "work");
    expect(await ask(app, "/undo")).toMatch(like(words.undo.left(`${anything}a.md`)));
    expect(await readFile(join(app.workspace, "a.md"), "utf8")).toBe("b.md");
  });

  it("names files in the same order, however the folder lists them", async () => {
    const names = ["q", "b", "z", "a", "m", "c"];
    const app = await createTestApp(
      [call("exec", { command: `touch ${names.join(" ")} && rm 2 1 3` }), "done"],
      { config: { tools: { approval: "off" } } },
    );
    for (const name of ["3", "1", "2"]) await writeFile(join(app.workspace, name), name);
    await ask(app, "work");
    const sorted = ["1", "2", "3", ...names.toSorted()].join(", ");
    expect(await ask(app, "/undo")).toContain(words.undo.restored(sorted));
  });

  it.each(["english", "chinese"] as const)("names what was too large to be kept, in %s", async (language) => {
    const app = await createTestApp(
      [call("exec", { command: "echo end >> large.bin; rm small.md; mv big.bin moved.bin" }), "done"],
      { config: { tools: { approval: "off" } } },
    );
    const say = async (text: string) =>
      (
        await app.loop.processDirect({
          sessionKey: "cli:direct",
          text,
          origin: { ...terminalOrigin, language },
        })
      ).text;
    for (const name of ["large.bin", "big.bin"])
      await writeFile(join(app.workspace, name), Buffer.alloc(3 * 1024 * 1024));
    await writeFile(join(app.workspace, "small.md"), "small");
    await say("work");
    const told = await say("/undo");
    expect(told).toContain(createWords(language).undo.lost("large.bin"));
    expect(await readFile(join(app.workspace, "small.md"), "utf8")).toBe("small");
    // What was only moved comes back, whatever its size.
    expect((await stat(join(app.workspace, "big.bin"))).size).toBe(3 * 1024 * 1024);
  });
});
