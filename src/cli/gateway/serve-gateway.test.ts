import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { restartProgram } from "./serve-gateway.ts";

interface Replaced {
  file: string;
  argv: readonly string[];
}

/** A process whose program is a script that leaves a trace. */
async function createProcess() {
  const folder = await createTemporaryFolder();
  const script = join(folder, "program.mjs");
  const trace = join(folder, "trace");
  await writeFile(
    script,
    `import { writeFileSync } from "node:fs"; writeFileSync("${trace}", process.argv[2]);`,
  );
  const replaced: Replaced[] = [];
  const fake = {
    execPath: process.execPath,
    execArgv: [],
    argv: [process.execPath, script, "gateway"],
    env: { PATH: process.env.PATH },
    execve(file: string, argv: readonly string[]) {
      replaced.push({ file, argv });
      throw new Error("nothing comes after it");
    },
  };
  return { fake: fake as unknown as NodeJS.Process, replaced, trace, script };
}

describe("restartProgram", () => {
  it("leaves it to a supervisor, by a code that says so", async () => {
    const { fake, replaced } = await createProcess();
    expect(restartProgram("exit", fake)).toBe(75);
    expect(replaced).toEqual([]);
  });

  it.each(["auto", "exec"] as const)("becomes the new program where it can (%s)", async (mode) => {
    const { fake, replaced, script } = await createProcess();
    expect(() => restartProgram(mode, fake)).toThrow("nothing comes after it");
    const argv = [process.execPath, script, "gateway"];
    expect(replaced).toEqual([{ file: process.execPath, argv }]);
  });

  it("leaves another process behind, with the same words", async () => {
    const { fake, trace } = await createProcess();
    expect(restartProgram("spawn", fake)).toBe(0);
    const read = () => readFile(trace, "utf8").catch(() => undefined);
    await expect.poll(read).toBe("gateway");
  });
});
