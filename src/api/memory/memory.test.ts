// The page about memory over the whole gateway: real files, versions, sessions and index; only the model is scripted.
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { addLine } from "../../../test/support/dream-app.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import { phrase } from "../../i18n/phrase.ts";
import { systemClock } from "../../lib/clock.ts";
import type { CodeScript } from "../../llm/scripted.ts";
import { HistoryLog } from "../../storage/documents/history-log.ts";
import { Provenance } from "../../storage/documents/provenance.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const memory = "memory/MEMORY.md";

async function openMemory(script: CodeScript = [], files: Record<string, string> = {}) {
  const gateway = await createTestGateway(script);
  const { workspace, loop } = gateway.app;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const client = await openWebClient(gateway);
  return {
    gateway,
    workspace,
    client,
    write,
    file: (path: string) => readFile(join(workspace, path), "utf8"),
    say: (text: string) => loop.processDirect({ sessionKey: "cli:direct", text }),
  };
}

describe("the files of memory", () => {
  it("are listed with those that are always there, then the days, newest first", async () => {
    const { client } = await openMemory([], { "memory/2026-11-01.md": "a", "memory/2026-11-12.md": "b" });
    const { files } = await client.ask("memory.files", {});
    expect(files.slice(0, 3).map(({ path }) => path)).toEqual([memory, "USER.md", "SOUL.md"]);
    const notes = files.filter(({ kind }) => kind === "note").map(({ path }) => path);
    expect(notes).toEqual(["memory/2026-11-12.md", "memory/2026-11-01.md"]);
  });

  it("are updated in open pages when a file changes on the disk", async () => {
    const { client, write } = await openMemory([], { "USER.md": "- likes tea\n" });
    const told = () =>
      client.events.filter(({ event }) => event.type === "changed" && event.topic === "memory").length;
    await client.waitFor(() => told() === 1);
    await write("USER.md", "- likes tea and coffee\n");
    await client.waitFor(() => told() === 2);
  });

  it("are saved with a version of before and after, and both can be undone", async () => {
    const { client, file } = await openMemory([], { [memory]: "# Memory\n- likes tea\n" });
    const { text, hash } = await client.ask("memory.read", { path: memory });
    const saved = await client.ask("memory.save", { path: memory, text: `${text}- lives in Oslo\n`, hash });
    expect(saved).toMatchObject({ isSaved: true });
    expect(await file(memory)).toBe("# Memory\n- likes tea\n- lives in Oslo\n");
    const { versions } = await client.ask("memory.log", { withEdits: true });
    expect(versions.map(({ kind }) => kind)).toEqual(["edit", "start"]);
    const id = versions[0]?.id ?? "";
    const { files } = await client.ask("memory.change", { id });
    expect(files).toMatchObject([{ path: memory, added: 1, removed: 0 }]);
    const undone = await client.ask("memory.restore", { id });
    expect(await file(memory)).toBe("# Memory\n- likes tea\n");
    await client.ask("memory.restore", { id: undone.id });
    expect(await file(memory)).toContain("- lives in Oslo");
  });

  it("tell in their time line also what was changed elsewhere, such as by the assistant", async () => {
    const { client, write } = await openMemory([], { [memory]: "- likes tea\n" });
    expect((await client.ask("memory.log", { withEdits: true })).versions).toHaveLength(1);
    await write(memory, "- likes tea\n- likes trains\n");
    const { versions } = await client.ask("memory.log", { withEdits: true });
    expect(versions.map(({ kind, summary }) => [kind, summary])[0]).toEqual(["start", `${memory} +1 -0`]);
    expect((await client.ask("memory.log", { withEdits: true })).versions).toHaveLength(2);
  });

  it("are not overwritten when they were changed meanwhile; both texts are shown", async () => {
    const { client, write, file } = await openMemory([], { [memory]: "- likes tea\n" });
    const { hash } = await client.ask("memory.read", { path: memory });
    await write(memory, "- likes tea\n- 养了一只猫\n");
    const refused = await client.ask("memory.save", { path: memory, text: "- likes coffee\n", hash });
    expect(refused).toMatchObject({ isSaved: false, theirs: { text: "- likes tea\n- 养了一只猫\n" } });
    expect(refused).toMatchObject({ diff: expect.stringContaining("+- likes coffee") });
    expect(await file(memory)).toContain("养了一只猫");
    if (refused.isSaved) throw new Error("it was saved");
    const forced = { path: memory, text: "- likes coffee\n", hash: refused.theirs.hash };
    expect(await client.ask("memory.save", forced)).toMatchObject({ isSaved: true });
    const { versions } = await client.ask("memory.log", { withEdits: true });
    const kept = await client.ask("memory.change", { id: versions[0]?.id ?? "" });
    expect(kept.files[0]?.patch).toContain("-- 养了一只猫");
  });

  it("take one of two saves at the same moment, and show the other one", async () => {
    const { client, gateway, file } = await openMemory([], { [memory]: "- likes tea\n" });
    const other = await openWebClient(gateway);
    const { hash } = await client.ask("memory.read", { path: memory });
    const save = (who: typeof client, text: string) => who.ask("memory.save", { path: memory, text, hash });
    const saved = await Promise.all([save(client, "- one\n"), save(other, "- other\n")]);
    expect(saved.map(({ isSaved }) => isSaved).sort()).toEqual([false, true]);
    expect(await file(memory)).toBe(saved[0].isSaved ? "- one\n" : "- other\n");
  });

  it("take the same save twice, keep their line ends, and tell open pages", async () => {
    const { client } = await openMemory([], { "USER.md": "one\r\ntwo\r\n" });
    const { hash } = await client.ask("memory.read", { path: "USER.md" });
    const params = { path: "USER.md", text: "one\nthree\n", hash };
    const first = await client.ask("memory.save", params);
    expect(await client.ask("memory.save", params)).toMatchObject({
      isSaved: true,
      hash: first.isSaved && first.hash,
    });
    expect((await client.ask("memory.read", { path: "USER.md" })).text).toBe("one\r\nthree\r\n");
    await client.waitFor(({ event }) => event.type === "changed" && event.topic === "memory");
  });

  it("are nothing outside of memory, and no links", async () => {
    const { client, workspace, gateway } = await openMemory();
    await symlink(join(gateway.home, "config.json"), join(workspace, "TOOLS.md.link"));
    for (const path of ["../config.json", "memory/../../config.json", ".git/config", "memory/a.md", "x"])
      await expect(client.ask("memory.read", { path })).rejects.toMatchObject({
        problem: { code: "memory.not-editable" },
      });
    await symlink(join(gateway.home, "config.json"), join(workspace, "memory/2026-01-01.md"));
    const link = { path: "memory/2026-01-01.md" };
    await expect(client.ask("memory.read", link)).rejects.toMatchObject({
      problem: { code: "memory.not-editable" },
    });
    await expect(client.ask("memory.save", { ...link, text: "x", hash: "" })).rejects.toThrow();
  });
});

