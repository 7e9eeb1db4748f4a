// The property of test/scopes.test.ts with more runs, and with processes that are really killed.
import { describe, expect, it } from "vitest";
import { sampled, tellFigure } from "../support/long-form.ts";
import { openHomeHere, openHomeOfProgram } from "../support/scope-homes.ts";
import { exploreScopes } from "../support/scope-property.ts";

describe("two people and a group, whatever they do in any order", () => {
  it.each([
    {
      how: "with kills that leave the files as they were",
      open: openHomeHere,
      runs: sampled(10, 200),
      most: 30,
    },
    { how: "with processes that are killed", open: openHomeOfProgram, runs: sampled(2, 20), most: 25 },
  ])("find what is theirs and nothing of one another, $how", async ({ how, ...runs }) => {
    const served = await exploreScopes(runs);
    tellFigure(how, { runs: runs.runs, ways: served.size });
    for (const place of ["owner", "guest", "group"])
      expect([...served]).toContain(`${place} /search code word`);
  });
});
