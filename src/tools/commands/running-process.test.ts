import { expect, it } from "vitest";
import { strace } from "../../../test/support/fault-scene.ts";
import { keepAlive } from "../../../test/support/keep-alive.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { systemClock } from "../../lib/clock.ts";
import { describeEnd } from "./command-output.ts";
import { RunningProcess } from "./running-process.ts";

it.runIf(hasSystemPart(strace, "strace (and allow it to attach)"))(
  "a command that does not die when it is killed keeps nobody waiting for ever, and it is said",
  async () => {
    const started = Promise.withResolvers<number>();
    const running = new RunningProcess({
      launch: {
        file: "sh",
        args: ["-c", "echo $$; exec sleep 300"],
        cwd: "/",
        env: { PATH: process.env.PATH ?? "" },
      },
      hasInput: true,
      timeoutMs: 0,
      endingClock: { ...systemClock, elapsed: () => 100 * systemClock.elapsed() },
      onOutput: (text) => started.resolve(Number(text)),
    });
    const letDie = await keepAlive(await started.promise);
    await running.stop("stopped");
    expect(running.end).toMatchObject({ isStillAlive: true, isOutputOpen: true, stopCause: "stopped" });
    expect(describeEnd(await running.ended, 0)).toMatch(/does not end/);
    await letDie();
  },
);
