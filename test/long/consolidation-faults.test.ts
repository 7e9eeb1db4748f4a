// What may happen in the middle of archiving: the death of the process between any two writes, a disk that is full or
// read-only. Nothing is lost, nothing is archived twice, and the next turn goes on.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/storage/sessions/format/replay.ts";
import { startFakeModel } from "../support/fake-model.ts";
import { findIllegalities } from "../support/legal-history.ts";
import {
  answerOrSummarise,
  createLongConversation,
  isArchiving,
  readAftermath,
  storedTurns,
} from "../support/long-conversation.ts";
import { nanobot, type ProgramHome } from "../support/run-program.ts";
import { type Ended, runProgram } from "../support/start-program.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const hasStrace = hasSystemPart(["strace", "-V"], "strace");

const summary = /^- they talked at length$/;
/** Without room for the ledger no model is asked: what was said is kept as it is. */
const summaryOrRaw = /^(- they talked at length$|\[RAW\])/;

/** What must hold whatever has happened: every message is there, and what is archived is archived once. */
async function expectWhole(home: string, archived = summary): Promise<void> {
  const { session, entries, notes } = await readAftermath(home);
  const messages = await session.read();
  const ids = messages.map(({ id }) => id);
  const stored = Array.from({ length: storedTurns }, (_, turn) => [`m${turn}`, `m${turn}.1`]).flat();
  expect(ids.slice(0, stored.length)).toEqual(stored);
  expect(findIllegalities(replay(messages, { from: 0 }))).toEqual([]);
  const ends = entries.map(({ through = "" }) => ids.indexOf(through) + 1);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(new Set(ends).size).toBe(ends.length);
  expect(session.lastConsolidated).toBe(ends.at(-1));
  expect(new Set(entries.map(({ cursor }) => cursor)).size).toBe(entries.length);
  for (const { content } of entries) expect(content).toMatch(archived);
  expect(notes.length).toBeLessThanOrEqual(entries.length);
}

/** Where an archiving writes to, and what it does there. */
const writes = [
  { place: "history.jsonl", calls: "write,pwrite64" },
  { place: "history.jsonl", calls: "fdatasync,fsync" },
  { place: "any file", calls: "rename,renameat,renameat2" },
  { place: "the note", calls: "write,pwrite64" },
  { place: "the session", calls: "write,pwrite64" },
  { place: "the session", calls: "fdatasync,fsync" },
];

describe("a death", () => {
  it.runIf(hasStrace).each(writes)(
    "at any $calls of $place during an archiving costs nothing, and the next turn finishes it",
    async ({ place, calls }) => {
      const model = await startFakeModel(answerOrSummarise);
      for (let when = 1; ; when++) {
        const { home, workspace, env } = await createLongConversation(model.url);
        const places: Record<string, string> = {
          "the session": (await readAftermath(home)).session.path,
          "the note": join(workspace, "memory", `${new Date().toISOString().slice(0, 10)}.md`),
        };
        const path = places[place] ?? join(workspace, "memory", place);
        const watched = place === "any file" ? [] : ["-P", path];
        const inject = ["-e", `inject=${calls}:signal=SIGKILL:when=${when}`];
        const strace = ["strace", "-f", "-qq", "-o", "/dev/null", ...watched, ...inject];
        const argv = [...strace, ...nanobot("agent", "-m", "Are you there?")];
        // One thread for files: calls are counted by thread.
        const { signal } = await runProgram(argv, { env: { ...env, UV_THREADPOOL_SIZE: "1" } });
        expect(when > 1 || signal === "SIGKILL").toBe(true);
        const after = await runProgram(nanobot("agent", "-m", "And now?"), { env });
        expect(after).toMatchObject({ code: 0, stdout: "Here I am.\n", stderr: "" });
        await expectWhole(home);
        const { entries, session } = await readAftermath(home);
        const requests = model.requests.splice(0);
        const summaries = requests.filter(isArchiving).length;
        expect(summaries - entries.length).toBeLessThanOrEqual(signal === "SIGKILL" ? 1 : 0);
        const sent = JSON.stringify(requests.at(-1)?.messages);
        expect(sent).toContain("- they talked at length");
        const open = session.slice(session.lastConsolidated, 2 * storedTurns);
        for (const { content } of open) expect(sent).toContain(String(content).slice(0, 20));
        if (signal !== "SIGKILL") return;
      }
    },
  );
});

