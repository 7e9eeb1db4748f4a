// What the program tells a person about a config, a home or a folder that is not as it should be, and about wrong usage.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./support/run-program.ts";
import { type Ended, runProgram } from "./support/start-program.ts";

function run(home: ProgramHome, ...argv: string[]): Promise<Ended> {
  return runProgram(nanobot(...argv), { env: home.env });
}

describe("a config", () => {
  it("that is broken is told with every path and reason, also where the last good copy stands in", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url));
    await run(home, "agent", "-m", "hi");
    const broken = { agents: { defaults: { maxTokens: "many", temperature: 9 } } };
    await writeFile(join(home.home, "config.json"), JSON.stringify(broken));
    const { code, stdout, stderr } = await run(home, "agent", "-m", "hi");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok\n" });
    expect(stderr).toContain("last-good");
    expect(stderr).toMatch(/^agents\.defaults\.maxTokens: .+$/m);
    expect(stderr).toMatch(/^agents\.defaults\.temperature: .+$/m);
  });

  it.each([
    ["has no usable host", {}, "no host of the config has a key or an address"],
    [
      "names no model for its host",
      { providers: { custom: { apiBase: "http://127.0.0.1:1/v1" } } },
      "no model is named for custom",
    ],
  ])("that %s is told once, because the offline model answers then", async (_, config, reason) => {
    const { code, stderr } = await run(await createProgramHome(config), "agent", "-m", "hi");
    expect(code).toBe(0);
    expect(stderr.split("\n").filter((line) => line.includes(reason))).toHaveLength(1);
  });

  it.each([
    ["no config", undefined],
    ["a config that asks for it", { agents: { defaults: { provider: "offline" } } }],
  ])("is not complained about when the offline model answers with %s", async (_, config) => {
    const home = await createProgramHome(config);
    expect(await run(home, "agent", "-m", "hi")).toMatchObject({ code: 0, stderr: "" });
  });
});
