// The sign-ins of a home, loaded when they are first used.
import type { Clock } from "../../lib/clock.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { SignIns } from "./sign-ins.ts";

export type LoadSignIns = () => Promise<SignIns>;

export function createSignInsLoader(parts: {
  paths: HomePaths;
  clock: Clock;
  env: NodeJS.ProcessEnv;
}): LoadSignIns {
  let loaded: Promise<SignIns> | undefined;
  return () => {
    loaded ??= import("./sign-ins.ts").then(({ openSignIns }) => openSignIns(parts));
    return loaded;
  };
}
