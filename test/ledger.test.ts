// The ledger and the budgets in the whole assistant: what each kind of work is put down to, and what stops it.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { describeEnding } from "../src/agent/delivery.ts";
import { terminalOrigin } from "../src/agent/job.ts";
import type { Cause, Origin } from "../src/bus/types.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, sayInEnglish } from "../src/i18n/words.ts";
import type { LedgerEntry } from "../src/llm/wrappers/with-ledger.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { sentenceOf } from "./support/sentence-of.ts";
import { readRecords } from "./support/session-home.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { itSays } from "./support/wording.ts";

afterEach(closeTestApps);

const usage = { input: 1_000, cached: 0, output: 100 };
const answering = { steps: [{ text: "Yes.", usage }], loop: true };

function say(app: TestApp, text: string, origin: Partial<Origin> = {}, sessionKey = "cli:direct") {
  return app.loop.processDirect({ sessionKey, text, origin: { ...terminalOrigin, ...origin } });
}

interface Row extends Pick<LedgerEntry, "cause" | "person" | "model"> {
  session: string;
  state: string;
  fresh: number;
  cost: number | null;
}

async function readLedger({ home }: TestApp): Promise<Row[]> {
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const sql =
    "SELECT cause, person, model, session_key AS session, state, fresh, cost FROM ledger ORDER BY seq";
  const rows = state.all<Row>(sql).map((row) => ({ ...row }));
  state.close();
  return rows;
}

describe("the ledger", () => {
  it("holds who caused each call, and why", async () => {
    const app = await createTestApp(answering);
    const causes: Cause[] = ["user", "cron", "heartbeat", "subagent", "api"];
    for (const cause of causes) await say(app, "Go on", { cause }, `s:${cause}`);
    await say(app, "Hello", { person: "ann", role: "guest" }, "s:ann");
    await app.close();
    const rows = await readLedger(app);
    expect(rows.map(({ cause, person, session }) => [cause, person, session])).toEqual([
      ...causes.map((cause) => [cause, "owner", `s:${cause}`]),
      ["user", "ann", "s:ann"],
    ]);
    expect(rows.every(({ state, fresh }) => state === "settled" && fresh === 1_000)).toBe(true);
  });

  it("tells summaries and Dream from what the user asked for", async () => {
    const app = await createTestApp(
      { steps: [{ text: "- a summary of it all", usage }], loop: true },
      { config: { agents: { defaults: { dream: { enabled: true } } } } },
    );
    for (const text of ["My cat is called Luna.", "She likes tea.", "It is green."]) {
      await say(app, `${text} ${"And so on. ".repeat(50)}`);
    }
    await say(app, "/compact");
    await app.dreams.run("owner", new AbortController().signal);
    await app.close();
    const causes = new Set((await readLedger(app)).map(({ cause }) => cause));
    expect([...causes]).toEqual(["user", "consolidation", "dream"]);
  });

  it("knows what a call has cost where prices.json says so", async () => {
    const app = await createTestApp(answering, { config: { agents: { defaults: { model: "gpt-9" } } } });
    const prices = { currency: "EUR", models: { "gpt-9": { input: 2, output: 10 } } };
    await writeFile(join(app.home, "prices.json"), JSON.stringify(prices));
    await say(app, "Hello");
    await app.close();
    expect(await readLedger(app)).toMatchObject([{ model: "given/gpt-9", cost: 0.003 }]);
    const [card] = await app.sessions.listAll();
    const reply = (await readRecords(card?.path ?? "")).find(({ role }) => role === "assistant");
    expect(reply?.usage).toMatchObject({ cost: 0.003 });
  });

  it("keeps nobody from talking where it cannot be written, and budgets hold meanwhile", async () => {
    const app = await createTestApp(answering, { config: { budget: { day: { tokens: 2_000 } } } });
    await mkdir(join(app.home, "state.db"));
    expect(await say(app, "Hello")).toMatchObject({ text: "Yes." });
    expect(await say(app, "Hello again")).toMatchObject({ text: "Yes." });
    expect(sentenceOf((await say(app, "And again")).error)).toBe(
      sentence("budget.used", { period: "day", unit: "tokens", used: 2_200, limit: 2_000 }),
    );
  });

  it("of a newer program is not touched, and nothing is asked without it", async () => {
    const app = await createTestApp(answering);
    const state = await StateDatabase.open({ path: join(app.home, "state.db") });
    state.all("PRAGMA user_version = 99");
    state.all("CREATE TABLE later (id TEXT)");
    state.close();
    const { error } = await say(app, "Hello");
    expect(sentenceOf(error)).toBe(
      sentence("budget.not-counted", {
        reason: phrase("storage.newer", { path: join(app.home, "state.db"), version: 99 }),
      }),
    );
    expect(app.provider.requests).toEqual([]);
  });

  it("is not opened before there is something to count", async () => {
    const app = await createTestApp(answering);
    await say(app, "/status");
    await expect(readFile(join(app.home, "state.db"))).rejects.toThrow(/ENOENT/);
  });
});