describe("where a line of memory came from", () => {
  it("is the message in the conversation, by its id", async () => {
    const line = "- has a cat named Luna";
    const { client, gateway, say } = await openMemory(["Noted."], { [memory]: `${line}\n` });
    await say("my cat is called Luna");
    const { recent: messages } = await gateway.app.sessions.open("cli:direct", "owner");
    const turn = messages[0]?.turn ?? "";
    const record = { file: memory, line, at: 5, sessionKey: "cli:direct", turn };
    await new Provenance(gateway.app.workspace).record([record]);
    const { facts } = await client.ask("memory.why", { text: line });
    expect(facts).toMatchObject([{ record, writtenBy: "conversation" }]);
    expect(facts[0]?.sources).toMatchObject([
      { kind: "session", name: "cli:direct", entryId: turn, role: "user", text: "my cat is called Luna" },
    ]);
  });

  it("is not known of what was typed by hand, which is dated all the same", async () => {
    const { client } = await openMemory();
    const { hash } = await client.ask("memory.read", { path: memory });
    await client.ask("memory.save", { path: memory, text: "- plays the cello\n", hash });
    const { facts } = await client.ask("memory.why", { text: "plays the cello" });
    expect(facts).toMatchObject([{ writtenBy: "unknown", sources: [] }]);
    expect(facts[0]?.record.at).toBeGreaterThan(0);
  });

  it("can be searched for in everything that was said and written", async () => {
    const { client, say } = await openMemory(["I see."], { "memory/2026-11-01.md": "- 去了奥斯陆\n" });
    await say("the violin teacher is Ms Berg");
    const { hits } = await client.ask("memory.search", { query: "violin teacher" });
    expect(hits[0]).toMatchObject({ kind: "session", name: "cli:direct", role: "user" });
    expect((await client.ask("memory.search", { query: "奥斯陆" })).hits).toMatchObject([
      { kind: "note", name: "memory/2026-11-01.md" },
    ]);
  });
});

