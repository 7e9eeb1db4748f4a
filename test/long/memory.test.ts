import { expect, it } from "vitest";
import { isFull, sampled, tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { runSoak, type SoakSample, toGrowth } from "../support/soak-scene.ts";
import { hasSystemPart } from "../support/system-part.ts";

const chats = 40;
/** The full form is measured in minutes, as it is promised; the sample in turns, so that it is the same on every machine. */
const isWarm = ({ seconds, turns }: SoakSample) => (isFull ? seconds >= 120 : turns >= 700);
const isOver = ({ seconds, turns }: SoakSample) => (isFull ? seconds >= 600 : turns >= 1_400);
const hasProc = hasSystemPart(["test", "-d", "/proc/self/fd"], "a Linux system with /proc");

// What conversations hold grows a little with them while they are young.
it.runIf(hasProc)(`holds no more memory after a while, with ${chats} chats that never pause`, async () => {
  const samples = await runSoak({ program: nanobot(), chats, isOver });
  const growth = toGrowth(samples, isWarm);
  const last = samples.at(-1);
  tellFigure("memory", { ...last, growth });
  expect(growth).toBeLessThan(sampled(20, 10));
  const handles = samples.filter(isWarm).map(({ descriptors }) => descriptors);
  expect(Math.max(...handles) - Math.min(...handles)).toBeLessThan(2 * chats);
});
