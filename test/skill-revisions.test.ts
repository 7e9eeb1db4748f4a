// Skills that improve with use: Dream proposes a revision of a skill that it wrote, the owner decides in front of a diff,
// how a version was used is counted, and there is a way back.
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptStep } from "../src/llm/scripted.ts";
import { addHistory, createDreamApp, type DreamApp, edit } from "./support/dream-app.ts";
import { words } from "./support/english.ts";
import { closeTestApps } from "./support/test-app.ts";
import { typeHere } from "./support/type-here.ts";

afterEach(closeTestApps);

const path = "skills/plan-trips/SKILL.md";
const head =
  "---\nname: plan-trips\ndescription: Plan a trip from a list of wishes.\n---\n\n# plan-trips\n\n";
const first = `${head}1. Ask for the wishes.\n2. Book the train.\n3. Write the plan.\n`;
const second = first.replace("2. Book the train.", "2. Ask for the budget, then book the train.");
const history = ["- planned a trip to Rome", "- planned a trip to Kyoto in the same steps"];
const writes: ScriptStep[] = [
  "[SKILL] plan-trips: Plan a trip from a list of wishes (#1, #2)",
  { toolCalls: [{ name: "write_file", arguments: { path, content: first } }] },
  "done",
];
const finding = "[SKILL-REVISE] plan-trips: ask for the budget before booking, the user corrected that (#3)";
const revises: ScriptStep[] = [
  finding,
  edit(path, "2. Book the train.", "2. Ask for the budget, then book the train."),
  "done",
];

/** With a skill of its own, and an entry that speaks of a correction. */
async function createWithSkill(steps: ScriptStep[]): Promise<DreamApp> {
  const app = await createDreamApp([...writes, ...steps], { history });
  await app.dream();
  await addHistory(app.workspace, ["- the user: ask for the budget before you book"], app.clock);
  return app;
}

async function say(app: DreamApp, text: string, answer?: string): Promise<string> {
  const asked = answer === undefined ? {} : { ask: async () => ({ choice: answer }) };
  return (await app.loop.processDirect({ sessionKey: "cli:direct", text, ...asked })).text;
}

async function usesOf(app: DreamApp) {
  const client = await app.clientFor({ person: "owner", role: "owner" });
  return (await client.call("skills.revisions", {})).uses;
}

describe("a revision that Dream proposes", () => {
  it("changes nothing until the owner agrees, and is undone by its version", async () => {
    const app = await createWithSkill(revises);
    expect(await app.dream()).toContain(words.dream.revised("plan-trips"));
    expect(await app.file(path)).toBe(first);
    let detail = "";
    const ask = async (question: { detail: string }) => {
      detail = question.detail;
      return { choice: "apply" };
    };
    const { text } = await app.loop.processDirect({ sessionKey: "cli:direct", text: "/skill-changes", ask });
    expect(detail).toContain("-2. Book the train.");
    expect(detail).toContain("+2. Ask for the budget, then book the train.");
    expect(await app.file(path)).toBe(second);
    const [, id = ""] = /dream-restore (\w+)/.exec(text) ?? [];
    await say(app, `/dream-restore ${id}`);
    expect(await app.file(path)).toBe(first);
    expect(await say(app, "/skill-changes")).toBe(words.skills.noRevisions);
  });

  it("stays for later when nobody decides, and does not come again once it was refused", async () => {
    const app = await createWithSkill([...revises, ...revises]);
    await app.dream();
    expect(await say(app, "/skill-changes", "no")).toBe(words.skills.revisionWaits("plan-trips"));
    expect(await say(app, "/skill-changes", "refuse")).toBe(words.skills.revisionRefused("plan-trips"));
    await addHistory(app.workspace, ["- planned one more trip"], app.clock);
    expect(await app.dream()).toBe(words.dream.unchanged(1));
    const analysis = app.provider.requests.filter(({ tools = [] }) => tools.length === 0).at(-1);
    expect(String(analysis?.messages.at(-1)?.content)).toContain("the user refused: ask for the budget");
    expect(await say(app, "/skill-changes")).toBe(words.skills.noRevisions);
    expect(await app.file(path)).toBe(first);
  });

  it("is listed, applied and undone in the terminal", async () => {
    const app = await createWithSkill(revises);
    await app.dream();
    await app.close();
    const type = async (...argv: string[]) => {
      const env = { HOME: app.home, NANOBOT_HOME: app.home, PATH: process.env.PATH };
      const { code, stdout } = await typeHere([...argv, "--json"], env);
      expect(code).toBe(0);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { revisions } = await type("skills", "revisions");
    expect(revisions).toMatchObject([{ skill: "plan-trips", diff: expect.stringContaining("+2. Ask") }]);
    const { version } = await type("skills", "apply", "plan-trips", "--yes");
    expect(await app.file(path)).toBe(second);
    await type("memory", "restore", String(version));
    expect(await app.file(path)).toBe(first);
    expect(await type("skills", "revisions")).toMatchObject({ revisions: [] });
  });

  it("is not applied to a skill that a person has changed since", async () => {
    const app = await createWithSkill(revises);
    await app.dream();
    await app.write(path, `${first}4. Mine.\n`);
    await say(app, "/skill-changes", "apply");
    expect(await app.file(path)).toBe(`${first}4. Mine.\n`);
  });

  it("is refused where it loses most of the skill, or is no valid skill any more", async () => {
    for (const bad of ["", "no front matter at all", first.replace("plan-trips", "other-name")]) {
      const spoils: ScriptStep = {
        toolCalls: [{ name: "edit_file", arguments: { path, old_text: first, new_text: bad } }],
      };
      const app = await createWithSkill([finding, spoils, "done", "done"]);
      expect(await app.dream()).toContain(words.dream.refused);
      expect(await say(app, "/skill-changes")).toBe(words.skills.noRevisions);
    }
  });

  it("is possible only for a skill that the assistant wrote, and never from words of outside", async () => {
    const app = await createDreamApp(["[SKILL-REVISE] plan-trips: do something else (#1)\n[SKIP]"], {
      history: ["- something"],
      files: { [path]: first },
    });
    expect(await app.dream()).toBe(words.dream.unchanged(1));
    const outside = await createDreamApp([...writes, `${finding.replace("#3", "#1")}\n[SKIP]`], { history });
    await outside.dream();
    await addHistory(outside.workspace, [{ content: "- revise it", labels: ["web"] }], outside.clock);
    expect(await outside.dream()).toBe(words.dream.unchanged(1));
  });
});

describe("the use of a skill of its own", () => {
  const reads: ScriptStep = { toolCalls: [{ name: "read_file", arguments: { path } }] };
  const fails: ScriptStep = { toolCalls: [{ name: "read_file", arguments: { path: "not-there.md" } }] };

  it("is counted by turn and version, with the tool that failed last, and shown to Dream", async () => {
    const app = await createWithSkill([reads, "Here is the plan.", reads, fails, "That failed.", "[SKIP]"]);
    await say(app, "Plan a trip");
    await say(app, "Plan another one");
    expect(await usesOf(app)).toMatchObject([{ skill: "plan-trips", read: 2, succeeded: 1 }]);
    await app.dream();
    const shown = String(app.provider.requests.at(-1)?.messages.at(-1)?.content);
    expect(shown).toContain("read in 2 turns, 1 of them went well; failed at: read_file");
  });

  it("is not counted for skills of other people", async () => {
    const app = await createDreamApp([reads, "Here."], { files: { [path]: first } });
    await say(app, "Plan a trip");
    expect(await usesOf(app)).toEqual([]);
  });
});
