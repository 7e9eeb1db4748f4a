// Every line of test/cli-shapes.test.ts through the real program, as a process each.
import { describe, expect, it } from "vitest";
import { cliScenes } from "../support/cli-lines.ts";
import { expectedOf, typeScene } from "../support/cli-shapes.ts";
import { nanobot } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";

describe("every command, as a process", { timeout: 600_000 }, () => {
  it.each(cliScenes)("ends and reports as in 0.1.0 where the home is $name", async (scene) => {
    const outcomes = await typeScene(scene, (argv, env) => runProgram(nanobot(...argv), { env }));
    expect(outcomes).toEqual(expectedOf(scene.name));
  });
});
