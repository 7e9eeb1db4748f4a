import { expect, it } from "vitest";
import { runProgram } from "../../../test/support/start-program.ts";
import { packagePath } from "../package-root.ts";

/** Makes much garbage of which some stays for a while, and tells at the end what the space for new objects takes. */
const work = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { setImmediate } from "node:timers/promises";
  const { keepEngineMemorySmall } = await import(process.argv[1]);
  const memory = keepEngineMemorySmall("many-turns");
  let kept = [];
  for (let round = 0; round < 600; round++) {
    for (let i = 0; i < 5_000; i++) kept.push({ i, more: [i, i, i, i] });
    if (kept.length > 200_000) kept = kept.slice(-50_000);
    await setImmediate();
  }
  memory[Symbol.dispose]();
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size);
`;

it("keeps the space for new objects small, and ends with the process", async () => {
  const path = packagePath("src/lib/process/engine-memory.ts");
  const { code, stdout } = await runProgram([process.execPath, "--input-type=module", "-e", work, path]);
  expect(code).toBe(0);
  expect(Number(stdout)).toBeGreaterThan(0);
  // By itself it takes 64 MB or more.
  expect(Number(stdout)).toBeLessThanOrEqual(32 * 1024 * 1024);
});