const hasMounts = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

/**
 * Runs shell lines with the home on a small disk of its own, whose content is kept afterwards. In them `ask <name>
 * <text>` runs the program and keeps how it ended.
 */
async function runOnSmallDisk({ home, env }: ProgramHome, lines: string[]): Promise<Record<string, Ended>> {
  const results = await createTemporaryFolder();
  const under = await createTemporaryFolder();
  const script = [
    "set -e",
    // Compiled code would fill the disk on its own.
    `rm -rf "${home}/cache"`,
    `mount --bind "${home}" "${under}"`,
    `mount -t tmpfs -o size=2m tmpfs "${home}"`,
    `cp -a "${under}/." "${home}/"`,
    `cd "${home}"`,
    `ask() { set +e; ${nanobot("agent", "-m").join(" ")} "$2" >"${results}/$1.stdout" 2>"${results}/$1.stderr" </dev/null; echo $? >"${results}/$1.code"; set -e; }`,
    ...lines,
    `rm -rf "${under}"/*`,
    `cp -a "${home}/." "${under}/"`,
  ];
  const { code, stderr } = await runProgram(["unshare", "-Urm", "sh", "-c", script.join("\n")], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const ended: Record<string, Ended> = {};
  for (const file of (await readdir(results)).filter((name) => name.endsWith(".code"))) {
    const name = file.slice(0, -".code".length);
    const [code, stdout, stderr] = await Promise.all(
      ["code", "stdout", "stderr"].map((part) => readFile(join(results, `${name}.${part}`), "utf8")),
    );
    ended[name] = { code: Number(code), signal: null, stdout: stdout ?? "", stderr: stderr ?? "" };
  }
  return ended;
}

describe("a disk", () => {
  it.runIf(hasMounts)(
    "that runs full anywhere in an archiving is said, costs nothing, and is over when there is room",
    async () => {
      const model = await startFakeModel(answerOrSummarise);
      const program = await createLongConversation(model.url);
      const pages = Array.from({ length: 8 }, (_, left) => left);
      const { after, ...full } = await runOnSmallDisk(program, [
        ...pages.flatMap((left) => [
          "dd if=/dev/zero of=filler bs=4k 2>/dev/null || true",
          `truncate -s -${left * 4096} filler`,
          `ask full-${left} 'Are you there?'`,
          "rm filler",
        ]),
        "ask after 'And now?'",
      ]);
      const failed = Object.values(full).filter(({ code }) => code !== 0);
      expect(failed.length).toBeGreaterThan(2);
      for (const { code, stdout, stderr } of failed) {
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toMatch(/be written \(ENOSPC\)\. Free some disk space and try again\./);
      }
      expect(after).toMatchObject({ code: 0, stdout: "Here I am.\n", stderr: "" });
      await expectWhole(program.home, summaryOrRaw);
    },
  );

  it.runIf(hasMounts)(
    "that is read-only is said, and the turn is taken when it is not any more",
    async () => {
      const model = await startFakeModel(answerOrSummarise);
      const program = await createLongConversation(model.url);
      const { home } = program;
      const ended = await runOnSmallDisk(program, [
        "ask before /status",
        `mount -o remount,ro "${home}"`,
        "ask during 'Are you there?'",
        `mount -o remount,rw "${home}"`,
        "ask after 'And now?'",
      ]);
      expect(ended.before).toMatchObject({ code: 0 });
      expect(ended.during).toMatchObject({ code: 1, stdout: "" });
      expect(ended.during?.stderr).toMatch(/cannot be written \(EROFS\)\. Make it writable/);
      expect(ended.after).toMatchObject({ code: 0, stdout: "Here I am.\n", stderr: "" });
      await expectWhole(home);
      // The last room of a disk is for messages.
      expect(await readdir(join(home, "cache")).catch(() => [])).not.toContain("program-agent.bin");
    },
  );
});
