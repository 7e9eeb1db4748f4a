import { describe, expect, it } from "vitest";
import { type Fault, runKills } from "./support/kill-scene.ts";
import { nanobot } from "./support/run-program.ts";
import { hasSystemPart } from "./support/system-part.ts";

describe("a gateway that is killed 40 times while it answers", () => {
  it("loses no message, does nothing twice, and bricks no conversation", { timeout: 300_000 }, async () => {
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
    process.stderr.write(`kill seed ${seed}\n`);
    const tally = await runKills({ kills: 40, seed, program: nanobot() });
    expect(tally).toMatchObject({ lost: 0, doubleEffects: 0, doubleSends: 0, bricked: 0, kills: 40 });
  });
});

const hasDisk = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

describe("a gateway that is killed 10 times", () => {
  it.each<{ fault: Fault; what: string }>([
    { fault: "platform", what: "while the platform takes nothing" },
    ...(hasDisk ? [{ fault: "disk", what: "while its disk is full" } as const] : []),
  ])("every other time $what keeps the same promises", { timeout: 300_000 }, async ({ fault }) => {
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
    process.stderr.write(`kill seed ${seed}\n`);
    const tally = await runKills({ kills: 10, seed, program: nanobot(), fault });
    expect(tally).toMatchObject({ lost: 0, doubleEffects: 0, doubleSends: 0, bricked: 0, kills: 10 });
  });
});
