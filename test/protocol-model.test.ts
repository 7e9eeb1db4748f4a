import { describe, expect, it } from "vitest";
import { exploreAll, listScenes } from "./support/explore-protocol.ts";
import type { Rule, Scene } from "./support/protocol-model.ts";

describe("the protocol of what is written when", () => {
  it("keeps its promises through every death and power cut, and through every pair of them in the usual turn", () => {
    const { runs, faults } = exploreAll(listScenes(), 1);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(runs).toBeGreaterThan(1_000);
    const usual: Scene = { replies: [["safe"], ["never"]], parts: 2, hasKey: false };
    expect(exploreAll([usual], 2).faults.slice(0, 3)).toEqual([]);
  });

  const deadly: Scene = { replies: [["never"]], parts: 1, hasKey: false };

  it.each<Pick<Scene, "joins">>([{}, { joins: "burst" }, { joins: "injected" }])(
    "answers each message or apologises for it when a turn kills three processes: %j",
    (more) => {
      const { runs, faults } = exploreAll([{ ...deadly, ...more }], 3);
      expect(faults.slice(0, 3)).toEqual([]);
      expect(runs).toBeGreaterThan(1_000);
    },
  );

  it("would lose what joined a turn without: what joined a dead turn is told of", () => {
    const scene: Scene = { ...deadly, joins: "burst" };
    const { faults } = exploreAll([scene], 3, "what joined a dead turn is told of");
    expect(faults[0]).toMatch(/^nobody was told of T2/);
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
    const scenes = listScenes().filter(({ parts, joins }) => parts === 1 && joins === undefined);
    expect(exploreAll(scenes, 1, rule).faults).not.toEqual([]);
  });
});
