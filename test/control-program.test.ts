// `nanobot cron`, `pairing`, `outbox` and `usage` as they are typed, on the files of a home where no gateway runs.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import { nanobot as command } from "../src/lib/program-command.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { PairingStore } from "../src/storage/people/pairing-store.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { Ledger } from "../src/storage/queues/ledger.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { createProgramHome, type ProgramHome } from "./support/run-program.ts";
import { typeHere } from "./support/type-here.ts";

const { schedule, pairing, outbox } = words;
const telegram = (id: string) => pairing.sender("telegram", id);

async function run({ env }: ProgramHome, ...argv: string[]) {
  return typeHere(argv, env);
}

/** Splits at blanks; what is in quotes is one argument. */
function type(home: ProgramHome, line: string, env: NodeJS.ProcessEnv = {}) {
  const argv = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  return run({ ...home, env: { ...home.env, ...env } }, ...argv);
}

describe("nanobot cron", () => {
  it("adds, lists, pauses, resumes, runs and removes a job, and keeps its runs", async () => {
    const home = await createProgramHome();
    const added = await type(
      home,
      'cron add --name tea --message "Make tea" --every 30m --misfire skip --json',
    );
    const job = JSON.parse(added.stdout);
    const { id } = job;
    expect(job).toMatchObject({
      schedule: { kind: "every", everyMs: 1_800_000 },
      misfire: "skip",
    });
    const listed = await type(home, "cron");
    expect(listed.stdout).toMatch(
      like(`tea: ${schedule.every(schedule.units.minute(30))}; ${schedule.next(anything, anything)}`),
    );
    expect(listed.stdout).toMatch(/^\s+Make tea$/m);
    expect(listed.stdout).toContain(schedule.waitsForGateway);
    await type(home, "cron pause 1");
    expect((await type(home, "cron list", { LANG: "zh_CN.UTF-8" })).stdout).toMatch(/每 30 分钟; 已暂停/);
    expect((await type(home, "cron resume tea")).stdout).toMatch(like(schedule.resumed(`tea${anything}`)));
    expect((await type(home, `cron run ${id}`)).stdout).toMatch(like(schedule.willRun(anything)));
    expect((await type(home, "cron history")).stdout).toMatch(like(`tea: ${schedule.status.queued}`));
    expect((await type(home, `cron remove ${id}`)).stdout).toBe(`${schedule.removed("tea")}\n`);
    expect((await type(home, "cron --json")).stdout).toBe("[]\n");
  });

  it("binds a job to a chat with the rights of its person", async () => {
    const home = await createProgramHome();
    const pairing = {
      approved: { telegram: ["7"] },
      people: { "telegram:7": { person: "ann", role: "guest" } },
    };
    await writeFile(join(home.home, "pairing.json"), JSON.stringify(pairing));
    const line = (to: string) =>
      `cron add -m "Good morning" --cron "0 9 * * 1-5" --tz Asia/Shanghai --deliver --channel telegram --to ${to} --json`;
    expect(JSON.parse((await type(home, line("7"))).stdout)).toMatchObject({
      channel: "telegram",
      chatId: "7",
      sessionKey: "telegram:7",
      schedule: { kind: "cron", expr: "0 9 * * 1-5", tz: "Asia/Shanghai" },
      origin: { person: "ann", role: "guest" },
    });
    expect(JSON.parse((await type(home, line("8"))).stdout)).toMatchObject({ chatId: "8", origin: {} });
    const file = JSON.parse(await readFile(join(home.workspace, "cron", "jobs.json"), "utf8"));
    expect(file).toMatchObject({ version: 1, jobs: [{ payload: { deliver: true, to: "7" } }, {}] });
  });

  it("says why a run failed in the reader's language, and quotes what an older file says", async () => {
    const home = await createProgramHome();
    const reason = phrase("jobs.interrupted");
    const { id } = JSON.parse((await type(home, "cron add -m tea --every 30m --json")).stdout);
    const path = join(home.workspace, "cron", "jobs.json");
    const file = JSON.parse(await readFile(path, "utf8"));
    const broken = { code: "jobs.not-of-this-version", params: {} };
    file.jobs[0].state.runHistory = [
      { runAtMs: 1, status: "error", error: "Connection error." },
      { runAtMs: 2, status: "error", error: "of another version", reason: broken },
      { runAtMs: 3, status: "error", error: "anything", reason },
    ];
    await writeFile(path, JSON.stringify(file));
    for (const [LANG, spoken] of [
      ["en_US.UTF-8", words],
      ["zh_CN.UTF-8", createWords("chinese")],
    ] as const) {
      const said = [
        reason,
        phrase("jobs.quoted", { quote: "of another version" }),
        phrase("jobs.quoted", { quote: "Connection error." }),
      ].map((each) => say(each, spoken));
      const { stdout } = await type(home, "cron history", { LANG });
      const lines = stdout.trim().split("\n");
      for (const [index, sentence] of said.entries()) expect(lines[index]).toContain(sentence);
      const [{ runs }] = JSON.parse((await type(home, "cron history --json", { LANG })).stdout);
      expect(runs.map(({ error }: { error: string }) => error).reverse()).toEqual(said);
    }
    await type(home, `cron pause ${id}`);
    const [job] = JSON.parse(await readFile(path, "utf8")).jobs;
    expect(job.state).toMatchObject({
      lastError: sentence("jobs.interrupted"),
      runHistory: [
        { error: "Connection error." },
        { error: "of another version" },
        { error: sentence("jobs.interrupted"), reason },
      ],
    });
  });

  it.each([
    ["cron add --every 30m", 2, schedule.needsMessage],
    ["cron add -m x", 2, schedule.needsOneTime],
    ["cron add -m x --at 2031-01-01T09:00 --every 1h", 2, schedule.needsOneTime],
    ["cron add -m x --at tomorrow", 2, schedule.badTime("tomorrow")],
    ["cron add -m x --every 5x", 2, schedule.badInterval("5x")],
    ["cron add -m x --every 1h --tz Mars", 2, schedule.badZone("Mars")],
    ["cron add -m x --every 1h --deliver", 2, schedule.needsChat],
    ["cron add -m x --at 2001-01-01T09:00", 1, sentence("jobs.time-over")],
    ["cron remove", 2, schedule.needsId(`${command} cron remove`)],
    ["cron remove nothing", 1, sentence("jobs.not-found", { id: "nothing" })],
    ["cron jump", 2, words.usage.unknownCommand("cron jump")],
  ])("refuses %j", async (line, code, reason) => {
    const home = await createProgramHome();
    const ended = await type(home, line);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(reason);
  });
});

