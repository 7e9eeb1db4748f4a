import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exploreDeadly, exploreLives } from "./support/explore-lives.ts";

// Hundreds of lives are no matter of the disk's speed.
beforeEach(() => void (existsSync("/dev/shm") && vi.stubEnv("TMPDIR", "/dev/shm")));
afterEach(() => void vi.unstubAllEnvs());

describe("the real bus, session and turn", { timeout: 300_000 }, () => {
  // Other kinds: test/long.
  it("keep the promises through every death of a turn", async () => {
    expect(await exploreLives(["safe", "by-call-id"], {})).toEqual([]);
  });

  it("keep them when the power is cut in a turn", async () => {
    expect(await exploreLives(["never", "never"], { losesPower: true })).toEqual([]);
  });

  it("answer each message of a burst or name it in one apology, whenever its turn dies three times", async () => {
    expect(await exploreDeadly()).toEqual([]);
  });
});
