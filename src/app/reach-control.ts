// The way to what belongs to a home: through its gateway if one runs, otherwise on the files themselves.
import type { HomePaths } from "../config/home.ts";
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import { type Control, ControlError, createControlClient } from "../server/control.ts";
import { findGateway } from "../server/gateway-file.ts";

export interface Reached {
  control: Control;
  /** By a gateway that runs: jobs are run, and messages are sent. */
  isServed: boolean;
}

export interface ReachParts {
  /** Of the gateway that this is part of. */
  control?(): Control;
  paths: HomePaths;
  words: Words;
}

export async function reachControl({ control: own, paths, words }: ReachParts): Promise<Reached> {
  if (own !== undefined) return { control: own(), isServed: true };
  const address = await findGateway(paths.run);
  if (address !== undefined) return { control: createControlClient(address), isServed: true };
  const refuse = (): never => {
    throw new ControlError(say(phrase("gateway.not-running"), words));
  };
  const control = {
    inspectContext: refuse,
    dream: refuse,
    findForgettable: refuse,
    forget: refuse,
    restoreMemory: refuse,
  };
  return { control, isServed: false };
}
