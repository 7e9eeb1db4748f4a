// The way to what belongs to a home: through its gateway if one runs, otherwise on the files themselves.
import type { HomePaths } from "../config/home.ts";
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { type Control, ControlError, createControlClient } from "../server/control.ts";
import { findGateway } from "../server/gateway-file.ts";
import type { HomeState } from "./home-state.ts";

export interface Reached {
  control: Control;
  /** By a gateway that runs: jobs are run, and messages are sent. */
  isServed: boolean;
}

export interface ReachParts {
  /** Of the gateway that this is part of. */
  control?(): Control;
  paths: HomePaths;
  state: HomeState;
  lock: HomeLock;
  words: Words;
}

export async function reachControl({
  control: own,
  paths,
  state,
  lock,
  words,
}: ReachParts): Promise<Reached> {
  if (own !== undefined) return { control: own(), isServed: true };
  const address = await findGateway(paths.run);
  if (address !== undefined) return { control: createControlClient(address), isServed: true };
  const refuse = (): never => {
    throw new ControlError(say(phrase("gateway.not-running"), words));
  };
  const { buildControl } = await import("./build-control.ts");
  const opened = await state.open();
  const assistant = {
    inspectContext: refuse,
    dream: refuse,
    findForgettable: refuse,
    forget: refuse,
    restoreMemory: refuse,
  };
  const control = buildControl({ ...opened, assistant });
  return { control: withLock(control, lock), isServed: false };
}

/** Whatever changes something waits for other processes that are at work on the home. */
function withLock(control: Control, lock: HomeLock): Control {
  const entries = Object.entries(control) as Array<[string, (wish: object) => Promise<unknown>]>;
  const locked = entries.map(([name, act]): [string, typeof act] => {
    const onlyLooks = /^(list|report|status)/.test(name);
    return [name, onlyLooks ? act : (wish) => whileLocked(name, () => act(wish))];
  });
  return Object.fromEntries(locked) as unknown as Control;

  async function whileLocked<T>(purpose: string, work: () => Promise<T>): Promise<T> {
    const release = await lock.acquire(purpose);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
