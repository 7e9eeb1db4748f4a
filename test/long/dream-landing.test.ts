// How a Dream lands: whole or not at all, past everyone who works at the same time, and through a death at any moment.
import { createHash } from "node:crypto";
import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { CodeStep } from "../../src/llm/scripted.ts";
import type { ModelRequest } from "../../src/llm/types.ts";
import { HistoryLog } from "../../src/storage/documents/history-log.ts";
import { Provenance } from "../../src/storage/documents/provenance.ts";
import { createHomeLock } from "../../src/storage/home-lock.ts";
import { addHistory, addLine, createDreamApp, memory, putFile, readText } from "../support/dream-app.ts";
import { createDreamOn } from "../support/dream-on-home.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { runProgram } from "../support/start-program.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { closeTestApps } from "../support/test-app.ts";

afterEach(closeTestApps);

const finds = "[MEMORY] The cat is called Luna (#1)";
const adds = addLine(memory, "## Important Notes", "- The cat is called Luna");
const isDreaming = ({ attribution }: ModelRequest) => attribution.cause === "dream";

/** A model that thinks about its nth step of a Dream until it is let go, and answers others at once. */
function createThinking(held: number, dream: CodeStep[], others: CodeStep[] = []) {
  const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  const step: CodeStep = (request) => {
    const next = (isDreaming(request) ? dream : others).shift() ?? "?";
    return typeof next === "function" ? next(request) : next;
  };
  return {
    steps: { steps: [step], loop: true },
    reached: reached.promise,
    letGo: letGo.resolve,
    async waitBefore(request: ModelRequest) {
      if (!isDreaming(request)) return;
      count += 1;
      if (count !== held) return;
      reached.resolve();
      await letGo.promise;
    },
  };
}

describe("next to other work", () => {
  it("lands nothing when a turn changes the same file while it thinks, and starts from there the next time", async () => {
    const turn = addLine(memory, "## Preferences", "- prefers tea");
    const { steps, waitBefore, reached, letGo } = createThinking(
      3,
      [finds, adds, "done", finds, adds, "done"],
      [turn, "Noted."],
    );
    const app = await createDreamApp(steps, { waitBefore });
    const dreaming = app.dream();
    await reached;
    const said = await app.loop.processDirect({ sessionKey: "cli:direct", text: "I prefer tea" });
    expect(said.text).toBe("Noted.");
    letGo();
    expect(await dreaming).toContain("memory/MEMORY.md was changed by something else in the meantime");
    expect(await app.file(memory)).toContain("- prefers tea");
    expect(await app.file(memory)).not.toContain("Luna");
    expect(await app.cursor()).toBe(0);
    expect(await app.dream()).toContain("memory/MEMORY.md: 1 added");
    expect(await app.file(memory)).toMatch(/- prefers tea[\s\S]*- The cat is called Luna/);
  });

  it("keeps out nobody while it thinks: other programs can take the lock of the home", async () => {
    const { steps, waitBefore, reached, letGo } = createThinking(1, ["[SKIP]"]);
    const app = await createDreamApp(steps, { waitBefore });
    const dreaming = app.dream();
    await reached;
    const lock = createHomeLock({ home: app.home, clock: systemClock });
    onTestFinished(() => lock.close());
    const release = await lock.acquire("someone else");
    release();
    letGo();
    expect(await dreaming).toContain("Reviewed 1 entry");
  });

  it("runs once where it is asked for twice at the same time", async () => {
    const app = await createDreamApp([finds, adds, "done"]);
    const { signal } = new AbortController();
    const both = await Promise.all([1, 2].map(() => app.dreams.run("owner", signal)));
    expect(both.map(({ kind }) => kind)).toEqual(["changed", "nothing-new"]);
    expect(app.provider.requests).toHaveLength(3);
  });

  it("lands nothing when another program's Dream was faster", async () => {
    const { steps, waitBefore, reached, letGo } = createThinking(3, [finds, adds, "done"]);
    const app = await createDreamApp(steps, { waitBefore });
    const dreaming = app.dream();
    await reached;
    await new HistoryLog(app.workspace, app.clock).writeDreamCursor(1);
    letGo();
    expect(await dreaming).toContain(".dream_cursor was changed by something else in the meantime");
    expect(await app.file(memory)).not.toContain("Luna");
  });

  it("is stopped by /stop, and leaves nothing behind", async () => {
    const app = await createDreamApp([finds, { hold: true }]);
    const dreaming = app.loop.processDirect({ sessionKey: "cli:direct", text: "/dream" });
    await expect.poll(() => app.provider.requests.length).toBe(2);
    const { text } = await app.loop.processDirect({ sessionKey: "cli:direct", text: "/stop" });
    expect(text).toBe("Stopped 1 task.");
    expect(await dreaming).toMatchObject({ stop: "cancelled", text: "" });
    expect(await app.cursor()).toBe(0);
    expect(await readdir(join(app.home, "run/dream"))).toEqual([]);
  });
});

