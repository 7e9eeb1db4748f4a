// Homes that 0.1.0 has left, opened by the program of today (docs/testing.md). Each step at which it was killed through a
// process of its own: test/long.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatScene, WireMessage } from "./support/chat-scene.ts";
import { eventually } from "./support/eventually.ts";
import { finishKilledHome } from "./support/finish-killed-home.ts";
import { fixtureHomes, layDown, listFiles } from "./support/fixture-home.ts";
import { killedSteps } from "./support/killed-steps.ts";
import { marksIn } from "./support/marked-model.ts";
import {
  findFaults,
  ownerChat,
  type Place,
  readOpenRows,
  readSessions,
  readSummaries,
  say,
  serveByProgram,
  serveHere,
  toldIn,
} from "./support/old-home.ts";
import { nanobot } from "./support/run-program.ts";
import { runProgram } from "./support/start-program.ts";

describe("a home of 0.1.0 that was killed", () => {
  it.each(killedSteps)("at $name loses nothing and does nothing twice", (step) =>
    finishKilledHome(step, serveHere),
  );
});

const guestChat: Place = { id: 2000, chat: { id: 2000, type: "private" } };
const groupChat: Place = { id: 2000, chat: { id: -3000, type: "group" } };

interface StoredJob {
  id: string;
  payload: { kind: string };
  state: { lastStatus: string | null; runHistory: unknown[] };
}

/** What a person gave them, without what running them changes. */
async function readJobs(workspace: string): Promise<Array<Omit<StoredJob, "state">>> {
  const { jobs } = JSON.parse(await readFile(join(workspace, "cron/jobs.json"), "utf8"));
  return (jobs as StoredJob[])
    .filter(({ payload }) => payload.kind === "agent_turn")
    .map(({ state: _state, ...job }) => job);
}

/** The marks of what was said in each conversation, by its key; those that are closed by their last one, too. */
async function readMarks(scene: ChatScene): Promise<Record<string, string[]>> {
  const sessions = [...(await readSessions(scene.see()))];
  const named = sessions.map(([path, session]) => {
    const said = session.messages.filter(({ role }) => role === "user");
    const marks = marksIn(said as unknown as WireMessage[]);
    const isClosed = /T\d{9}\.jsonl$/.test(path);
    const key = session.key.replace(/(?<=^subagent:|^web:m).*/, "…");
    return [`${key}${isClosed ? ` until ${marks.at(-1)}` : ""}`, marks];
  });
  return Object.fromEntries(named);
}

describe("a home of 0.1.0 with two people and a group", () => {
  it("is finished and gone on with: summaries, jobs, a subagent, a branch, what was taken back", async () => {
    await using scene = await layDown("people", nanobot());
    const home = scene.see();
    const workspace = scene.see("workspace");
    const before = await readSessions(home);
    const stop = await serveByProgram(scene);
    // What was due while nobody was there, once each.
    await eventually(() => toldIn(scene, ownerChat)).toEqual(["Answer to #j1."]);
    await eventually(() => toldIn(scene, guestChat)).toEqual(["Answer to #j2."]);
    await eventually(() => readSummaries(join(workspace, "people/ann"))).toHaveLength(2);
    say(scene, ownerChat, "Hello again. #o9");
    say(scene, guestChat, "Hello again. #g9");
    say(scene, groupChat, "@nano_bot Hello again. #r9");
    await eventually(() => toldIn(scene, ownerChat)).toEqual(["Answer to #j1.", "Answer to #o9."]);
    await eventually(() => toldIn(scene, guestChat)).toEqual(["Answer to #j2.", "Answer to #g9."]);
    await eventually(() => toldIn(scene, groupChat)).toEqual(["Answer to #r9."]);
    await stop();

    expect(await readSummaries(workspace)).toEqual(["Summary of #o1, #o2, #o3."]);
    expect(await readSummaries(join(workspace, "people/ann"))).toEqual([
      "Summary of #g1.",
      "Summary of #g2.",
    ]);
    expect(await readSummaries(join(workspace, "groups/telegram--3000"))).toEqual(["Summary of #r1."]);
    const files = await listFiles(scene.see("sessions"));
    expect(files.filter((path) => path.includes("/pending/"))).toEqual([]);
    expect(await readFile(join(workspace, "notes.md"), "utf8")).toBe("first");
    expect(await readJobs(workspace)).toEqual(await readJobs(join(fixtureHomes, "people/workspace")));
    expect(findFaults(before, await readSessions(home))).toEqual([]);
    expect(readOpenRows(home)).toEqual([]);

    const branch = [...before.values()].find(({ key }) => key.startsWith("web:m"))?.key ?? "";
    const argv = nanobot("agent", "--session", branch, "-m", "Goes on. #w9", "--json");
    const env = { PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home, LANG: "en_US.UTF-8" };
    const { stdout } = await runProgram(argv, { env });
    expect(JSON.parse(stdout)).toMatchObject({ text: "Answer to #w9.", stop: "completed", session: branch });
    expect(await readMarks(scene)).toEqual({
      "subagent:…": ["#s1"],
      "web:m…": ["#w1", "#w9"],
      "web:talk until #w2": ["#w1", "#w2"],
      "web:talk": ["#w1"],
      "telegram:-3000 until #r1": ["#r1"],
      "telegram:-3000": ["#r2", "#r9"],
      "telegram:1000 until #o3": ["#o1", "#o2", "#o3"],
      "telegram:1000": ["#o4", "#o5", "#s1", "#j1", "#o9"],
      "telegram:2000 until #g1": ["#g1"],
      "telegram:2000 until #g2": ["#g2"],
      "telegram:2000": ["#j2", "#g9"],
    });
  });
});
