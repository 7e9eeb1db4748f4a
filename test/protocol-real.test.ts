import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exploreDeadly, exploreLives } from "./support/explore-lives.ts";
import type { CallKind } from "./support/protocol-model.ts";

// Hundreds of lives are no matter of the disk's speed.
beforeEach(() => void (existsSync("/dev/shm") && vi.stubEnv("TMPDIR", "/dev/shm")));
afterEach(() => void vi.unstubAllEnvs());

describe("the real bus, session and turn", { timeout: 300_000 }, () => {
  it.each<{ kinds: CallKind[] }>([{ kinds: ["read-only", "never"] }, { kinds: ["safe", "by-call-id"] }])(
    "keep the promises through every death of a turn with $kinds",
    async ({ kinds }) => {
      expect(await exploreLives(kinds, {})).toEqual([]);
    },
  );

  it.each<{ kinds: CallKind[] }>([{ kinds: ["read-only", "never"] }, { kinds: ["never", "never"] }])(
    "keep them when the power is cut in a turn with $kinds",
    async ({ kinds }) => {
      expect(await exploreLives(kinds, { losesPower: true })).toEqual([]);
    },
  );

  it("answer each message of a burst or name it in one apology, whenever its turn dies three times", async () => {
    expect(await exploreDeadly()).toEqual([]);
  });
});
