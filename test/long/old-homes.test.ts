// Every home that 0.1.0 has left at a step of docs/durability.md, opened by a real process; test/old-homes.test.ts opens
// them in its own.
import { describe, it } from "vitest";
import { finishKilledHome } from "../support/finish-killed-home.ts";
import { killedSteps } from "../support/killed-steps.ts";
import { serveByProgram } from "../support/old-home.ts";
import { nanobot } from "../support/run-program.ts";

describe("a home of 0.1.0 that was killed, with a gateway as a process", () => {
  it.each(killedSteps)("at $name loses nothing and does nothing twice", (step) =>
    finishKilledHome(step, serveByProgram, nanobot()),
  );
});
