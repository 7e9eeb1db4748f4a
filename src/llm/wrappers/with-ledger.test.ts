import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sentence } from "../../../test/support/english.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { modelRequest } from "../../../test/support/model-request.ts";
import { sentenceOf } from "../../../test/support/sentence-of.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { BudgetUse } from "../../i18n/en/phrases/models.ts";
import { fail } from "../../i18n/user-error.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { StateDatabase } from "../../storage/database/state-database.ts";
import { findPrice, Ledger, type Prices, pricesSchema } from "../../storage/queues/ledger.ts";
import { budgetSchema, usualCauses } from "../config.ts";
import { createScripted } from "../scripted.ts";
import type { ModelEvent, ModelRequest, Provider } from "../types.ts";
import { withLedger } from "./with-ledger.ts";

const prices = pricesSchema.parse({ models: { "gpt-9": { input: 2, cached: 0.5, output: 10 } } });
const usage = { input: 1_000, cached: 400, output: 100 };

interface Scene extends AsyncDisposable {
  ledger: Ledger;
  clock: FakeClock;
  state: StateDatabase;
  problems: unknown[];
  ask(attribution?: Partial<ModelRequest["attribution"]>, provider?: Provider): Promise<ModelEvent[]>;
}

async function open(budget: object = {}, home?: string, model = "openai/gpt-9"): Promise<Scene> {
  const path = join(home ?? (await createTemporaryFolder()), "state.db");
  const state = await StateDatabase.open({ path });
  const clock = createFakeClock();
  const ledger = new Ledger({ state, clock, prices: (): Prices => prices });
  const problems: unknown[] = [];
  const wrap = withLedger({
    ledger: async () => ledger,
    budget: budgetSchema.parse(budget),
    clock,
    name: model,
    onProblem: (error) => void problems.push(error),
  });
  return {
    ledger,
    clock,
    state,
    problems,
    async ask(attribution = {}, provider = createScripted({ steps: [{ text: "hi", usage }], loop: true })) {
      const request: ModelRequest = {
        model: "gpt-9",
        maxTokens: 10,
        messages: [{ role: "user", content: "x".repeat(400) }],
        attribution: { cause: "user", sessionKey: "s", turnId: "t", ...attribution },
      };
      const events: ModelEvent[] = [];
      for await (const event of wrap(provider).stream(request, new AbortController().signal))
        events.push(event);
      return events;
    },
    [Symbol.asyncDispose]: async () => state.close(),
  };
}

function errorOf(events: ModelEvent[]): string | undefined {
  const end = events.at(-1);
  return end?.type === "reply-end" ? sentenceOf(end.reply.error) : undefined;
}

/** A day's tokens, unless it says otherwise. */
const used = (use: Partial<BudgetUse>) =>
  sentence("budget.used", { period: "day", unit: "tokens", used: 0, limit: 0, ...use });

describe("the ledger", () => {
  it("holds every call with its tokens, its price and its cause", async () => {
    await using scene = await open();
    await scene.ask();
    await scene.ask({ cause: "cron", person: "ann" });
    expect(scene.ledger.report("cause")).toEqual([
      { group: "cron", calls: 1, fresh: 600, cached: 400, output: 100, cost: 0.0024, unpriced: 0, ms: 0 },
      expect.objectContaining({ group: "user", calls: 1 }),
    ]);
    expect(scene.ledger.report("person").map(({ group }) => group)).toEqual(["ann", "owner"]);
    expect(scene.ledger.report("day")).toMatchObject([{ calls: 2 }]);
  });

  it("counts a call that broke off by what was sent, and one that the host refused by nothing", async () => {
    await using scene = await open();
    const cut: Provider = {
      async *stream() {
        yield { type: "text-delta", text: "a" };
        throw new Error("aborted");
      },
    };
    await expect(scene.ask({}, cut)).rejects.toThrow("aborted");
    const refusing = createScripted({ steps: [{ error: { kind: "server", message: "no" } }], loop: true });
    await scene.ask({ cause: "api" }, refusing);
    expect(scene.ledger.report("cause")).toMatchObject([
      { group: "api", fresh: 0, output: 0 },
      { group: "user", fresh: 100 },
    ]);
  });

  it("says what has no price instead of calling it free", async () => {
    await using scene = await open({}, undefined, "ollama/llama");
    await scene.ask();
    expect(scene.ledger.report("model")).toEqual([
      { group: "ollama/llama", calls: 1, fresh: 600, cached: 400, output: 100, unpriced: 1, ms: 0 },
    ]);
  });
});

