// Every way in which processes can die around one turn, played through on the model of what is written when.
import { type CallKind, type Crash, losses, type Rule, runLives, type Scene } from "./protocol-model.ts";

const kinds: readonly CallKind[] = ["read-only", "safe", "by-call-id", "never"];

/** No call, one, two in one reply, and two in two replies, of all kinds. */
function listReplies(): CallKind[][][] {
  const pairs = kinds.flatMap((first) => kinds.map((second) => [first, second] as const));
  return [
    [],
    ...kinds.map((kind) => [[kind]]),
    ...pairs.map(([first, second]) => [[first, second]]),
    ...pairs.map(([first, second]) => [[first], [second]]),
  ];
}

export function listScenes(): Scene[] {
  const answers = [
    { parts: 1 },
    { parts: 2 },
    { parts: 1, joins: "burst" as const },
    { parts: 1, joins: "injected" as const },
  ];
  return listReplies().flatMap((replies) =>
    answers.flatMap((answer) => [true, false].map((hasKey) => ({ replies, hasKey, ...answer }))),
  );
}

export interface Found {
  runs: number;
  faults: string[];
}

/** Every crash of the next life, and within it every crash of those after it, until that many have happened. */
function explore(
  scene: Scene,
  depth: number,
  without?: Rule,
  crashes: readonly Crash[] = [],
): Found | undefined {
  const faults = runLives(scene, crashes, without);
  if (faults === "over before its crash") return undefined;
  if (faults === "nothing to lose") return { runs: 0, faults: [] };
  const found: Found = { runs: 1, faults: faults.map((fault) => describeFault(fault, scene, crashes)) };
  for (const loss of depth === 0 ? [] : losses) {
    for (let after = 0; ; after++) {
      const deeper = explore(scene, depth - 1, without, [...crashes, { after, loss }]);
      if (deeper === undefined) break;
      found.runs += deeper.runs;
      found.faults.push(...deeper.faults);
    }
  }
  return found;
}

function describeFault(fault: string, scene: Scene, crashes: readonly Crash[]): string {
  return `${fault}: ${JSON.stringify({ ...scene, crashes })}`;
}

export function exploreAll(scenes: readonly Scene[], depth: number, without?: Rule): Found {
  const found: Found = { runs: 0, faults: [] };
  for (const scene of scenes) {
    const explored = explore(scene, depth, without);
    found.runs += explored?.runs ?? 0;
    found.faults.push(...(explored?.faults ?? []));
  }
  return found;
}
