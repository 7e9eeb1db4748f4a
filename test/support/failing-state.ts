// state.db as it is on a bad disk: real, but its writes can be made to fail, or to hang, for a while.
import type { StateDatabase } from "../../src/storage/database/state-database.ts";

export interface FailingState {
  state: StateDatabase;
  /** Of the next writes. */
  failures: number;
  /** Every write after the next one waits until the result is called. */
  hang(): () => void;
}

export function failWrites(real: StateDatabase): FailingState {
  let writes = 0;
  let hanging = { from: Number.POSITIVE_INFINITY, over: Promise.resolve() };
  const hang = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hanging = { from: writes + 1, over: promise };
    return resolve;
  };
  const failing: FailingState = { failures: 0, hang, state: real };
  const write: StateDatabase["write"] = async (work, options) => {
    if (writes++ >= hanging.from) await hanging.over;
    if (failing.failures === 0) return real.write(work, options);
    failing.failures -= 1;
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  };
  const { all, run, close } = real;
  failing.state = {
    write,
    all: all.bind(real),
    run: run.bind(real),
    commit: real.commit.bind(real),
    close: close.bind(real),
  } as unknown as StateDatabase;
  return failing;
}
