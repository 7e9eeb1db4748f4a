// Memory that can be asked about itself in a conversation: /why, /dream-log, /dream-restore, for whom, and about what.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Origin } from "../src/bus/types.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import type { Scope } from "../src/storage/scope.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const memory = "memory/MEMORY.md";
const ann: Origin = { ...terminalOrigin, channel: "fake", role: "guest", person: "ann", senderId: "ann" };
const inGroup: Origin = { ...terminalOrigin, channel: "fake", group: "family" };

async function say(app: TestApp, text: string, origin: Origin = terminalOrigin): Promise<string> {
  const sessionKey = `${origin.channel}:${origin.group ?? origin.person}`;
  // A turn that has read strangers' text asks before it writes.
  const ask = async () => ({ choice: "once" });
  return (await app.loop.processDirect({ sessionKey, text, origin, ask })).text;
}

const remember = (path: string, content: string) => ({
  toolCalls: [{ name: "write_file", arguments: { path, content } }],
});

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe("/why", () => {
  it("answers with the message in whose turn the assistant wrote the line, also after /new", async () => {
    const app = await createTestApp([
      remember(memory, "# Memory\n- has a cat named Luna\n"),
      "Noted.",
      remember(memory, "# Memory\n- has a cat named Luna\n- 住在奥斯陆\n"),
      "Noted.",
    ]);
    await say(app, "Remember my cat Luna");
    await say(app, "我搬到奥斯陆了");
    await say(app, "/new");
    const luna = await say(app, "/why cat named Luna");
    expect(luna).toContain(words.memory.why.line("has a cat named Luna", memory));
    expect(luna).toMatch(
      /- \*\*\d{4}-\d\d-\d\d \d\d:\d\d\*\* .+ \(cli:owner\): Remember my cat Luna \[\S+\]/,
    );
    expect(luna).not.toContain("奥斯陆");
    expect(await say(app, "/why 奥斯陆")).toContain("我搬到奥斯陆了");
    expect(await say(app, "/why")).toBe(words.memory.needsWords("/why"));
    expect(await say(app, "/why zebra")).toContain(words.memory.why.unknown);
  });

  it("is about the asker's own memory only", async () => {
    const app = await createTestApp([
      remember("USER.md", "- likes tea\n"),
      "Noted.",
      remember("USER.md", "- likes coffee\n"),
      "Noted.",
    ]);
    await say(app, "I like tea");
    await say(app, "I like coffee", ann);
    expect(await say(app, "/why likes coffee", ann)).toContain("I like coffee");
    for (const text of ["likes tea", "likes", "tea"])
      expect(await say(app, `/why ${text}`, ann)).not.toContain("I like tea");
    expect(await say(app, "/why likes coffee")).not.toContain("I like coffee");
    expect(await say(app, "/why likes", inGroup)).not.toMatch(/tea|coffee/);
  });

  it("records the labels of what was read before, only added lines, and only of memory files", async () => {
    const peek = defineTool({
      name: "peek",
      description: "Looks at a page.",
      parameters: z.object({}),
      readOnly: true,
      execute: async () => ({ content: "a page", labels: ["web:example.org"] }),
    }) as Tool;
    const app = await createTestApp(
      [
        remember("notes.md", "- no memory\n"),
        remember("memory/../USER.md", "# You\n\n- was there before\n- Ada\n"),
        { toolCalls: [{ name: "peek", arguments: {} }] },
        remember("USER.md", "# You\n\n- Ada\n- likes tea\n"),
        "Noted.",
      ],
      { tools: [peek] },
    );
    await write(app.workspace, "USER.md", "- was there before\n");
    await say(app, "I like tea");
    const text = await readFile(join(app.workspace, "memory/.provenance.jsonl"), "utf8");
    const lines = text.trim().split("\n");
    const facts = {
      file: "USER.md",
      sessionKey: "cli:owner",
      turn: expect.any(String),
      at: expect.any(Number),
    };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...facts, line: "- Ada" },
      { ...facts, line: "- likes tea", labels: ["web:example.org"] },
    ]);
    expect(await say(app, "/why likes tea")).toContain(words.memory.why.labels("web:example.org"));
  });

  it("cannot be deceived by the assistant: no file tool writes the record", async () => {
    const app = await createTestApp([remember("memory/.provenance.jsonl", "{}"), "Done."]);
    await say(app, "hi");
    const result = app.provider.requests[1]?.messages.at(-1);
    expect(String(result?.content)).toContain("memory/.provenance.jsonl");
    await expect(readFile(join(app.workspace, "memory/.provenance.jsonl"))).rejects.toThrow("ENOENT");
  });
});

