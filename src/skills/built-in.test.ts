import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { createSkillsHome } from "../../test/support/skills-home.ts";
import { packagePath } from "../lib/package-root.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { readFirstBytes } from "../storage/files/folder-entries.ts";
import { isSkillName } from "./manifest.ts";
import { readSkillFolder } from "./skill-folder.ts";

const names = ["clawhub", "cron", "github", "memory", "skill-creator", "summarize", "tmux", "weather"];

async function survey(tools: string[]) {
  const { createLoader } = await createSkillsHome();
  const options = { builtIn: packagePath("skills"), programs: () => () => true, tools: () => tools };
  return createLoader(options).survey();
}

test("these come with the program", () => {
  expect(readdirSync(packagePath("skills")).sort()).toEqual(names);
});

describe.each(names)("%s", (name) => {
  it("follows the specification, and the scanner finds nothing in it", async () => {
    const folder = packagePath("skills", name);
    const reading = await readSkillFolder({ folder, realRoot: packagePath("skills"), read: readFirstBytes });
    expect(reading?.skill).toMatchObject({ manifest: { name, notes: [] }, findings: [] });
    expect(isSkillName(name)).toBe(true);
    expect(reading?.body?.length).toBeGreaterThan(200);
  });
});

test("only memory is in every prompt, in some 150 tokens", async () => {
  const skills = await survey(["cron"]);
  expect(skills.always().map(({ name }) => name)).toEqual(["memory"]);
  expect(estimateTokens(await skills.loadForContext(["memory"]))).toBeLessThan(175);
});

test("the lines of all others cost less than 350 tokens together", async () => {
  const summary = (await survey(["cron"])).summary().replaceAll(packagePath(""), "/opt/nanobot/");
  expect(summary.match(/available="true"/g)).toHaveLength(names.length - 1);
  expect(estimateTokens(summary)).toBeLessThan(350);
});

test("a skill about a tool is there only while the tool is", async () => {
  const skills = await survey(["read_file"]);
  expect(skills.get("cron")).toMatchObject({
    available: false,
    reasons: [{ kind: "tools", subject: "cron" }],
  });
  expect(skills.summary()).not.toContain("<name>cron</name>");
});

test("a skill of the workspace replaces a built-in one of its name", async () => {
  const { createLoader, workspace, write } = await createSkillsHome();
  await write(
    "workspace/skills/weather/SKILL.md",
    "---\nname: weather\ndescription: Mine.\n---\nLook outside.",
  );
  const skills = await createLoader({ builtIn: packagePath("skills") }).survey();
  expect(skills.get("weather")?.path).toBe(join(workspace, "skills/weather/SKILL.md"));
  expect(await skills.load("weather")).toBe("Look outside.");
});
