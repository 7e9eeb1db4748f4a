// `nanobot move-in` as a person types it, in the real program.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "../support/english.ts";
import { openClawFiles, writeFiles } from "../support/foreign-homes.ts";
import { createProgramHome, nanobot, type ProgramHome } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";

async function createHomes(): Promise<ProgramHome & { from: string }> {
  const home = await createProgramHome({});
  const from = join(dirname(home.home), ".openclaw");
  await writeFiles(from, openClawFiles);
  return { ...home, from };
}

describe("nanobot move-in", () => {
  it("finds the usual folder, lists every item, and takes it over with --yes", async () => {
    const { env, workspace, home, from } = await createHomes();
    const shown = await runProgram(nanobot("move-in", "--dry-run"), { env });
    expect(shown.stdout).toContain(words.moveIn.title(words.moveIn.programs.openclaw, from));
    expect(shown.stdout).toContain(`${words.moveIn.actions.add}  ${words.moveIn.kinds.skill} counter`);
    await expect(readFile(join(workspace, "AGENTS.md"))).rejects.toThrow("ENOENT");
    const { stdout, code } = await runProgram(nanobot("move-in", "--from", from, "--yes", "--json"), { env });
    const { items } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(items).toContainEqual(
      expect.objectContaining({ kind: "prompt", name: "AGENTS.md", action: "add" }),
    );
    expect(items).toContainEqual(expect.objectContaining({ to: "channels.telegram.token", action: "leave" }));
    expect(await readFile(join(workspace, "SOUL.md"), "utf8")).toContain("lobster");
    expect(await readFile(join(home, "config.json"), "utf8")).not.toContain("telegram-secret");
    const found = await runProgram(nanobot("memory", "search", "quetzal", "tomatoes"), { env });
    expect(found.stdout).toContain("quetzal");
    const again = await runProgram(nanobot("move-in", "--yes", "--no-secrets", "--json"), { env });
    const todo = JSON.parse(again.stdout).items.filter(({ kind, action }: Record<string, string>) =>
      kind === "secret" ? false : ["add", "merge", "beside"].includes(action ?? ""),
    );
    expect(todo).toEqual([]);
  });

  it("says how to name a folder where none is found", async () => {
    const { env } = await createProgramHome({});
    const { stderr, code } = await runProgram(nanobot("move-in"), { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words.moveIn.none)]);
  });
});

describe("nanobot move-in that is killed in the middle", () => {
  const preload = `--import=${join(import.meta.dirname, "../support/die-after.mjs")}`;

  async function listFiles(folder: string): Promise<Record<string, string>> {
    const names = ["AGENTS.md", "SOUL.md", "USER.md", "memory/MEMORY.md"];
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
  }

  it.each(["lobster", "quetzal"])("has everything after another run: killed at %s", async (text) => {
    const take = ["move-in", "--yes", "--no-secrets", "--json"];
    const whole = await createHomes();
    await runProgram(nanobot(...take), { env: whole.env });
    const { env, workspace } = await createHomes();
    const dying = { ...env, NODE_OPTIONS: preload, DIE_AFTER_FILE: text };
    expect((await runProgram(nanobot(...take), { env: dying })).signal).toBe("SIGKILL");
    expect((await runProgram(nanobot(...take), { env })).code).toBe(0);
    expect(await listFiles(workspace)).toEqual(await listFiles(whole.workspace));
    const { stdout } = await runProgram(nanobot("memory", "search", "quetzal", "tomatoes"), { env });
    expect(stdout).toContain("quetzal");
  });
});
