// The page about usage over the whole gateway: a real ledger of what a scripted model has taken.
import { afterEach, describe, expect, it } from "vitest";
import { terminalOrigin } from "../../../test/support/origins.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import type { Origin } from "../../bus/types.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const usage = { input: 1_000, cached: 600, output: 100 };

async function openUsage(budget: Record<string, unknown> = {}) {
  const gateway = await createTestGateway(
    { steps: [{ text: "Yes.", usage }], loop: true },
    { config: { budget } },
  );
  const client = await openWebClient(gateway);
  const { loop } = gateway.app;
  const say = (sessionKey: string, origin: Partial<Origin> = {}) =>
    loop.processDirect({ sessionKey, text: "Go on", origin: { ...terminalOrigin, ...origin } });
  return { gateway, client, say };
}

describe("usage", () => {
  it("is told by day, cause, model and session, with what came from the cache", async () => {
    const { client, say } = await openUsage();
    await say("cli:direct");
    await say("cli:direct");
    await say("s:cron", { cause: "cron" });
    const report = async (by: "day" | "cause" | "model" | "session") =>
      (await client.ask("usage.report", { by, from: 0 })).rows;
    const figures = { calls: 3, fresh: 1_200, cached: 1_800, output: 300 };
    expect(await report("day")).toMatchObject([
      { group: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...figures },
    ]);
    expect(await report("model")).toMatchObject([figures]);
    expect((await report("cause")).map(({ group, calls }) => [group, calls])).toEqual([
      ["cron", 1],
      ["user", 2],
    ]);
    expect((await report("session")).map(({ group }) => group)).toEqual(["cli:direct", "s:cron"]);
    const later = await client.ask("usage.report", { by: "day", from: 0, to: 1_000 });
    expect(later.rows).toEqual([]);
  });

  it("comes as a table for spreadsheets, in which no name is a formula", async () => {
    const { client, say } = await openUsage();
    await say("=cmd|' /C calc'!A0");
    const { name, text } = await client.ask("usage.csv", { by: "session", from: 0 });
    expect(name).toMatch(/^nanobot-usage-session-\d{4}-\d\d-\d\d\.csv$/);
    expect(text.split("\n")[0]).toBe("session,calls,fresh,cached,output,cost,currency,unpriced,ms");
    expect(text.split("\n")[1]).toMatch(/^'=cmd/);
  });

  it("tells of each budget how much is used, and when it is nearly and wholly used up", async () => {
    const { client, say } = await openUsage({
      day: { tokens: 10_000 },
      month: { tokens: 1_300 },
      causes: { user: { day: { tokens: 1_100 } } },
      people: { ann: { day: { tokens: 5_000 } } },
    });
    await say("cli:direct");
    const { budgets, warnAt, turn } = await client.ask("usage.budgets", {});
    expect(warnAt).toBe(0.8);
    expect(turn.tokens).toBe(2_000_000);
    const find = (period: string, whose: object = {}) =>
      budgets.find(
        (each) => each.period === period && JSON.stringify(whose) === JSON.stringify(ofWhom(each)),
      );
    expect(find("day")).toMatchObject({ used: 1_100, most: 10_000, unit: "tokens", state: "free" });
    expect(find("month")).toMatchObject({ used: 1_100, most: 1_300, state: "near" });
    expect(find("day", { cause: "user" })).toMatchObject({ most: 1_100, state: "over" });
    expect(find("day", { cause: "dream" })).toMatchObject({ used: 0, most: 2_000_000, state: "free" });
    expect(find("day", { person: "ann" })).toMatchObject({ used: 0, state: "free" });
  });

  it("tells open pages when a turn has taken something", async () => {
    const { gateway, client } = await openUsage();
    const sessionKey = "cli:direct";
    await gateway.app.bus.publishInbound({ sourceKey: "1", sessionKey, origin: terminalOrigin, text: "Hi" });
    await client.waitFor(({ event }) => event.type === "changed" && event.topic === "usage");
  });

  it("is the owner's to see, and asked for in a known form", async () => {
    const { gateway, client } = await openUsage();
    const ann = await openWebClient(gateway, { person: "ann", role: "guest" });
    await expect(ann.ask("usage.budgets", {})).rejects.toMatchObject({
      problem: { code: "request.owner-only" },
    });
    const odd = { by: "day; DROP TABLE ledger", from: 0 } as unknown as { by: "day"; from: number };
    await expect(client.ask("usage.report", odd)).rejects.toMatchObject({
      problem: { code: "request.bad-params" },
    });
  });
});

function ofWhom({ cause, person }: { cause?: string; person?: string }): object {
  return { ...(cause && { cause }), ...(person && { person }) };
}
