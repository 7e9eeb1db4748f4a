import { describe, expect, it } from "vitest";
import { runClusterFaults } from "../support/cluster-scene.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { hasPostgres } from "../support/postgres.ts";
import { nanobot } from "../support/run-program.ts";
import { seed } from "../support/seed.ts";

describe.skipIf(!hasPostgres)(
  "a home whose workers and database fail again and again while it answers",
  () => {
    it.each(
      sampled(
        [{ workers: 2, faults: 10 }],
        [
          { workers: 2, faults: 100 },
          { workers: 3, faults: 100 },
        ],
      ),
    )(
      "loses no message, does nothing twice, and bricks no conversation: $workers workers, $faults faults",
      async ({ workers, faults }) => {
        const tally = await runClusterFaults({ workers, faults, seed, program: nanobot() });
        tellFigure("cluster-kill", { ...tally, faults });
        expect(tally).toMatchObject({
          ...{ lost: 0, doubleEffects: 0, doubleAnswers: 0, doubleSends: 0, bricked: 0 },
        });
      },
    );
  },
);