const program = new URL("../support/dream-once.ts", import.meta.url).pathname;
const old = "- old\n";

function openDream(home: string): ReturnType<typeof createDreamOn> {
  const opened = createDreamOn(home);
  onTestFinished(() => opened.lock.close());
  return opened;
}

async function createKillHome(): Promise<string> {
  const home = await createTemporaryFolder();
  for (const path of ["USER.md", memory]) await putFile(join(home, "workspace", path), old);
  await addHistory(join(home, "workspace"), ["- likes tea, has a cat named Luna"], createFakeClock());
  return home;
}

/** What a Dream leaves, so that it can be compared. */
async function look(home: string) {
  const { workspace, versions } = openDream(home);
  return {
    user: await readText(join(workspace, "USER.md")),
    memory: await readText(join(workspace, memory)),
    hasSkill: (await readText(join(workspace, "skills/plan-trips/SKILL.md"))) !== "",
    cursor: await new HistoryLog(workspace, createFakeClock()).readDreamCursor(),
    isExplained: (await new Provenance(workspace).find("The cat is Luna")).length > 0,
    versions: (await versions.log({ kind: "dream" })).map(({ summary }) => summary),
  };
}

const nothing = { user: old, memory: old, hasSkill: false, cursor: 0, isExplained: false, versions: [] };
const everything = {
  user: "- old\n- Likes tea\n",
  memory: "- old\n- The cat is Luna\n",
  hasSkill: true,
  cursor: 1,
  isExplained: true,
  versions: [
    "USER.md +1 -0, memory/.dream_cursor +1 -0, memory/MEMORY.md +1 -0, skills/plan-trips/SKILL.md +6 -0",
  ],
};

const hasStrace = hasSystemPart(["strace", "-V"], "strace");

/** Runs a Dream under strace. With one thread for files, calls are counted over the whole process. */
function trace(home: string, options: string[]) {
  const argv = ["strace", "-f", "-qq", ...options, process.execPath, program, home];
  // Without the cache of compiled code, which is written as well.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return runProgram(argv, { env: { ...env, UV_THREADPOOL_SIZE: "1" } });
}