describe("a budget", () => {
  it("stops the call before it costs anything, with a sentence that says what to do", async () => {
    await using scene = await open({ day: { tokens: 2_000 } });
    await scene.ask();
    await scene.ask();
    const refused = await scene.ask();
    expect(errorOf(refused)).toBe(used({ limit: 2_000, used: 2_200 }));
    expect(scene.ledger.report("day")).toMatchObject([{ calls: 2 }]);
  });

  it("warns once when most of it is gone", async () => {
    await using scene = await open({ day: { tokens: 1_200 } });
    expect((await scene.ask()).map(({ type }) => type)).not.toContain("notice");
    expect(await scene.ask()).toContainEqual({
      type: "notice",
      notice: {
        kind: "budget",
        reason: { code: "budget.near", params: { period: "day", used: 1100, limit: 1200, unit: "tokens" } },
      },
    });
  });

  it.each([
    ["a turn", { turn: { tokens: 1_000 } }, { turnId: "other" }],
    ["a cause", { causes: { cron: { day: { tokens: 1_000 } } } }, { cause: "user" }],
    ["a person", { people: { ann: { month: { tokens: 1_000 } } } }, { person: "bob" }],
  ] as const)("of %s leaves the others alone", async (_name, budget, other) => {
    await using scene = await open(budget);
    const mine = { cause: "cron", person: "ann" } as const;
    await scene.ask(mine);
    expect(errorOf(await scene.ask(mine))).not.toBeUndefined();
    expect(errorOf(await scene.ask({ ...mine, ...other }))).toBeUndefined();
  });

  it("in money counts what is priced", async () => {
    await using scene = await open({ month: { money: 0.003 } });
    await scene.ask();
    await scene.ask();
    expect(errorOf(await scene.ask())).toBe(
      used({ period: "month", unit: "money", used: 0.0048, limit: 0.003 }),
    );
  });

  it("of a day starts again the next day, and survives a restart", async () => {
    const home = await createTemporaryFolder();
    await using first = await open({ day: { tokens: 1_000 } }, home);
    await first.ask();
    await using second = await open({ day: { tokens: 1_000 } }, home);
    expect(errorOf(await second.ask())).toBe(used({ limit: 1_000, used: 1_100 }));
    await second.clock.advance(26 * 3_600_000);
    expect(errorOf(await second.ask())).toBeUndefined();
  });

  it("knows what another process has spent", async () => {
    const home = await createTemporaryFolder();
    await using first = await open({ day: { tokens: 2_000 } }, home);
    await using second = await open({ day: { tokens: 2_000 } }, home);
    await first.ask();
    await second.ask();
    expect(errorOf(await first.ask())).toBe(used({ limit: 2_000, used: 2_200 }));
    expect(errorOf(await second.ask())).toBe(used({ limit: 2_000, used: 2_200 }));
  });

  it("protects a user who changed nothing", async () => {
    const { turn, day } = budgetSchema.parse({});
    expect(turn.tokens).toBeGreaterThan(0);
    const background = Object.values(usualCauses).map((limits) => limits.day.tokens ?? Number.NaN);
    const most = background.reduce((sum, tokens) => sum + tokens);
    // Whatever runs on its own, most of a day's budget is left for conversations.
    expect(most).toBeLessThan(0.6 * (day.tokens ?? 0));
    expect(background.every((tokens) => tokens > 0)).toBe(true);
  });

  it("of a cause that runs on its own holds without any config, also with limits for others", async () => {
    await using scene = await open({ causes: { user: { day: { tokens: 5_000_000 } } } });
    const greedy = { ...usage, input: usualCauses.heartbeat?.day.tokens ?? 0 };
    const provider = createScripted({ steps: [{ text: "hi", usage: greedy }], loop: true });
    await scene.ask({ cause: "heartbeat", turnId: "a" }, provider);
    expect(errorOf(await scene.ask({ cause: "heartbeat", turnId: "b" }))).toBe(
      used({ cause: "heartbeat", used: greedy.input + 100, limit: greedy.input }),
    );
    expect(errorOf(await scene.ask({ cause: "user", turnId: "c" }))).toBeUndefined();
  });

  it("warns again on another day", async () => {
    await using scene = await open({ day: { tokens: 1_200 } });
    for (const day of [1, 2]) {
      await scene.ask({ turnId: `${day}` });
      const types = (await scene.ask({ turnId: `${day}` })).map(({ type }) => type);
      expect(types).toContain("notice");
      await scene.clock.advance(24 * 3_600_000);
    }
  });

  it("goes on counting when the ledger cannot be written", async () => {
    await using scene = await open({ day: { tokens: 2_000 } });
    await scene.ask();
    await scene.state.write(() => scene.state.run("DROP TABLE ledger"));
    expect(errorOf(await scene.ask())).toBeUndefined();
    expect(scene.problems).toHaveLength(1);
    expect(errorOf(await scene.ask())).toBe(used({ limit: 2_000, used: 2_200 }));
  });

  it("that cannot be looked at lets nothing be asked, and says why", async () => {
    const refusal = fail("storage.newer", { path: "state.db", version: 9 });
    const wrap = withLedger({
      ledger: async () => refusal,
      budget: budgetSchema.parse({}),
      clock: createFakeClock(),
      name: "m",
      onProblem: () => undefined,
    });
    const asked = createScripted([{ text: "never" }]);
    const events: ModelEvent[] = [];
    for await (const event of wrap(asked).stream(modelRequest(), new AbortController().signal))
      events.push(event);
    expect(errorOf(events)).toBe(sayInEnglish(refusal.phrase));
    expect(asked.requests).toEqual([]);
  });
});

describe("a price", () => {
  it.each(["openai/gpt-9", "gpt-9", "gpt-9-mini-2026"])("is found for %s", (model) => {
    expect(findPrice(prices, model)).toEqual({ input: 2, cached: 0.5, output: 10 });
  });

  it("is not made up", () => expect(findPrice(prices, "claude")).toBeUndefined());
});