describe("/dream-log and /dream-restore", () => {
  /** As Dream leaves it. */
  async function dream(app: TestApp, scope: Scope, text: string): Promise<string> {
    const store = app.documents.of(scope);
    await store.versions.commit({ kind: "start", paths: [memory] });
    await store.write(memory, text);
    return (await store.versions.commit({ kind: "dream", paths: [memory] }))?.id ?? "";
  }

  it("show what changed and undo it, and the undoing can be undone", async () => {
    const app = await createTestApp([]);
    expect(await say(app, "/dream-log")).toContain(words.memory.versions.noDream);
    expect(await say(app, "/dream-restore")).toContain(words.memory.versions.none);
    await write(app.workspace, memory, "- likes tea\n");
    const id = await dream(app, "owner", "- likes tea\n- ```fence\n");
    const log = await say(app, "/dream-log");
    expect(log).toContain(`\`${id}\``);
    expect(log).toContain("````diff\n - likes tea\n+- ```fence\n````");
    expect(await say(app, `/dream-log ${id.slice(0, 6)}`)).toBe(log);
    expect(await say(app, "/dream-restore")).toContain(`- \`${id}\``);
    const restored = await say(app, `/dream-restore ${id}`);
    expect(await readFile(join(app.workspace, memory), "utf8")).toBe("- likes tea\n");
    const [, again = ""] = /(\/dream-restore \w{8})\W?$/.exec(restored) ?? [];
    await say(app, again);
    expect(await readFile(join(app.workspace, memory), "utf8")).toBe("- likes tea\n- ```fence\n");
  });

  it("say in a sentence why something cannot be undone", async () => {
    const app = await createTestApp([]);
    await dream(app, "owner", "one\n");
    const [first = ""] = (await say(app, "/dream-restore")).match(/\w{8}(?=` [^`]*$)/) ?? [];
    const second = await dream(app, "owner", "two\n");
    const third = await dream(app, "owner", "three\n");
    expect(await say(app, `/dream-restore ${second}`)).toBe(
      sentence("memory.version-conflict", { id: second, later: third, path: memory }),
    );
    expect(await say(app, `/dream-restore ${first}`)).toBe(sentence("memory.version-first", { id: first }));
    expect(await say(app, "/dream-restore nonsense")).toContain(
      sentence("memory.version-unknown", { id: "nonsense" }),
    );
    expect(await say(app, "/dream-log nonsense")).toContain(
      sentence("memory.version-unknown", { id: "nonsense" }),
    );
    await write(app.workspace, memory, "by hand\n");
    expect(await say(app, `/dream-restore ${third}`)).toBe(
      sentence("memory.version-edited", { id: third, path: memory }),
    );
    expect(await readFile(join(app.workspace, memory), "utf8")).toBe("by hand\n");
  });

  it("act on the asker's own memory, and in a group only for the owner", async () => {
    const app = await createTestApp([]);
    const ids: string[] = [];
    const folders = { owner: "", "person:ann": "people/ann", "group:family": "groups/family" } as const;
    for (const [scope, folder] of Object.entries(folders)) {
      await write(join(app.workspace, folder), memory, `- old ${folder}\n`);
      ids.push(await dream(app, scope as Scope, `- new ${folder}\n`));
    }
    const [ofOwner = "", ofAnn = "", ofGroup = ""] = ids;
    expect(await say(app, "/dream-log", ann)).toContain("new people/ann");
    expect(await say(app, `/dream-log ${ofOwner}`, ann)).toMatch(
      like(sentence("memory.version-unknown", { id: anything })),
    );
    expect(await say(app, `/dream-restore ${ofOwner}`, ann)).toMatch(
      like(sentence("memory.version-unknown", { id: anything })),
    );
    expect(await say(app, `/dream-restore ${ofAnn}`)).toMatch(
      like(sentence("memory.version-unknown", { id: anything })),
    );
    expect(await say(app, `/dream-restore ${ofGroup}`, { ...ann, group: "family" })).toBe(
      sentence("memory.not-yours"),
    );
    const read = (path: string) => readFile(join(app.workspace, path, memory), "utf8");
    expect(await read("groups/family")).toBe("- new groups/family\n");
    await say(app, `/dream-restore ${ofGroup}`, inGroup);
    await say(app, `/dream-restore ${ofAnn}`, ann);
    expect(await read("groups/family")).toBe("- old groups/family\n");
    expect(await read("people/ann")).toBe("- old people/ann\n");
    expect(await read("")).toBe("- new \n");
  });
});
