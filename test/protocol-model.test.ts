import { describe, expect, it } from "vitest";
import {
  type CallKind,
  type Crash,
  losses,
  type Rule,
  runLives,
  type Scene,
} from "./support/protocol-model.ts";

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

function listScenes(): Scene[] {
  const answers = [
    { parts: 1, isJoined: false },
    { parts: 2, isJoined: false },
    { parts: 1, isJoined: true },
  ];
  return listReplies().flatMap((replies) =>
    answers.flatMap((answer) => [true, false].map((hasKey) => ({ replies, hasKey, ...answer }))),
  );
}

interface Found {
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

function exploreAll(scenes: readonly Scene[], depth: number, without?: Rule): Found {
  const found: Found = { runs: 0, faults: [] };
  for (const scene of scenes) {
    const explored = explore(scene, depth, without);
    found.runs += explored?.runs ?? 0;
    found.faults.push(...(explored?.faults ?? []));
  }
  return found;
}

describe("the protocol of what is written when", () => {
  it("keeps its promises through every pair of deaths and power cuts", () => {
    const { runs, faults } = exploreAll(listScenes(), 2);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(runs).toBeGreaterThan(100_000);
  });

  it("answers or apologises when a message kills three processes", () => {
    const scene: Scene = { replies: [["never"]], parts: 1, hasKey: false, isJoined: false };
    const { runs, faults } = exploreAll([scene], 3);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(runs).toBeGreaterThan(1_000);
  });

  it.each<Rule>([
    "accept before the platform is told",
    "reply on the disk before its calls",
    "earlier results on the disk before a call",
    "result of a call on the disk",
    "answer on the disk before it is queued",
    "answer and done in one step",
    "a call that may have happened is not repeated",
    "append once",
  ])("would break without: %s", (rule) => {
    const scenes = listScenes().filter(({ parts, isJoined }) => parts === 1 && !isJoined);
    expect(exploreAll(scenes, 1, rule).faults).not.toEqual([]);
  });
});
