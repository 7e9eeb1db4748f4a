import { describe, expect, it } from "vitest";
import { exploreAll, listScenes } from "./support/explore-protocol.ts";
import type { Rule, Scene } from "./support/protocol-model.ts";

describe("the protocol of what is written when", () => {
  it("keeps its promises through every death and power cut, and through every pair of them in the usual turn", () => {
    const { runs, faults } = exploreAll(listScenes(), 1);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(runs).toBeGreaterThan(1_000);
    const usual: Scene = { replies: [["safe"], ["never"]], parts: 2, hasKey: false, isJoined: false };
    expect(exploreAll([usual], 2).faults.slice(0, 3)).toEqual([]);
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
