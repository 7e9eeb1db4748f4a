import { describe, expect, it } from "vitest";
import { isFull, sampled, tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { runSoak, type SoakSample, toGrowth } from "../support/soak-scene.ts";
import { hasSystemPart } from "../support/system-part.ts";

const chats = 40;
/** The full form is measured in minutes, as it is promised; the sample in turns, so that it is the same on every machine. */
const isWarm = ({ seconds, turns }: SoakSample) => (isFull ? seconds >= 120 : turns >= 700);
const isOver = ({ seconds, turns }: SoakSample) => (isFull ? seconds >= 600 : turns >= 1_400);
const hasProc = hasSystemPart(["test", "-d", "/proc/self/fd"], "a Linux system with /proc");
/** Of a window of 12,000 tokens: what is not consolidated, and what is sent once more before it is. */
const mostHeld = { messages: 150, bytes: 250_000 };

// What conversations hold grows a little with them while they are young.
describe.runIf(hasProc).each([
  { kind: "begin again after 20 turns", isEndless: false },
  { kind: "never begin again", isEndless: true },
])(`with ${chats} chats that never pause and $kind`, ({ isEndless }) => {
  it("holds no more memory after a while", async () => {
    const { samples, sessions } = await runSoak({ program: nanobot(), chats, isEndless, isOver });
    const growth = toGrowth(samples, isWarm);
    const longest = Math.max(...sessions.map(({ messages }) => messages));
    const heldMessages = Math.max(...sessions.map((session) => session.heldMessages));
    const heldBytes = Math.max(...sessions.map((session) => session.heldBytes));
    tellFigure("memory", { isEndless, ...samples.at(-1), growth, longest, heldMessages, heldBytes });
    expect(growth).toBeLessThan(sampled(20, 10));
    const handles = samples.filter(isWarm).map(({ descriptors }) => descriptors);
    expect(Math.max(...handles) - Math.min(...handles)).toBeLessThan(2 * chats);
    expect(sessions).toHaveLength(chats);
    expect(heldMessages).toBeLessThan(mostHeld.messages);
    expect(heldBytes).toBeLessThan(mostHeld.bytes);
  });
});
