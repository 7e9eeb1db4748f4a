import { expect, it } from "vitest";
import { tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { type DiskTrouble, runDiskTroubles } from "../support/session-disk-scene.ts";
import { hasSystemPart } from "../support/system-part.ts";

const kinds = ["full", "no inodes", "read-only"] as const;
const troubles: DiskTrouble[] = [...kinds.map((kind) => ({ kind })), { kind: "full", isKilled: true }];
const hasDisk = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

it.runIf(hasDisk)(
  "answers everything when conversations can be written again, and tells each person once that it has to wait",
  async () => {
    const tallies = await runDiskTroubles(nanobot(), troubles);
    const sum = (of: (tally: (typeof tallies)[number]) => number) =>
      tallies.reduce((before, tally) => before + of(tally), 0);
    const [asked, lost] = [sum((tally) => tally.asked), sum((tally) => tally.lost.length)];
    tellFigure("session disk", { troubles: tallies.length, asked, lost });
    const kept = { lost: [], doubleEffects: 0, doubleAnswers: 0, improper: [], hasEnded: false };
    for (const tally of tallies) {
      expect(tally).toMatchObject(kept);
      // What was on its way at a death may come twice.
      const most = tally.trouble.endsWith("killed") ? 2 : 1;
      for (const count of tally.waitNotices) expect(count, tally.trouble).toBeLessThanOrEqual(most);
      expect(tally.waitNotices.at(-1), tally.trouble).toBeGreaterThan(0);
    }
  },
);
