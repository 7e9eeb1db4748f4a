import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSkillsHome, skillText } from "../../../test/support/skills-home.ts";
import type { SkillsLoader } from "../../skills/loader.ts";

async function allow(loader: SkillsLoader, name: string): Promise<void> {
  await loader.allow((await loader.survey()).get(name)?.hash ?? "");
}

const flagged = skillText("tea", "", "Get it from https://pastebin.com/x.");

describe("a flagged skill", () => {
  test("is blocked until it is allowed, and a changed file asks again", async () => {
    const { createLoader, home, write } = await createSkillsHome({ "skills/tea/SKILL.md": flagged });
    const loader = createLoader();
    const look = async () => {
      const { blocked, available, findings, reasons } = (await loader.survey()).get("tea") ?? {};
      return { blocked, available, findings: findings?.length, reasons: reasons?.map(({ kind }) => kind) };
    };
    expect(await look()).toEqual({ blocked: true, available: false, findings: 1, reasons: ["flagged"] });
    expect(await (await loader.survey()).loadForContext(["tea"])).toBe("");
    await allow(loader, "tea");
    const allowed = { blocked: false, available: true, findings: 1, reasons: [] };
    expect(await look()).toEqual(allowed);
    await write("skills/tea/scripts/new.sh", "echo hello\n");
    expect(await look()).toMatchObject({ blocked: true });
    await allow(createLoader(), "tea");
    expect(await look()).toEqual(allowed);
    expect((await stat(join(home, "skills.json"))).mode & 0o777).toBe(0o600);
  });

  test("is allowed by its content, wherever it lies", async () => {
    const { createLoader, write } = await createSkillsHome({ "skills/tea/SKILL.md": flagged });
    const loader = createLoader();
    await allow(loader, "tea");
    await write("workspace/skills/tea/SKILL.md", flagged);
    expect((await loader.survey()).get("tea")).toMatchObject({ source: "workspace", available: true });
  });

  test("that comes with the program is not blocked", async () => {
    const { createLoader } = await createSkillsHome({ "built-in/tea/SKILL.md": flagged });
    expect((await createLoader().survey()).get("tea")).toMatchObject({ blocked: false, available: true });
  });
});

describe("a skill that the assistant wrote", () => {
  const always = skillText("tea", "always: true\n");

  test("can never be always, not even changed or copied, and can be used all the same", async () => {
    const { createLoader, workspace, write } = await createSkillsHome({
      "workspace/skills/tea/SKILL.md": always,
    });
    const loader = createLoader();
    const look = async (name = "tea") => (await loader.survey()).get(name);
    expect(await look()).toMatchObject({ always: true });
    await loader.recordAgentWritten(join(workspace, "skills/tea/SKILL.md"));
    expect(await look()).toMatchObject({ always: false, available: true });
    expect((await look())?.notes.map(({ kind }) => kind)).toEqual(["written-by-assistant"]);
    await write("workspace/skills/tea/SKILL.md", `${always}More.\n`);
    expect(await look()).toMatchObject({ always: false });
    await write("skills/copy/SKILL.md", always);
    const copies = createLoader({ workspace: join(workspace, "none") });
    expect((await copies.survey()).get("tea")).toMatchObject({ source: "user", always: false });
  });

  test("is recorded for the skill alone, in whatever file of it the assistant wrote", async () => {
    const { createLoader, workspace, home } = await createSkillsHome({
      "workspace/skills/tea/SKILL.md": always,
      "workspace/skills/tea/a/b.md": "x",
      "workspace/skills/cake/SKILL.md": skillText("cake", "always: true\n"),
    });
    const loader = createLoader();
    await loader.recordAgentWritten(join(workspace, "skills/tea/a/b.md"));
    await loader.recordAgentWritten(join(workspace, "notes.md"));
    await loader.recordAgentWritten(join(home, "skills"));
    const skills = await loader.survey();
    expect(skills.always().map(({ name }) => name)).toEqual(["cake"]);
  });

  test("is one of the program's own only by name", async () => {
    const { createLoader, home } = await createSkillsHome({ "built-in/tea/SKILL.md": always });
    const loader = createLoader();
    await loader.recordAgentWritten(join(home, "built-in/tea/SKILL.md"));
    expect((await loader.survey()).get("tea")).toMatchObject({ always: true });
  });
});

describe("the file of what was decided", () => {
  test("when damaged, allows nothing, lets nothing be always, and is kept when it is rewritten", async () => {
    const { createLoader, home } = await createSkillsHome({
      "skills/tea/SKILL.md": flagged,
      "skills/cake/SKILL.md": skillText("cake", "always: true\n"),
      "built-in/memory/SKILL.md": skillText("memory", "always: true\n"),
    });
    const path = join(home, "skills.json");
    await allow(createLoader(), "tea");
    await writeFile(path, '{"allowed": 1}');
    // The last good copy goes on, unless it is damaged as well.
    expect((await createLoader().survey()).get("tea")).toMatchObject({ blocked: false });
    await writeFile(`${path}.last-good`, "{");
    const loader = createLoader();
    const skills = await loader.survey();
    expect(skills.get("tea")).toMatchObject({ blocked: true });
    expect(skills.always().map(({ name }) => name)).toEqual(["memory"]);
    await allow(loader, "tea");
    expect(await readFile(`${path}.corrupt-1`, "utf8")).toBe('{"allowed": 1}');
    expect((await loader.survey()).get("tea")).toMatchObject({ blocked: false });
  });

  test("keeps what it does not know, and every decision of several at once", async () => {
    const names = ["a", "b", "c", "d"];
    const { createLoader, home } = await createSkillsHome(
      Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, flagged.replaceAll("tea", name)])),
    );
    await writeFile(
      join(home, "skills.json"),
      JSON.stringify({ allowed: [], written: { hashes: [], folders: [] }, later: 1 }),
    );
    const loader = createLoader();
    await Promise.all(names.map((name) => allow(loader, name)));
    expect(JSON.parse(await readFile(join(home, "skills.json"), "utf8"))).toMatchObject({ later: 1 });
    expect((await loader.survey()).list().filter(({ blocked }) => blocked)).toEqual([]);
  });
});
