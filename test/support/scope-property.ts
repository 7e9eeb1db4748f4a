// Whatever an owner, a guest and a group do, in any order, with restarts and kills between: nothing of one reaches another.
import fc from "fast-check";
import { type Action, actionArbitrary, lookEverywhere, perform } from "./scope-actions.ts";
import type { OpenScopeHome } from "./scope-homes.ts";
import { placeNames } from "./scope-places.ts";
import { openScopeScene } from "./scope-scene.ts";

export interface ScopeRuns {
  open: OpenScopeHome;
  runs: number;
  /** Actions of each run. */
  most: number;
}

/** Who has got something of their own, and by which way. */
export async function exploreScopes({ open, runs, most }: ScopeRuns): Promise<Set<string>> {
  const served = new Set<string>();
  const runOnce = async (actions: Action[]) => {
    await using scene = await openScopeScene(open);
    // So that there is something that could reach another.
    for (const place of placeNames)
      for (const each of ["say", "plan"] as const) await perform(scene, { do: each, place, byOwner: false });
    for (const action of actions) await perform(scene, action);
    await lookEverywhere(scene);
    for (const way of scene.served) served.add(way);
  };
  const arrays = fc.array(actionArbitrary, { minLength: most, maxLength: most });
  await fc.assert(fc.asyncProperty(arrays, runOnce), { numRuns: runs, endOnFailure: true });
  return served;
}
