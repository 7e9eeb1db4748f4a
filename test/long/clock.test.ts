import { expect, it } from "vitest";
import { type ClockJump, runClockJumps } from "../support/clock-scene.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";

const hour = 3_600_000;
const day = 24 * hour;
const back = [-day * 30, ...sampled([], [-hour / 60, -hour, -day, -365 * day, -2 * 365 * day])];
const forth = [day * 365, ...sampled([], [hour / 60, hour, day, 30 * day])];
const jumps: ClockJump[] = [...back, ...forth].flatMap((ms) => [
  { ms, isAtStart: false },
  { ms, isAtStart: true },
]);

it(`answers everything after each of ${jumps.length} jumps of the clock, at a start and while it runs`, async () => {
  const tallies = await runClockJumps({ program: nanobot(), jumps });
  const asked = tallies.reduce((sum, tally) => sum + tally.asked, 0);
  const lost = tallies.reduce((sum, tally) => sum + tally.lost.length, 0);
  tellFigure("clock jumps", { jumps: tallies.length, asked, lost });
  for (const tally of tallies)
    expect(tally).toMatchObject({ lost: [], doubleEffects: 0, doubleAnswers: 0, hasEnded: false });
});