describe("nanobot pairing", () => {
  it("admits who waits, as guest or owner, and takes it back", async () => {
    const home = await createProgramHome();
    const store = new PairingStore(join(home.home, "pairing.json"), systemClock);
    const ann = await store.request({ channel: "telegram", senderId: "7", name: "Ann *" });
    const bob = await store.request({ channel: "telegram", senderId: "8" });
    expect((await type(home, "pairing")).stdout).toMatch(
      like(pairing.request(`${ann?.code}`, pairing.named("Ann", telegram("7")), anything)),
    );
    const admitted = await type(home, `pairing approve ${ann?.code.toLowerCase()} --person ann`);
    expect(admitted.stdout).toContain(
      pairing.approved(pairing.named("Ann", telegram("7")), anything).split(anything)[0],
    );
    await type(home, `pairing approve ${bob?.code} --owner`);
    expect(await store.list()).toEqual([
      { channel: "telegram", senderId: "7", role: "guest", person: "ann", name: "Ann *" },
      { channel: "telegram", senderId: "8", role: "owner", person: "owner" },
    ]);
    expect((await type(home, "pairing revoke telegram 8")).code).toBe(0);
    const twice = await type(home, "pairing revoke telegram 8", { LANG: "zh_CN.UTF-8" });
    expect(twice).toMatchObject({ code: 1, stderr: "telegram 8 没有使用权限。\n" });
  });

  it("makes nobody the owner by a name, and refuses who was not asked for", async () => {
    const home = await createProgramHome();
    const store = new PairingStore(join(home.home, "pairing.json"), systemClock);
    const ann = await store.request({ channel: "telegram", senderId: "7" });
    const named = await type(home, `pairing approve ${ann?.code} --person Owner`);
    expect(named).toMatchObject({
      code: 1,
      stderr: `${sentence("pairing.bad-person", { name: "Owner" })}\n`,
    });
    expect((await type(home, `pairing deny ${ann?.code}`)).stdout).toBe(`${pairing.denied}\n`);
    expect(await store.listPending()).toEqual([]);
    expect(await type(home, "pairing approve")).toMatchObject({ code: 2 });
  });
});

