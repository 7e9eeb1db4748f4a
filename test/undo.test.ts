import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say as sayPhrase } from "../src/i18n/words.ts";
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
            "sed -i s/old/new/ a.md && mv b.md desk/c.md && rm run.sh && mkdir many && cd many && touch $(seq 1500)",
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
    expect(await readdir(join(app.workspace, "many"))).toHaveLength(1500);
    const told = await ask(app, "/undo");
    expect(told).toMatch(/\b148\d\b/);
    for (const [name, text] of Object.entries(files))
      expect(await readFile(join(app.workspace, name), "utf8")).toBe(text);
    expect((await stat(join(app.workspace, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(join(app.workspace, "many"))).toEqual([]);
    expect(await readdir(join(app.workspace, "desk"))).toEqual([]);
    expect(await ask(app, "/undo")).toBe(words.undo.nothing);
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
