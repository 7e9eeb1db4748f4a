import { expect, it } from "vitest";
import { type InjectedFault, runFaults, strace } from "../support/fault-scene.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { nanobot } from "../support/run-program.ts";
import { hasSystemPart } from "../support/system-part.ts";

const errors = ["EIO", "ENOSPC", "EDQUOT", "EROFS"];
const calls = ["fsync", "fdatasync", "pwrite64", "ftruncate", "rename"];
const sample: InjectedFault[] = [
  { calls: "fsync,fdatasync", error: "EIO" },
  { calls: "pwrite64", error: "ENOSPC" },
  { calls: "openat", error: "EMFILE", when: "1..20" },
  { calls: "write", error: "ENOSPC", isForSessions: true },
];
const full: InjectedFault[] = [
  ...sample,
  ...calls.flatMap((call) => errors.map((error) => ({ calls: call, error }))),
  ...calls.flatMap((call) => [1, 2, 3, 5].map((when) => ({ calls: call, error: "EIO", when: String(when) }))),
  ...["EIO", "EMFILE", "ENFILE", "EACCES"].flatMap((error) =>
    ["1..5", "1..20", "1..100"].map((when) => ({ calls: "openat", error, when })),
  ),
  ...[...errors, "EACCES"].map((error) => ({ calls: "write,fdatasync", error, isForSessions: true })),
  ...errors.map((error) => ({ calls: "ftruncate,rename,mkdir,unlink", error })),
];
const faults = sampled(sample, full);
const hasStrace = hasSystemPart(strace, "strace (and allow it to attach)");

it.runIf(hasStrace)(
  `answers everything once the system's calls succeed again, after each of ${faults.length} faults`,
  async () => {
    const tallies = await runFaults(nanobot(), faults);
    const sum = (of: (tally: (typeof tallies)[number]) => number) =>
      tallies.reduce((before, tally) => before + of(tally), 0);
    const [injected, asked] = [sum((tally) => tally.injected), sum((tally) => tally.asked)];
    tellFigure("faults", { faults: tallies.length, injected, asked, lost: sum(({ lost }) => lost.length) });
    for (const tally of tallies)
      expect(tally).toMatchObject({ lost: [], doubleEffects: 0, doubleAnswers: 0, hasEnded: false });
  },
);
