import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exploreLives } from "../support/explore-lives.ts";

// Hundreds of lives are no matter of the disk's speed.
beforeEach(() => void (existsSync("/dev/shm") && vi.stubEnv("TMPDIR", "/dev/shm")));
afterEach(() => void vi.unstubAllEnvs());

it("the real bus, session and turn keep their promises in a turn that first only reads", async () => {
  expect(await exploreLives(["read-only", "never"], {})).toEqual([]);
  expect(await exploreLives(["read-only", "never"], { losesPower: true })).toEqual([]);
});

it("the real bus, session and turn keep their promises through every pair of deaths", async () => {
  expect(await exploreLives(["never"], { reach: Number.POSITIVE_INFINITY })).toEqual([]);
});
