import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sentence } from "../../../test/support/english.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import type { CodeScript } from "../../llm/scripted.ts";
import type { ParamsOf } from "../index.ts";

type JobDraft = ParamsOf<"jobs.add">;

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const hour = 3_600_000;

async function open(script: CodeScript = ["Tea is ready."]) {
  const gateway = await createTestGateway(script, {
    config: { agents: { defaults: { timezone: "Asia/Shanghai" } } },
  });
  return { gateway, client: await openWebClient(gateway) };
}

function toDraft(schedule: JobDraft["schedule"], more: Partial<JobDraft> = {}): JobDraft {
  return {
    name: "tea",
    message: "Tell me to make tea",
    schedule,
    misfire: "once",
    chat: { channel: "cli", chatId: "direct" },
    ...more,
  };
}

describe("the schedule over the socket", () => {
  it("shows the next five times of what is not saved yet, by the clock of its zone", async () => {
    const { client } = await open();
    const schedule = { kind: "cron", expr: "0 9 * * 1-5", tz: "Asia/Shanghai" } as const;
    const { times, problem } = await client.ask("jobs.preview", { schedule });
    expect(problem).toBeUndefined();
    expect(times).toHaveLength(5);
    for (const time of times) expect(new Date(time).getUTCHours()).toBe(1);
    const at = { kind: "at", at: "2031-08-01T09:00" } as const;
    expect((await client.ask("jobs.preview", { schedule: at })).times).toEqual([Date.UTC(2031, 7, 1, 1, 0)]);
  });

  it.each([
    [
      { kind: "at", at: "tomorrow" },
      { path: "at", phrase: { code: "jobs.bad-time" } },
    ],
    [
      { kind: "at", at: "2001-01-01T09:00" },
      { path: "at", phrase: { code: "jobs.time-over" } },
    ],
    [
      { kind: "at", at: "2031-01-01T09:00", tz: "Mars" },
      { path: "tz", phrase: { code: "jobs.bad-zone" } },
    ],
    [
      { kind: "every", everyMs: 5 },
      { path: "everyMs", phrase: { code: "jobs.too-often" } },
    ],
    [
      { kind: "cron", expr: "0 9 * *" },
      { path: "expr", phrase: { code: "jobs.bad-expression" } },
    ],
    [
      { kind: "cron", expr: "0 9 * * *", tz: "Mars" },
      { path: "tz", phrase: { code: "jobs.bad-zone" } },
    ],
    [
      { kind: "cron", expr: "0 0 31 2 *" },
      { path: "expr", phrase: { code: "jobs.never" } },
    ],
  ] as const)("says at which field %j is wrong, and saves nothing of it", async (schedule, problem) => {
    const { client } = await open();
    expect(await client.ask("jobs.preview", { schedule })).toMatchObject({ times: [], problem });
    await expect(client.ask("jobs.add", toDraft(schedule))).rejects.toMatchObject({
      problem: { code: problem.phrase.code, fields: [{ path: `schedule.${problem.path}` }] },
    });
    expect((await client.ask("jobs.list", {})).jobs.filter(({ kind }) => kind === "turn")).toEqual([]);
  });

  it("makes, changes, pauses, removes and restores a job, and tells the other pages", async () => {
    const { client, gateway } = await open();
    const other = await openWebClient(gateway);
    const made = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }), "request-1");
    expect(made).toMatchObject({ name: "tea", state: "planned", kind: "turn", runs: [] });
    await other.waitFor(({ event }) => event.type === "changed" && event.topic === "jobs");
    const { id } = made;
    const noon = toDraft({ kind: "cron", expr: "0 12 * * *" }, { name: "lunch" });
    const edited = await client.ask("jobs.edit", { id, ...noon });
    expect(edited).toMatchObject({ id, name: "lunch", schedule: { kind: "cron", expr: "0 12 * * *" } });
    expect(await client.ask("jobs.enable", { id, enabled: false })).toMatchObject({ state: "paused" });
    await client.ask("jobs.remove", { id });
    const listed = async () => (await client.ask("jobs.list", {})).jobs.map((job) => job.id);
    expect(await listed()).not.toContain(id);
    expect(await client.ask("jobs.restore", { id })).toMatchObject({ id, state: "paused" });
    expect(await listed()).toContain(id);
    await expect(client.ask("jobs.remove", { id: "dream" })).rejects.toMatchObject({
      problem: { code: "jobs.built-in" },
    });
  });

  it("makes one job of a request that comes again after a restart of the memory of requests", async () => {
    const { client, gateway } = await open();
    const draft = toDraft({ kind: "every", everyMs: hour });
    const first = await client.ask("jobs.add", draft, "the-same");
    const guestless = await openWebClient(gateway);
    expect((await guestless.ask("jobs.add", draft, "the-same")).id).toBe(first.id);
    const { jobs } = await client.ask("jobs.list", {});
    expect(jobs.filter(({ kind }) => kind === "turn")).toHaveLength(1);
  });

  it("runs a job at once with the owner's rights, and shows how it went", async () => {
    const { client, gateway } = await open();
    const chat = { channel: "web", chatId: "schedule" };
    const { id } = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }, { chat }));
    const { jobs } = await gateway.client.call("jobs.list", {});
    expect(jobs.find((job) => job.id === id)?.origin).toMatchObject({ role: "owner", person: "owner" });
    const { run } = await client.ask("jobs.run", { id });
    const runs = async () => (await client.ask("jobs.list", {})).jobs.find((job) => job.id === id)?.runs;
    await expect.poll(runs).toEqual([{ ...run, status: "ok", durationMs: expect.any(Number) }]);
  });

  it("says of a run that failed why, as a code, in the list and in the file", async () => {
    const { client, gateway } = await open([{ error: { kind: "authentication" } }]);
    const chat = { channel: "web", chatId: "schedule" };
    const { id } = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }, { chat }));
    await client.ask("jobs.run", { id });
    const reason = { code: "jobs.turn-failed", params: {} };
    const runs = async () => (await client.ask("jobs.list", {})).jobs.find((job) => job.id === id)?.runs;
    await expect.poll(runs).toMatchObject([{ status: "error", reason }]);
    const stored = JSON.parse(await readFile(join(gateway.app.workspace, "cron", "jobs.json"), "utf8"));
    const { state } = stored.jobs.find((job: { id: string }) => job.id === id);
    const error = sentence("jobs.turn-failed");
    expect(state).toMatchObject({ lastError: error, runHistory: [{ status: "error", error, reason }] });
  });

  it("notes a run whose turn broke off", async () => {
    const broken = () => {
      throw new Error("unforeseen");
    };
    const { client } = await open([broken]);
    const chat = { channel: "web", chatId: "schedule" };
    const { id } = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }, { chat }));
    await client.ask("jobs.run", { id });
    const runs = async () => (await client.ask("jobs.list", {})).jobs.find((job) => job.id === id)?.runs;
    await expect.poll(runs).toMatchObject([{ status: "error", reason: { code: "jobs.turn-failed" } }]);
  });

  it("puts jobs on the days on which they run, and counts no further than a day has room", async () => {
    const { client, gateway } = await open();
    const now = Date.now();
    const start = now - (now % (24 * hour));
    // More than a week: what comes weekly may just have been, and what comes hourly may come no more today.
    const days = Array.from({ length: 11 }, (_, day) => start + (day - 1) * 24 * hour);
    const often = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }));
    const weekly = await client.ask("jobs.add", toDraft({ kind: "cron", expr: "0 20 * * 3" }), "b");
    const paused = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }), "c");
    await client.ask("jobs.enable", { id: paused.id, enabled: false });
    const plan = (await client.ask("jobs.calendar", { days })).days;
    expect(plan).toHaveLength(10);
    expect(plan[0]).toEqual([]);
    const ofJob = (id: string) => plan.flatMap((day) => day.filter(({ jobId }) => jobId === id));
    expect(ofJob(often.id).length).toBeGreaterThanOrEqual(8);
    expect(ofJob(often.id)[1]).toMatchObject({ isMore: true });
    expect(ofJob(often.id)[0]?.times[0]).toBe(often.nextRunAtMs);
    expect(ofJob(weekly.id)[0]?.times).toEqual([weekly.nextRunAtMs]);
    expect(ofJob(paused.id)).toEqual([]);
    expect((await gateway.client.call("jobs.list", {})).jobs.length).toBeGreaterThan(3);
  });

  it("offers the chats of people who were admitted", async () => {
    const { client, gateway } = await open();
    await writeFile(
      join(gateway.home, "pairing.json"),
      JSON.stringify({
        approved: { telegram: ["42"] },
        people: { "telegram:42": { role: "guest", person: "ann", name: "Ann" } },
      }),
    );
    expect((await client.ask("jobs.chats", {})).chats).toEqual([
      { channel: "web", chatId: "schedule" },
      { channel: "telegram", chatId: "42", name: "Ann" },
    ]);
  });

  it("shows a guest no job of another person, and lets the guest schedule for no other chat", async () => {
    const { client, gateway } = await open();
    const { id } = await client.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }));
    const guest = await openWebClient(gateway, { person: "ann", role: "guest" });
    expect((await guest.ask("jobs.list", {})).jobs).toEqual([]);
    for (const refused of [
      guest.ask("jobs.remove", { id }),
      guest.ask("jobs.run", { id }),
      guest.ask("jobs.enable", { id, enabled: false }),
    ])
      await expect(refused).rejects.toMatchObject({ problem: { code: "jobs.not-found" } });
    const adding = guest.ask("jobs.add", toDraft({ kind: "every", everyMs: hour }));
    await expect(adding).rejects.toMatchObject({ problem: { code: "jobs.other-chat" } });
    await expect(guest.ask("jobs.chats", {})).rejects.toMatchObject({
      problem: { code: "request.owner-only" },
    });
  });
});

describe("the heartbeat over the socket", () => {
  it("tells what is to be done, when it looks next, and whom it tells", async () => {
    const { client, gateway } = await open();
    const { workspace } = gateway.app;
    await mkdir(workspace, { recursive: true });
    await writeFile(join(workspace, "HEARTBEAT.md"), "# Tasks\n- water the plants\n## Done\n- old\n");
    const card = await client.ask("heartbeat.read", {});
    expect(card).toMatchObject({
      isEnabled: true,
      everyMs: 1_800_000,
      target: "last",
      tasks: ["- water the plants"],
    });
    expect(card.nextLookAt).toBeGreaterThan(Date.now());
    expect(await client.ask("heartbeat.aim", { target: "telegram:42" })).toMatchObject({
      target: "telegram:42",
    });
    expect(gateway.app.current().config.gateway.heartbeat.target).toBe("telegram:42");
    await expect(client.ask("heartbeat.aim", { target: "nowhere" })).rejects.toMatchObject({
      problem: { code: "request.bad-params" },
    });
  });
});