it("/status says what the last request took, as an estimate where the host counts nothing", async () => {
  const app = await createTestApp(["Yes.", { text: "Yes.", usage: { input: 1234, cached: 0, output: 5 } }]);
  const status = async () => (await say(app, "/status")).text;
  expect(await status()).toContain(words.reply.status.noTokens);
  await say(app, "Hello");
  expect(await status()).toMatch(like(words.reply.status.estimatedTokens(anything)));
  await say(app, "Hello again");
  expect(await status()).toMatch(like(words.reply.status.tokens("1,234", "5", anything)));
});

describe("a budget", () => {
  itSays.each([
    ["english", /The budget for today is used up: 1,100 of 1,000 tokens\. Raise the budget in the settings/],
    ["chinese", /今天的预算已用完：1,100 \/ 1,000 个 token。请在设置里调高预算/],
  ] as const)("ends a turn with a sentence that says what to do, in %s", async (language, sentence) => {
    const config = { budget: { day: { tokens: 1_000 } } };
    const words = createWords(language);
    const app = await createTestApp(answering, { config, words });
    expect(await say(app, "Hello")).toMatchObject({ stop: "completed", text: "Yes." });
    const refused = await say(app, "Once more");
    expect(refused).toMatchObject({ stop: "error", error: { kind: "budget" } });
    expect(describeEnding(refused, words)).toMatch(sentence);
    expect(app.provider.requests).toHaveLength(1);
  });

  it("warns when most of it is gone", async () => {
    const notices: string[] = [];
    const app = await createTestApp(answering, { config: { budget: { day: { tokens: 1_200 } } } });
    await say(app, "Hello");
    await app.loop.processDirect({
      sessionKey: "cli:direct",
      text: "Once more",
      onEvent: (body) => body.type === "notice" && notices.push(sayInEnglish(body.notice.reason)),
    });
    expect(notices).toEqual([
      sentence("budget.near", { period: "day", unit: "tokens", used: 1_100, limit: 1_200 }),
    ]);
  });

  it("stops a turn that does not end on its own", async () => {
    const look = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }], usage };
    const app = await createTestApp(
      { steps: [(request) => ({ ...look, text: `${request.messages.length}` })], loop: true },
      { config: { budget: { turn: { tokens: 2_500 } } } },
    );
    const outcome = await say(app, "Look around");
    expect(sentenceOf(outcome.error)).toBe(
      sentence("budget.used", { period: "turn", unit: "tokens", used: 3_300, limit: 2_500 }),
    );
    expect(app.provider.requests).toHaveLength(3);
  });

  it("of work in the background never keeps the user from talking", async () => {
    const causes = Object.fromEntries(
      ["cron", "heartbeat", "dream", "consolidation"].map((cause) => [cause, { day: { tokens: 1_000 } }]),
    );
    const app = await createTestApp(answering, { config: { budget: { causes } } });
    for (const cause of ["cron", "heartbeat"] as const) {
      await say(app, "Go on", { cause }, `s:${cause}`);
      expect(await say(app, "Go on", { cause }, `s:${cause}`)).toMatchObject({ error: { kind: "budget" } });
    }
    expect(await say(app, "Hello")).toMatchObject({ text: "Yes." });
    expect(await say(app, "Hello again")).toMatchObject({ text: "Yes." });
  });

  it("of one person leaves the others alone, and survives a restart", async () => {
    const config = { budget: { people: { ann: { month: { tokens: 1_000 } } } } };
    const app = await createTestApp(answering, { config });
    const ann = { person: "ann", role: "guest" } as const;
    await say(app, "Hello", ann, "s:ann");
    await app.close();
    const again = await app.restart(answering);
    expect(sentenceOf((await say(again, "Hello", ann, "s:ann")).error)).toBe(
      sentence("budget.used", { period: "month", person: "ann", unit: "tokens", used: 1_100, limit: 1_000 }),
    );
    expect(await say(again, "Hello", { person: "bob", role: "guest" }, "s:bob")).toMatchObject({
      text: "Yes.",
    });
  });
});