describe("forgetting", () => {
  it("shows first what goes, takes exactly that, and gives the lines back", async () => {
    const { client, file, say } = await openMemory(["I see."], {
      [memory]: "- likes tea\n- owes Bob money\n",
    });
    await say("I owe Bob money");
    const words = "Bob money";
    const preview = await client.ask("memory.preview", { words });
    expect(preview.lines).toEqual([{ file: memory, number: 2, line: "- owes Bob money" }]);
    expect(preview.counts).toEqual({ lines: 1, messages: 1, summaries: 0 });
    expect(preview.messages).toMatchObject([{ name: "cli:direct", text: "I owe Bob money" }]);
    const { version } = await client.ask("memory.forget", { words, digest: preview.digest });
    expect(await file(memory)).toBe("- likes tea\n");
    const { hits } = await client.ask("memory.search", { query: words });
    expect(JSON.stringify(hits)).not.toContain("Bob");
    await client.ask("memory.restore", { id: version?.id ?? "" });
    expect(await file(memory)).toContain("owes Bob money");
  });

  it("does nothing when there is something else to forget than was shown", async () => {
    const { client, file, write } = await openMemory([], { [memory]: "- owes Bob money\n" });
    const { digest } = await client.ask("memory.preview", { words: "Bob money" });
    await write("USER.md", "Bob has money\n");
    const params = client.ask("memory.forget", { words: "Bob money", digest });
    await expect(params).rejects.toMatchObject({ problem: { code: "memory.changed-since" } });
    expect(await file(memory)).toContain("Bob");
  });
});

describe("Dream", () => {
  it("runs when it is asked to, tells how it ended, and its change can be undone", async () => {
    const finds = "[MEMORY] has a cat named Luna";
    const { client, workspace, file } = await openMemory(
      [finds, addLine(memory, "# Memory", "- has a cat named Luna"), "done"],
      { [memory]: "# Memory\n" },
    );
    expect(await client.ask("memory.dream", {})).toMatchObject({ kind: "nothing-new" });
    await new HistoryLog(workspace, systemClock).append({ content: "- has a cat named Luna" });
    const outcome = await client.ask("memory.dream", {}, "dream");
    expect(outcome).toMatchObject({ kind: "changed", reasons: [] });
    const { event } = await client.waitFor(({ event: each }) => each.type === "progress");
    expect(event).toMatchObject({ requestId: "dream", phrase: phrase("dream.part", { part: 1, parts: 1 }) });
    const version = outcome.kind === "changed" ? (outcome.version ?? "") : "";
    expect(await file(memory)).toContain("- has a cat named Luna");
    await client.ask("memory.restore", { id: version });
    expect(await file(memory)).not.toContain("Luna");
    const again = client.ask("memory.restore", { id: version });
    await expect(again).rejects.toMatchObject({ problem: { code: "memory.nothing-to-undo" } });
  });
});

describe("a guest", () => {
  it("sees and changes a memory of his own, and nothing of the owner's", async () => {
    const { gateway, file } = await openMemory([], { [memory]: "- the owner's secret\n", "SOUL.md": "calm" });
    const ann = await openWebClient(gateway, { person: "ann", role: "guest" });
    const { files } = await ann.ask("memory.files", {});
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
      [memory, 0],
      ["USER.md", 0],
    ]);
    await ann.ask("memory.save", { path: memory, text: "- likes trains\n", hash: "" });
    expect(await file(`people/ann/${memory}`)).toBe("- likes trains\n");
    expect(await file(memory)).toBe("- the owner's secret\n");
    await expect(ann.ask("memory.read", { path: "SOUL.md" })).rejects.toMatchObject({
      problem: { code: "memory.not-editable" },
    });
    expect((await ann.ask("memory.search", { query: "secret" })).hits).toEqual([]);
    const { counts } = await ann.ask("memory.preview", { words: "secret" });
    expect(counts).toEqual({ lines: 0, messages: 0, summaries: 0 });
    expect((await ann.ask("memory.log", { withEdits: true })).versions).toHaveLength(1);
  });
});
