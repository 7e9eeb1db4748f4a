import { describe, expect, it } from "vitest";
import { type Fault, runKills } from "../support/kill-scene.ts";
import { sampled } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { seed } from "../support/seed.ts";
import { hasSystemPart } from "../support/system-part.ts";

const promises = { lost: 0, doubleEffects: 0, doubleAnswers: 0, doubleSends: 0, bricked: 0 };

describe("a gateway that is killed again and again while it answers", () => {
  const kills = sampled(24, 300);
  it(`loses no message, does nothing twice, and bricks no conversation in ${kills} kills`, async () => {
    const tally = await runKills({ kills, seed, program: nanobot() });
    expect(tally).toMatchObject({ ...promises, kills });
  });
});

describe("a gateway that is killed again and again", () => {
  const kills = sampled(8, 60);
  it(`keeps the same promises on Slack in ${kills} kills`, async () => {
    const tally = await runKills({ kills, seed, program: nanobot(), channel: "slack" });
    expect(tally).toMatchObject({ ...promises, kills });
  });
});

const hasDisk = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

describe("a gateway that is killed", () => {
  const kills = sampled(8, 60);
  it.each<{ fault: Fault; what: string }>([
    { fault: "platform", what: "while the platform takes nothing" },
    ...(hasDisk ? [{ fault: "disk", what: "while its disk is full" } as const] : []),
  ])(`every other time of ${kills} $what keeps the same promises`, async ({ fault }) => {
    const tally = await runKills({ kills, seed, program: nanobot(), fault });
    expect(tally).toMatchObject({ ...promises, kills });
  });
});
