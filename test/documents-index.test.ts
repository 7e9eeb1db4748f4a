// Every point of the documents that is not simply the same here, with the tests that cover it; what no other test shows is
// shown here. Numbers are those of the list of points that were checked.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const points = [
  7, 9, 11, 18, 22, 23, 26, 37, 38, 39, 41, 42, 43, 46, 49, 55, 56, 58, 59, 73, 75, 79, 81, 90, 91, 98, 103,
  104, 106, 107, 108, 111, 112, 137, 140, 141, 147, 150, 168, 169, 170, 171, 172, 175, 187, 197, 200, 209,
  210, 211,
];

const documents = "test/documents.test.ts";
const here = "test/documents-index.test.ts";
const covered: Array<[points: number[], file: string, title: string]> = [
  [[7], here, "have today's and yesterday's with the first message"],
  [[9], documents, "has a line in the notes of a day for each conversation"],
  [[11], documents, "that is an existing folder without prompt files begins with templates and the ritual"],
  [[18], documents, "plan a reminder for another chat, as AGENTS.md tells the model"],
  [[22, 26, 56], here, "says what belongs to the clock and what to the heartbeat"],
  [[23], documents, "names the heartbeat of %j"],
  [[37], "test/consolidation.test.ts", "archives the conversation in the background"],
  [[38, 79], "src/recall/recall.test.ts", "is found: memory, notes, history and documents, with what it is"],
  [
    [39],
    "src/recall/recall-automatic.test.ts",
    "answers the first turn of a process from the index on the disk",
  ],
  [[39], "src/recall/turn-recall.test.ts", "what is late is given to the next step of the turn, once"],
  [[41], "test/prompts.test.ts", "of a workspace that was lived in"],
  [[42], documents, "has its files in the order AGENTS, SOUL, USER, TOOLS, IDENTITY"],
  [[43], documents, "announces an edited identity within the epoch"],
  [
    [46, 49],
    documents,
    "are loaded in full for one call by either builder, and by a builder that has only a workspace",
  ],
  [
    [55],
    "test/prompts.test.ts",
    "on several channels: one system text, and with each message its own runtime context",
  ],
  [[58], "src/context/attachments.test.ts", "becomes a line that says so"],
  [[59], "src/context/attachments.test.ts", "are known by their bytes, whatever their names"],
  [[73], "src/context/runtime-context.test.ts", "tells time with weekday and zone, channel, chat and format"],
  [[75], "test/lasting-changes.test.ts", "of memory and prompt files, not of others"],
  [[75], "test/dream.test.ts", "edits the file, moves the cursor, and tells what changed"],
  [[81], "src/runner/runner.test.ts", "are asked again when blank"],
  [[90], "src/skills/skill-set.test.ts", "leaves out what is in the prompt anyway"],
  [[91], "src/skills/skill-set.test.ts", "is one line for each skill, sorted, with what is missing"],
  [[98], documents, "are described in full, up to what the format allows"],
  [[103, 108], here, "need no program for a summary or the weather"],
  [[104, 106, 107], "test/skills-commands.test.ts", "the commands of %s run unasked in a sandbox"],
  [
    [106, 108],
    "test/skill-grants.test.ts",
    "are used where nobody can be asked, once the owner has granted them",
  ],
  [[111, 112, 209, 210], here, "leads from each name of the documents to a file that is there"],
  [[137], documents, "reach the model with their bounds"],
  [[140], "test/long/own-tools-program.test.ts", "what a custom tool brings from outside is asked about"],
  [[141], "src/runner/define-tool.test.ts", "lists a person's own tools behind the built-in ones"],
  [[147], "test/commands.test.ts", "no hostile line runs without approval"],
  [[150], documents, "waits until the owner confirms it, says so at every start, and then holds"],
  [[168], "src/llm/choice/choose-model.test.ts", "come from presets and from inline settings, in order"],
  [[169], "test/context.test.ts", "corrects its estimate by what the host counted for the last request"],
  [
    [170],
    "src/memory/consolidator.test.ts",
    "tells its round, its estimate with where that comes from, and the stretch",
  ],
  [[171], "src/memory/carried-summary.test.ts", "the first of ten summaries is still there"],
  [[172], documents, "reads lines of history.jsonl as the documents print them"],
  [[175], documents, "keeps the dates of HISTORY.md"],
  [[187], "src/storage/documents/versions.test.ts", "never touches a repository around or in the workspace"],
  [[197], "test/subagents.test.ts", "waits while as many run as may"],
  [[200], "test/heartbeat-target.test.ts", "speaks in the terminal, where nothing else is in use"],
  [[211], "src/api/config/config.test.ts", "the log is told line by line to those who follow it"],
];

describe("each point", () => {
  it("has a test", () => {
    expect(points.filter((point) => !covered.some(([those]) => those.includes(point)))).toEqual([]);
  });

  it.each(covered)("%j is covered by a test of %s that is there", (_, file, title) => {
    expect(readFileSync(packagePath(file), "utf8")).toContain(title);
  });
});

const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const first = (app: TestApp) => app.provider.requests[0]?.messages ?? [];

describe("notes of days", () => {
  it("have today's and yesterday's with the first message, and no older ones", async () => {
    const clock = createFakeClock(new Date("2026-11-18T12:00:00Z").getTime());
    const app = await createTestApp(["Hello.", "Again."], { clock });
    const days = ["2026-11-18", "2026-11-17", "2026-11-15"];
    for (const day of days) await writeFile(join(app.workspace, `memory/${day}.md`), `- kiwi of ${day}\n`);
    await say(app, "hello");
    const [system, message] = first(app).map(({ content }) => JSON.stringify(content));
    expect(days.map((day) => message?.includes(`kiwi of ${day}`))).toEqual([true, true, false]);
    expect(system).not.toContain("kiwi");
  });
});

describe("the prompt of a new workspace", () => {
  it("says what belongs to the clock and what to the heartbeat; limits of tools are in the tools, the time is not in it", async () => {
    const clock = createFakeClock(new Date("2026-11-18T12:34:00Z").getTime());
    const app = await createTestApp(["Hello."], { clock });
    await say(app, "hello");
    const [system, message] = first(app).map(({ content }) => JSON.stringify(content));
    expect(system).toMatch(/cron/);
    expect(system).toMatch(/HEARTBEAT\.md/);
    expect(system).not.toContain("2026-11-18");
    expect(message).toContain("Current Time: 2026-11-18");
    const tools = app.provider.requests[0]?.tools ?? [];
    const exec = tools.find(({ name }) => name === "exec");
    expect(JSON.stringify(exec)).toMatch(/timeout/i);
  });
});

describe("built-in skills", () => {
  it("need no program for a summary or the weather, which is read with web_fetch", async () => {
    const app = await createTestApp([]);
    const skills = await app.tools.skills.survey();
    expect(["summarize", "weather"].map((name) => skills.get(name)?.requires.bins)).toEqual([[], []]);
    expect(await skills.load("weather")).toMatch(/web_fetch/);
    expect(await skills.load("weather")).not.toMatch(/curl/);
  });
});

describe("the page of names", () => {
  it("leads from each name of the documents to a file that is there", () => {
    const page = readFileSync(packagePath("docs/names.md"), "utf8");
    const names = ["InboundMessage", "OutboundMessage", "get_memory_context", "SpawnTool", "CommandRouter"];
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
    const paths = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => !existsSync(packagePath(path)))).toEqual([]);
  });
});
