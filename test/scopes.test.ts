// Nothing of one scope is returned under another: a sample of what two people and a group may do. More runs, and with real
// processes: test/long/scopes.test.ts.
import { describe, expect, it } from "vitest";
import { openHomeHere } from "./support/scope-homes.ts";
import { exploreScopes } from "./support/scope-property.ts";

describe("two people and a group, whatever they do in any order, with kills between", () => {
  it("find what is theirs and nothing of one another", async () => {
    const served = await exploreScopes({ open: openHomeHere, runs: 3, most: 16 });
    for (const place of ["owner", "guest", "group"])
      for (const way of ["/search code word", "chat"]) expect([...served]).toContain(`${place} ${way}`);
    expect([...served]).toContain("guest chat.search");
  });
});
