import { expect, it } from "vitest";
import { exploreAll, listScenes } from "../support/explore-protocol.ts";

it("the protocol of what is written when keeps its promises through every pair of deaths and power cuts", () => {
  const { runs, faults } = exploreAll(listScenes(), 2);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(runs).toBeGreaterThan(100_000);
});
