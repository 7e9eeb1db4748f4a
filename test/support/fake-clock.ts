// A clock that stands still until a test moves it. Sleepers wake in order of their time; no real time passes.
import type { Clock } from "../../src/lib/clock.ts";

export interface FakeClock extends Clock {
  /** Every duration that was asked of `sleep`, in order. */
  readonly sleeps: readonly number[];
  /** How many sleep right now. */
  readonly sleeping: number;
  /** Moves time on; sleepers that are due run until they wait again, one after the other. */
  advance(ms: number): Promise<void>;
  /** Jumps from sleeper to sleeper until the promise settles, and gives its result. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
}

interface Sleeper {
  due: number;
  wake(): void;
}

export function createFakeClock(start: number = Date.UTC(2026, 7, 1, 10)): FakeClock {
  let elapsed = 0;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    sleeps.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { due: elapsed + Math.max(0, ms), wake };
      function stop(): void {
        sleepers.delete(sleeper);
        reject(signal?.reason);
      }
      function wake(): void {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      sleepers.add(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  function nextSleeper(): Sleeper | undefined {
    return [...sleepers].sort((a, b) => a.due - b.due)[0];
  }

  async function advance(ms: number): Promise<void> {
    const end = elapsed + ms;
    await settle();
    for (let next = nextSleeper(); next !== undefined && next.due <= end; next = nextSleeper()) {
      elapsed = next.due;
      next.wake();
      await settle();
    }
    elapsed = end;
  }

  async function runUntil<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const mark = () => {
      isSettled = true;
    };
    promise.then(mark, mark);
    for (await settle(); !isSettled; await settle()) {
      const next = nextSleeper();
      if (next === undefined) throw new Error("the promise waits for something other than the fake clock");
      elapsed = next.due;
      next.wake();
    }
    return promise;
  }

  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    sleep,
    sleeps,
    get sleeping() {
      return sleepers.size;
    },
    advance,
    runUntil,
  };
}

/** Lets everything run that can run without time passing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
