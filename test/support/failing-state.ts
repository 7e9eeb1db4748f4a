// state.db as it is on a bad disk: real, but its writes can be made to fail for a while.
import type { StateDatabase } from "../../src/lib/state-database.ts";

export interface FailingState {
  state: StateDatabase;
  /** Of the next writes. */
  failures: number;
}

export function failWrites(real: StateDatabase): FailingState {
  const failing: FailingState = { failures: 0, state: real };
  const write: StateDatabase["write"] = async (work, options) => {
    if (failing.failures === 0) return real.write(work, options);
    failing.failures -= 1;
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  };
  const { all, run, close } = real;
  failing.state = {
    write,
    all: all.bind(real),
    run: run.bind(real),
    close: close.bind(real),
  } as unknown as StateDatabase;
  return failing;
}