describe("nanobot outbox", () => {
  it("shows what could not be sent and why, sends it again or drops it", async () => {
    const home = await createProgramHome();
    const state = await StateDatabase.open({ path: join(home.home, "state.db") });
    const ids = createIds();
    const bus = await DurableBus.open({ state, clock: systemClock, ids });
    const part = { channel: "telegram", chatId: "42", sessionKey: "s", turnId: "t", media: [] };
    for (const id of ["t:final#0", "t:final#1"])
      await bus.publishOutbound([{ ...part, id, text: `答 ${id}`, kind: "answer", wasStreamed: false }]);
    await bus.takeOutbound("telegram", new AbortController().signal);
    const refused = { platform: "Telegram", quote: "Forbidden: bot was blocked" };
    await bus.markUnsent("t:final#0", { reason: phrase("channels.refused", refused) });
    state.close();
    const listed = await type(home, "outbox");
    expect(listed.stdout).toMatch(
      like(
        `1. ${outbox.row("telegram:42", outbox.states.dead, 1)}\n${anything}${sentence("channels.refused", refused)}\n${anything}答 t`,
      ),
    );
    expect((await type(home, "outbox retry 1")).stdout).toBe(`${outbox.retried(1)}\n`);
    expect((await type(home, "outbox drop all")).stdout).toBe(`${outbox.dropped(2)}\n`);
    expect((await type(home, "outbox")).stdout).toBe(`${outbox.empty}\n`);
    expect(await type(home, "outbox drop t:final#0")).toMatchObject({ code: 1 });
  });
});

describe("nanobot usage", () => {
  async function createSpender(): Promise<ProgramHome> {
    const home = await createProgramHome();
    await mkdir(home.home, { recursive: true });
    const prices = { currency: "EUR", models: { "gpt-9": { input: 2, output: 10 } } };
    await writeFile(join(home.home, "prices.json"), JSON.stringify(prices));
    const state = await StateDatabase.open({ path: join(home.home, "state.db") });
    const ledger = new Ledger({ state, clock: systemClock, prices: () => prices });
    const spend = async (cause: "user" | "cron", model: string) => {
      const entry = { sessionKey: "=s,1", turnId: "t", cause, person: "owner", model };
      const seq = await ledger.open(entry, 0);
      const usage = { input: 10_000, cached: 4_000, output: 1_000 };
      await ledger.settle(seq, entry, { usage, ms: 5, stop: "stop" });
    };
    await spend("user", "openai/gpt-9");
    await spend("cron", "ollama/llama");
    state.close();
    return home;
  }

  it("sums up by cause, with what it cost and what is not priced", async () => {
    const home = await createSpender();
    const { stdout } = await type(home, "usage --by cause");
    expect(stdout).toMatch(/cron\s.*1\s.*6,000\s.*4,000\s.*1,000/);
    expect(stdout).toMatch(like(`${words.money.sum}${anything}2${anything}0.03 EUR`));
    expect(stdout).toContain(words.money.unpriced(1));
    const { currency, rows } = JSON.parse((await type(home, "usage --by model --since 7d --json")).stdout);
    expect(currency).toBe("EUR");
    expect(rows).toMatchObject([{ group: "ollama/llama" }, { group: "openai/gpt-9", cost: 0.03 }]);
  });

  it("writes values for a spreadsheet, in which nothing is a formula", async () => {
    const { stdout } = await type(await createSpender(), "usage --by session --csv");
    expect(stdout.split("\n")).toEqual([
      "session,calls,fresh,cached,output,cost,currency,unpriced,ms",
      `"'=s,1",2,12000,8000,2000,0.03,EUR,1,10`,
      "",
    ]);
  });

  it("says what day it did not understand", async () => {
    const ended = await type(await createProgramHome(), "usage --since 2026-02-31");
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words.money.badDay("2026-02-31")),
    });
  });
});
