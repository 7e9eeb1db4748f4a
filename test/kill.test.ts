import { expect, it } from "vitest";
import { runKills } from "./support/kill-scene.ts";
import { nanobot } from "./support/run-program.ts";
import { seed } from "./support/seed.ts";

// A sample of the campaign in test/long.
it("a gateway that is killed while it answers loses no message, does nothing twice, and bricks no conversation", async () => {
  const tally = await runKills({ kills: 4, seed, program: nanobot() });
  expect(tally).toMatchObject({
    lost: 0,
    doubleEffects: 0,
    doubleAnswers: 0,
    doubleSends: 0,
    bricked: 0,
    kills: 4,
  });
});