/** What a whole Dream does with names, in this order, as paths within the home. */
async function traceNames(): Promise<Record<"rename" | "unlink", string[]>> {
  const home = await createKillHome();
  const log = join(home, "trace");
  expect(await trace(home, ["-o", log, "-e", "trace=rename,unlink"])).toMatchObject({ stdout: "changed" });
  const text = await readFile(log, "utf8");
  const find = (call: RegExp) =>
    Array.from(text.matchAll(call), ([, target = ""]) => target.replace(`${home}/`, ""));
  return { rename: find(/rename\(.*, "([^"]+)"/g), unlink: find(/unlink\("([^"]+)"/g) };
}

async function killAt(home: string, call: string, when: number): Promise<void> {
  const killed = await trace(home, ["-o", "/dev/null", "-e", `inject=${call}:signal=SIGKILL:when=${when}`]);
  expect(killed).toMatchObject({ signal: "SIGKILL", stdout: "" });
}

async function findJournals(home: string): Promise<string[]> {
  return (await readdir(join(home, "run/dream"))).filter((name) => name.endsWith(".json"));
}

describe.runIf(hasStrace)("a death", () => {
  const journal = /^run\/dream\/\d+-\w+\.json$/;
  let traced: ReturnType<typeof traceNames> | undefined;
  function findNames(): ReturnType<typeof traceNames> {
    traced ??= traceNames();
    return traced;
  }

  const landed = ["USER.md", memory, "skills/plan-trips/SKILL.md", "memory/.dream_cursor"];
  const head = "versions/workspace/owner.git/refs/heads/main";
  const behindJournal = [...landed.map((path) => `workspace/${path}`), "skills.json", head];

  /** Killed, taken up again, and dreamt once more. */
  async function dieAndGoOn(call: string, when: number): Promise<{ isBegun: boolean }> {
    const home = await createKillHome();
    await killAt(home, call, when);
    const isBegun = (await findJournals(home)).length > 0;
    if (!isBegun) expect(await look(home)).toEqual(nothing);
    await openDream(home).dream.recover();
    expect(await look(home)).toEqual(isBegun ? everything : nothing);
    expect(await findJournals(home)).toEqual([]);
    const { stdout } = await runProgram([process.execPath, program, home]);
    expect(stdout).toBe(isBegun ? "nothing-new" : "changed");
    expect(await look(home)).toEqual(everything);
    return { isBegun };
  }

  it("before the journal is there leaves nothing, and the next Dream does it all", async () => {
    const before = (await findNames()).rename.findIndex((target) => journal.test(target));
    expect(await dieAndGoOn("rename", before)).toEqual({ isBegun: false });
    expect(await dieAndGoOn("rename", before + 1)).toEqual({ isBegun: false });
  });

  it.each(behindJournal)(
    "before the write of %s leaves everything once it is taken up again",
    async (path) => {
      const when = (await findNames()).rename.lastIndexOf(path) + 1;
      expect(await dieAndGoOn("rename", when)).toEqual({ isBegun: true });
    },
  );

  it("before the journal is removed leaves everything", async () => {
    const when = (await findNames()).unlink.findIndex((target) => journal.test(target)) + 1;
    expect(await dieAndGoOn("unlink", when)).toEqual({ isBegun: true });
  });

  it("was tried at every write there is", async () => {
    const { rename } = await findNames();
    const behind = rename.slice(rename.findIndex((target) => journal.test(target)) + 1);
    // The cache and what a version is made of count only when they are whole.
    expect(
      behind.filter((target) => !/^cache\/|\.last-good$|^versions\/.*\.git\/(?!refs\/heads)/.test(target)),
    ).toEqual(behindJournal);
  });
});

describe("a journal that is found", () => {
  it.runIf(hasStrace)(
    "leaves alone what a person changed after the crash, and finishes the rest",
    async () => {
      const home = await createKillHome();
      const { rename } = await traceNames();
      await killAt(home, "rename", rename.indexOf("workspace/USER.md") + 1);
      await putFile(join(home, "workspace", memory), "- mine\n");
      await openDream(home).dream.recover();
      expect(await look(home)).toMatchObject({
        user: everything.user,
        memory: "- mine\n",
        hasSkill: true,
        cursor: 1,
        isExplained: false,
      });
      expect(await findJournals(home)).toEqual([]);
    },
  );

  it("is finished when the assistant starts", async () => {
    const app = await createDreamApp([]);
    const toHash = (text: string) => createHash("sha256").update(text).digest("hex");
    const file = { path: memory, before: toHash(await app.file(memory)), after: toHash("new"), text: "new" };
    const root = await realpath(app.workspace);
    const landing = JSON.stringify({ root, cursor: 1, files: [file], records: [] });
    await putFile(join(app.home, "run/dream/1-abc.json"), landing);
    await app.restart([]);
    expect(await app.file(memory)).toBe("new");
    expect(await app.cursor()).toBe(1);
    expect(await findJournals(app.home)).toEqual([]);
  });

  it("is passed over when it is none of ours, or of another workspace", async () => {
    const home = await createKillHome();
    const other = { root: join(home, "elsewhere"), cursor: 1, files: [], records: [] };
    await putFile(join(home, "run/dream/1-abc.json"), "not a journal");
    await putFile(join(home, "run/dream/2-abc.json"), JSON.stringify(other));
    await openDream(home).dream.recover();
    expect(await findJournals(home)).toEqual(["1-abc.json", "2-abc.json"]);
    expect(await look(home)).toEqual(nothing);
  });
});

it("copies of programs that died are removed after a day", async () => {
  const app = await createDreamApp(["[SKIP]"]);
  const now = app.clock.now();
  const folder = join(app.home, "run/dream");
  for (const name of ["1-abc", `${now - 1000}-xyz`]) await putFile(join(folder, name, "USER.md"), "x");
  await app.dream();
  expect(await readdir(folder)).toEqual([`${now - 1000}-xyz`]);
});
