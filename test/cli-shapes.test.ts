// What scripts rely on: the exit code and the JSON shape of every command are those of 0.1.0 (docs/testing.md), but for the
// differences that the fixture names with a reason.
import { describe, expect, it } from "vitest";
import { cliScenes, leftOut } from "./support/cli-lines.ts";
import { cliFixture, expectedOf, shapeOf, type Type, typeScene } from "./support/cli-shapes.ts";
import { words } from "./support/english.ts";
import { nanobot } from "./support/run-program.ts";
import { runProgram } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

/** Custom code finds the package "nanobot" only in the real program. */
const type: Type = (argv, env) =>
  /^(tools|channels) allow/.test(argv.join(" "))
    ? runProgram(nanobot(...argv), { env })
    : typeHere(argv, env);

const { differences, outcomes } = cliFixture;

describe("every command", () => {
  it.each(cliScenes)("ends and reports as in 0.1.0 where the home is $name", async (scene) => {
    expect(await typeScene(scene, type)).toEqual(expectedOf(scene.name));
  });

  it("has a line for each of its actions, for a home that is not there, and for a mistake", async () => {
    const help = async (...argv: string[]) =>
      (await typeHere([...argv, "--help"], {}, { columns: 10_000 })).stdout;
    const section = (text: string, title: string) =>
      (text.split(`${title}\n`)[1] ?? "").split("\n\n")[0]?.split("\n") ?? [];
    const names = section(await help(), words.usage.titles.commands).map(
      (row) => row.trim().split(" ")[0] ?? "",
    );
    const commands = names.filter((name) => !["help", ""].includes(name));
    expect(commands.length).toBeGreaterThan(10);
    const typed = (scene: string, line: string) =>
      Object.keys(outcomes).filter((key) => `${key} `.startsWith(`${scene}: ${line} `));
    const missing: string[] = [];
    for (const command of commands) {
      const text = await help(command);
      const [first = ""] = section(text, words.usage.titles.arguments);
      const choices = first.split(": ").at(-1)?.split(", ") ?? [];
      const actions = choices.every((choice) => /^[a-z-]+$/.test(choice)) ? choices : [];
      for (const line of [command, ...actions.map((action) => `${command} ${action}`)]) {
        const lines = [...typed("used", line), ...typed("served", line)];
        const wantsJson = text.includes("--json") && !line.startsWith("mcp add");
        const isThere = lines.some((key) => !wantsJson || key.includes("--json"));
        if (!isThere && leftOut[line] === undefined) missing.push(line);
      }
      for (const scene of ["absent", "mistyped"])
        if (typed(scene, command).length === 0) missing.push(`${scene}: ${command}`);
    }
    expect(missing).toEqual([]);
  });

  it("differs from 0.1.0 only where it really does", () => {
    const same = Object.entries(differences).filter(([key, { exit, json }]) => {
      const before = outcomes[key];
      return exit === before?.exit && JSON.stringify(json) === JSON.stringify(before?.json);
    });
    expect(same).toEqual([]);
  });
});

describe("the shape of a JSON value", () => {
  it("is its keys and types, with what is not in each element", () => {
    const rows = [
      { id: "a", at: 1 },
      { id: "b", at: null, tags: [] },
      { id: "c", at: 2, tags: ["x"] },
    ];
    expect(shapeOf({ rows, ok: true })).toEqual({
      ok: "boolean",
      rows: [{ at: "null | number", id: "string", "tags?": ["string"] }],
    });
  });
});
