import { readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeClock, type FakeClock } from "../../test/support/fake-clock.ts";
import { createJobList } from "../../test/support/job-list.ts";
import { terminalOrigin } from "../../test/support/origins.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { NewInbound } from "../bus/types.ts";
import { phrase } from "../i18n/phrase.ts";
import { UserError } from "../i18n/user-error.ts";
import { createIds } from "../lib/ids.ts";
import { silentLog } from "../lib/log.ts";
import { isOver } from "../storage/jobs/job.ts";
import { JobFile } from "../storage/jobs/job-file.ts";
import { CronService, type NewJob, type SystemTask } from "./cron-service.ts";
import { keepOrigin } from "./scheduled-message.ts";

const minute = 60_000;
const hour = 60 * minute;

interface Scene {
  home: string;
  clock: FakeClock;
  service: CronService;
  /** What was published, each source key once, as the bus does it. */
  published: Map<string, NewInbound>;
  open: Set<string>;
}

interface Setting {
  home?: string;
  clock?: FakeClock;
  published?: Scene["published"];
  systemTasks?: SystemTask[];
  timeZone?: string;
  file?: JobFile;
}

async function start({
  systemTasks,
  timeZone = "UTC",
  ...setting
}: Setting = {}): Promise<Scene & { stop(): Promise<void> }> {
  const { clock = createFakeClock(), published = new Map() } = setting;
  const home = setting.home ?? (await createTemporaryFolder());
  const open = new Set<string>();
  const service = new CronService({
    file: setting.file ?? new JobFile(join(home, "jobs.json")),
    clock,
    ids: createIds(clock),
    log: silentLog,
    timeZone,
    async publish(message) {
      const isDuplicate = published.has(message.sourceKey);
      if (!isDuplicate) published.set(message.sourceKey, message);
      return { id: `turn of ${message.sourceKey}`, isDuplicate };
    },
    isOpen: (turnId) => open.has(turnId),
  });
  for (const task of systemTasks ?? []) service.addSystemTask(task);
  const controller = new AbortController();
  const running = service.run(controller.signal);
  const stop = async () => {
    controller.abort();
    await running;
  };
  onTestFinished(stop);
  await clock.advance(0);
  return { home, clock, service, published, open, stop };
}

function toJob(schedule: NewJob["schedule"], more: Partial<NewJob> = {}): NewJob {
  return {
    name: "tea",
    message: "Tell me to make tea",
    schedule,
    sessionKey: "cli:direct",
    channel: "cli",
    chatId: "direct",
    origin: keepOrigin(terminalOrigin),
    ...more,
  };
}

/** Moves the clock on whenever the service has gone to sleep, so that its files are written before. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  const end = clock.elapsed() + ms;
  await settle(clock);
  while (clock.elapsed() < end) {
    await clock.advance(Math.min(minute, end - clock.elapsed()));
    await settle(clock);
  }
}

async function settle(clock: FakeClock): Promise<void> {
  for (let turn = 0; turn < 5 || clock.sleeping === 0; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a scheduled job", () => {
  it("speaks once at its time, in the chat where it was made, and is gone", async () => {
    const { clock, service, published } = await start();
    await service.add(toJob({ kind: "at", atMs: clock.now() + 20 * minute }));
    await pass(clock, 19 * minute);
    expect(published.size).toBe(0);
    await pass(clock, 2 * minute);
    await expect.poll(() => [...published.values()]).toHaveLength(1);
    const [message] = published.values();
    expect(message).toMatchObject({
      sessionKey: "cli:direct",
      kind: "system",
      origin: { channel: "cli", chatId: "direct", role: "owner", cause: "cron" },
      text: expect.stringContaining("Tell me to make tea"),
    });
    await expect.poll(() => service.listAll()).toEqual([]);
  });

  it("speaks in the thread where it was made", async () => {
    const { clock, service, published } = await start();
    const chat = { channel: "telegram", chatId: "-7" };
    const schedule = { kind: "at", atMs: clock.now() + minute } as const;
    await service.add(toJob(schedule, { ...chat, sessionKey: "telegram:-7:topic:9" }));
    await service.add(toJob(schedule, { ...chat, sessionKey: "telegram:-7" }));
    await pass(clock, 2 * minute);
    await expect
      .poll(() => [...published.values()].map(({ origin }) => origin.thread))
      .toEqual(["topic:9", undefined]);
  });

  it("for a time that was over a moment ago runs at once", async () => {
    const { service, clock, published } = await start();
    await service.add(toJob({ kind: "at", atMs: clock.now() - 5_000 }));
    await expect.poll(() => published.size).toBe(1);
  });

  it("that was for one time keeps its history when it is over, also across a restart", async () => {
    const { clock, service, home, stop } = await start();
    const { id, nextRunAtMs } = await service.add(toJob({ kind: "at", atMs: clock.now() + minute }));
    await pass(clock, 2 * minute);
    await expect.poll(() => service.listAll()).toEqual([]);
    const failed = phrase("jobs.turn-failed");
    await service.finish(`turn of cron:${id}:${nextRunAtMs}`, { durationMs: 900, reason: failed });
    await stop();
    const later = await start({ clock, home });
    expect(await later.service.listAll()).toEqual([]);
    const [job] = await later.service.listAll({ withFinished: true });
    expect(job?.runs).toEqual([
      expect.objectContaining({ status: "error", durationMs: 900, reason: failed }),
    ]);
    // What was made by a call that is run again is not made again.
    expect((await later.service.add(toJob({ kind: "at", atMs: 5 }, { id }))).id).toBe(id);
    expect(await later.service.listAll()).toEqual([]);
  });

  it("that is paused after its time was missed is paused, not over", async () => {
    const clock = createFakeClock();
    const first = await start({ clock });
    const { id } = await first.service.add(toJob({ kind: "at", atMs: clock.now() + hour }));
    await first.stop();
    await clock.advance(2 * hour);
    const list = await createJobList(clock, { home: first.home });
    const paused = await list.setEnabled(id, "owner", false);
    expect(paused).toMatchObject({ enabled: false });
    expect(isOver(paused)).toBe(false);
    await expect(list.setEnabled(id, "owner", true)).rejects.toThrow("jobs.over");
  });

  it("can be changed: a new time counts from then on, and nothing else is touched", async () => {
    const { clock, service, published } = await start();
    const { id } = await service.add(toJob({ kind: "at", atMs: clock.now() + hour }));
    const edited = await service.edit(id, "owner", {
      name: "coffee",
      schedule: { kind: "every", everyMs: 10 * minute },
    });
    expect(edited).toMatchObject({ name: "coffee", message: "Tell me to make tea", deleteAfterRun: false });
    await pass(clock, 21 * minute);
    await expect.poll(() => published.size).toBe(2);
    expect(await service.edit(id, "owner", { message: "Make coffee" })).toMatchObject({
      message: "Make coffee",
    });
    const tries = [{ message: " " }, { schedule: { kind: "at", atMs: 5 } as const }];
    for (const params of tries) await expect(service.edit(id, "owner", params)).rejects.toThrow(UserError);
    expect((await service.listAll())[0]).toMatchObject({
      message: "Make coffee",
      schedule: { kind: "every" },
    });
  });

  it("comes back as it was when its removal is undone", async () => {
    const { service, clock } = await start();
    const { id } = await service.add(toJob({ kind: "every", everyMs: hour }));
    await service.runNow(id, "owner");
    const removed = await service.remove(id, "owner");
    expect(await service.listAll()).toEqual([]);
    await service.restore(removed);
    await service.restore(removed);
    expect(await service.listAll()).toEqual([removed]);
    expect(removed.nextRunAtMs).toBe(clock.now() + hour);
  });

  it("comes back at its interval, without drifting, and shows its runs", async () => {
    const { clock, service, published } = await start();
    const { id, createdAtMs } = await service.add(toJob({ kind: "every", everyMs: 10 * minute }));
    await pass(clock, 31 * minute);
    await expect
      .poll(() => [...published.keys()])
      .toEqual([10, 20, 30].map((at) => `cron:${id}:${createdAtMs + at * minute}`));
    await service.finish(`turn of cron:${id}:${createdAtMs + 30 * minute}`, { durationMs: 1200 });
    const [job] = await service.listAll();
    expect(job?.runs.at(-1)).toMatchObject({ status: "ok", durationMs: 1200 });
  });

  it("waits for no run of its own that is not over: that time is skipped", async () => {
    const { clock, service, published, open } = await start();
    const { id, createdAtMs } = await service.add(toJob({ kind: "every", everyMs: 10 * minute }));
    open.add(`turn of cron:${id}:${createdAtMs + 10 * minute}`);
    await pass(clock, 21 * minute);
    await expect
      .poll(async () => (await service.listAll())[0]?.runs)
      .toMatchObject([{ status: "queued" }, { status: "skipped", reason: { code: "jobs.overlap" } }]);
    expect(published.size).toBe(1);
  });

  it.each([
    ["once", 1, undefined],
    ["skip", 0, phrase("jobs.missed")],
  ] as const)("that was missed while nothing ran is run by its policy: %s", async (misfire, runs, reason) => {
    const clock = createFakeClock();
    const first = await start({ clock });
    await first.service.add(toJob({ kind: "every", everyMs: hour }, { misfire }));
    await first.stop();
    await clock.advance(5 * hour + minute);
    const { published, service } = await start({ clock, home: first.home });
    const reasons = async () => (await service.listAll())[0]?.runs.map((run) => run.reason);
    await expect.poll(reasons).toEqual([reason]);
    expect(published.size).toBe(runs);
    await pass(clock, hour);
    await expect.poll(() => published.size).toBe(runs + 1);
  });

  it("is not run twice when the process dies between publishing and writing it down", async () => {
    const clock = createFakeClock();
    const first = await start({ clock });
    await first.service.add(toJob({ kind: "every", everyMs: hour }));
    const before = await readFile(join(first.home, "jobs.json"), "utf8");
    await pass(clock, hour + minute);
    await expect.poll(() => first.published.size).toBe(1);
    await first.stop();
    await writeFile(join(first.home, "jobs.json"), before);
    const second = await start({ clock, home: first.home, published: first.published });
    await expect.poll(async () => (await second.service.listAll())[0]?.runs.length).toBe(1);
    expect(second.published.size).toBe(1);
  });

  it("rests while it is paused, and does not catch up on what it slept through", async () => {
    const { clock, service, published } = await start();
    const { id } = await service.add(toJob({ kind: "every", everyMs: 10 * minute }));
    await service.setEnabled(id, "owner", false);
    await pass(clock, 60 * minute);
    await service.setEnabled(id, "owner", true);
    await settle(clock);
    expect(published.size).toBe(0);
    await pass(clock, 11 * minute);
    await expect.poll(() => published.size).toBe(1);
  });

  it("is made once for an id that was given, however often it is asked for", async () => {
    const { clock, service } = await start();
    const job = toJob({ kind: "at", atMs: clock.now() + minute }, { id: "c0ffee00" });
    const first = await service.add(job);
    await clock.advance(0);
    expect(first.id).toBe("c0ffee00");
    // Also when its time has passed meanwhile: it is there, and that is what was asked for.
    expect(await service.add({ ...job, schedule: { kind: "at", atMs: 5 } })).toEqual(first);
    expect(await service.listAll()).toHaveLength(1);
  });

  it("can be run at once, in addition to its schedule", async () => {
    const { service, published, clock } = await start();
    const { id } = await service.add(toJob({ kind: "at", atMs: clock.now() + hour }));
    expect(await service.runNow(id, "owner")).toMatchObject({ status: "queued" });
    expect(published.size).toBe(1);
    expect((await service.listAll())[0]?.enabled).toBe(true);
  });

  it("survives a clock that is set back by a year", async () => {
    let shift = 0;
    const real = createFakeClock();
    const clock: FakeClock = Object.assign(Object.create(real), { now: () => real.now() + shift });
    const { service, published } = await start({ clock });
    await service.add(toJob({ kind: "every", everyMs: 10 * minute }));
    shift = -365 * 24 * hour;
    await pass(clock, 25 * minute);
    await expect.poll(() => published.size).toBeGreaterThanOrEqual(2);
  });
});

describe("jobs whose next time was found by a clock that was a year ahead", () => {
  it("are run at their times from the next start on, also at times that have been before", async () => {
    let shift = 365 * 24 * hour;
    const real = createFakeClock();
    const clock: FakeClock = Object.assign(Object.create(real), { now: () => real.now() + shift });
    const before = await start({ clock });
    await before.service.add(toJob({ kind: "every", everyMs: 10 * minute }));
    await before.service.add(toJob({ kind: "cron", expr: "*/10 * * * *" }));
    await pass(clock, 25 * minute);
    await expect.poll(() => before.published.size).toBe(4);
    await before.stop();
    const { home, published } = before;
    shift = 0;
    await start({ clock, home, published });
    await pass(clock, 25 * minute);
    await expect.poll(() => published.size).toBeGreaterThanOrEqual(8);
    // And once more through the same minutes.
    shift = -25 * minute;
    await pass(clock, 25 * minute);
    await expect.poll(() => published.size).toBeGreaterThanOrEqual(11);
  });
});

describe("cron expressions", () => {
  /** The times at which it speaks, as the wall clock of the zone shows them. */
  async function listTimes(expr: string, tz: string, from: number, span: number): Promise<string[]> {
    const { clock, service, published } = await start({ clock: createFakeClock(from) });
    await service.add(toJob({ kind: "cron", expr, tz }));
    await pass(clock, span);
    await settle(clock);
    const format = new Intl.DateTimeFormat("sv", { timeZone: tz, dateStyle: "short", timeStyle: "short" });
    return [...published.keys()].map((key) => format.format(Number(key.split(":").at(-1))));
  }

  it("follow the wall clock of their zone", async () => {
    // From Friday to Monday, when it is nine there.
    const mornings = [7, 8, 9, 10].map((day) => Date.UTC(2026, 7, day, 0, 30));
    const times = await Promise.all(
      mornings.map((from) => listTimes("0 9 * * 1-5", "Asia/Shanghai", from, hour)),
    );
    expect(times).toEqual([["2026-08-07 09:00"], [], [], ["2026-08-10 09:00"]]);
  });

  it("speak once on the day on which the clock is set forward", async () => {
    const from = Date.UTC(2026, 2, 28, 12);
    expect(await listTimes("30 2 * * *", "Europe/Berlin", from, 36 * hour)).toHaveLength(1);
  });

  it("speak once on the day on which an hour comes twice", async () => {
    const from = Date.UTC(2026, 9, 24, 12);
    expect(await listTimes("30 2 * * *", "Europe/Berlin", from, 24 * hour)).toEqual(["2026-10-25 02:30"]);
  });

  it.each([
    [{ kind: "cron", expr: "every day" }, "jobs.bad-expression"],
    [{ kind: "cron", expr: "* * * * * *" }, "jobs.bad-expression"],
    [{ kind: "cron", expr: "0 9 * * *", tz: "Shanghai" }, "jobs.bad-zone"],
    [{ kind: "cron", expr: "0 0 30 2 *" }, "jobs.never"],
    [{ kind: "at", atMs: 5 }, "jobs.time-over"],
    [{ kind: "every", everyMs: 0 }, "jobs.too-often"],
  ] as const)("and other schedules that make no sense are refused: %j", async (schedule, reason) => {
    const { service } = await start();
    await expect(service.add(toJob(schedule))).rejects.toThrow(reason);
    expect(await service.listAll()).toEqual([]);
  });
});

describe("jobs.json", () => {
  it("takes what is edited by hand, and keeps what it does not understand", async () => {
    const { home, clock, service, published } = await start();
    await service.add(toJob({ kind: "every", everyMs: hour }));
    const file = JSON.parse(await readFile(join(home, "jobs.json"), "utf8"));
    file.jobs[0].note = "mine";
    file.jobs.push({ id: "odd", schedule: { kind: "sometimes" } });
    file.jobs.push({
      id: "old1",
      schedule: { kind: "every", every_ms: "60000" },
      payload: { message: "喝水", channel: "telegram", to: 42 },
    });
    await writeFile(join(home, "jobs.json"), JSON.stringify(file));
    await pass(clock, 3 * minute);
    await expect
      .poll(() => [...published.values()].map(({ sessionKey }) => sessionKey))
      .toContain("telegram:42");
    const saved = JSON.parse(await readFile(join(home, "jobs.json"), "utf8"));
    expect(saved.jobs).toContainEqual({ id: "odd", schedule: { kind: "sometimes" } });
    expect(saved.jobs[0].note).toBe("mine");
  });

  it("that is damaged is set aside, and the last good copy goes on", async () => {
    const first = await start();
    const { id } = await first.service.add(toJob({ kind: "every", everyMs: hour }));
    await first.stop();
    await writeFile(join(first.home, "jobs.json"), '{"jobs": [');
    const second = await start({ home: first.home, clock: first.clock });
    expect((await second.service.listAll()).map((job) => job.id)).toEqual([id]);
    await second.service.add(toJob({ kind: "every", everyMs: 2 * hour }));
    expect(await readFile(join(first.home, "jobs.json.corrupt-1"), "utf8")).toBe('{"jobs": [');
  });

  it("whose copy is damaged, too, is set aside once and begins again empty", async () => {
    const { home, service } = await start();
    await writeFile(join(home, "jobs.json"), '{"jobs": {"a": 1}}');
    await writeFile(join(home, "jobs.json.last-good"), "\0\0\0");
    expect(await service.listAll()).toEqual([]);
    const { id } = await service.add(toJob({ kind: "every", everyMs: hour }));
    expect((await service.listAll()).map((job) => job.id)).toEqual([id]);
    expect((await readdir(home)).sort()).toEqual(["jobs.json", "jobs.json.corrupt-1", "jobs.json.last-good"]);
  });

  it("that cannot be read for now stays, and what is known goes on", async () => {
    const { home, service } = await start();
    const { id } = await service.add(toJob({ kind: "every", everyMs: hour }));
    const path = join(home, "jobs.json");
    const before = await readFile(path, "utf8");
    await rename(path, `${path}.away`);
    await symlink("jobs.json", path);
    expect((await service.listAll()).map((job) => job.id)).toEqual([id]);
    await expect(service.add(toJob({ kind: "every", everyMs: 2 * hour }))).rejects.toThrow("ELOOP");
    await rename(`${path}.away`, path);
    expect((await service.listAll()).map((job) => job.id)).toEqual([id]);
    expect(await readFile(path, "utf8")).toBe(before);
    expect((await readdir(home)).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  it("takes as much as can be read again, and refuses the rest without losing anything", async () => {
    const { home, service } = await start();
    const message = "x".repeat(1024 * 1024);
    const job = { ...toJob({ kind: "every", everyMs: hour }), message };
    await expect(
      (async () => {
        for (;;) await service.add(job);
      })(),
    ).rejects.toMatchObject({ phrase: { code: "file.would-be-too-large" } });
    const added = (await service.listAll()).length;
    expect(added).toBe(15);
    expect((await (await start({ home })).service.listAll()).length).toBe(added);
  });

  it("keeps rows, finished rows and keys that it does not know", async () => {
    const { home, service } = await start();
    const odd = { note: "mine", jobs: [7, "text", null], finished: [{ id: "x" }, 1] };
    await writeFile(join(home, "jobs.json"), JSON.stringify(odd));
    await service.add(toJob({ kind: "every", everyMs: hour }));
    const saved = JSON.parse(await readFile(join(home, "jobs.json"), "utf8"));
    expect(saved).toMatchObject({ note: "mine", finished: odd.finished });
    expect(saved.jobs.slice(1)).toEqual(odd.jobs);
  });

  it("holds the program's own tasks, which nobody can remove", async () => {
    const runs: number[] = [];
    const clock = createFakeClock();
    const task = { id: "dream", everyMs: 2 * hour, run: async () => void runs.push(clock.now()) };
    const { service } = await start({ clock, systemTasks: [task] });
    await pass(clock, 4 * hour + minute);
    await expect.poll(() => runs.length).toBe(2);
    const nightly = await start({ clock, systemTasks: [{ ...task, cron: "0 3 * * *" }] });
    await pass(clock, minute);
    const [job] = await nightly.service.listAll();
    expect(new Date(job?.nextRunAtMs ?? 0).toISOString()).toBe("2026-08-02T03:00:00.000Z");
    await expect(service.remove("dream", "owner")).rejects.toThrow("jobs.built-in");
    await expect(service.remove("nothing", "owner")).rejects.toThrow("jobs.not-found");
  });

  it("says how the program's own tasks ended, and that one was cut short by the end of the program", async () => {
    const clock = createFakeClock();
    const outcomes = [phrase("jobs.missed"), new Error("it broke"), undefined];
    const never = Promise.withResolvers<undefined>();
    const run: SystemTask["run"] = async (signal) => {
      signal.addEventListener("abort", () => never.resolve(undefined));
      const outcome = outcomes.length === 0 ? await never.promise : outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const systemTasks = [{ id: "dream", everyMs: hour, run }];
    const { service, home, stop } = await start({ clock, systemTasks });
    const readRun = async () => (await service.listAll())[0]?.runs[0];
    const expected = [
      { status: "error", reason: phrase("jobs.missed") },
      { status: "error", reason: phrase("jobs.quoted", { quote: "it broke" }) },
      { status: "ok" },
      { status: "queued" },
    ];
    for (const run of expected) {
      await pass(clock, hour);
      await expect.poll(readRun).toMatchObject(run);
    }
    await stop();
    const next = await start({ clock, home, systemTasks });
    const [job] = await next.service.listAll();
    expect(job?.runs).toMatchObject([{ status: "error", reason: phrase("jobs.interrupted") }]);
  });

  it("keeps the end of a run that was under way while the file was edited", async () => {
    const home = await createTemporaryFolder();
    const path = join(home, "jobs.json");
    let looks = Number.NEGATIVE_INFINITY;
    class EditedFile extends JobFile {
      override async hasChanged(): Promise<boolean> {
        looks += 1;
        // After the look for the run, before it is changed.
        if (looks === 2) await writeFile(path, (await readFile(path, "utf8")).replaceAll("Tea", "Edited"));
        return super.hasChanged();
      }
    }
    const clock = createFakeClock();
    const { service } = await start({ home, clock, file: new EditedFile(path) });
    const { id } = await service.add(toJob({ kind: "every", everyMs: hour }, { name: "Tea" }));
    const { turnId = "" } = await service.runNow(id, "owner");
    await settle(clock);
    looks = 0;
    await service.finish(turnId, { durationMs: 5 });
    expect(await service.listAll()).toMatchObject([
      { name: "Edited", runs: [{ status: "ok", durationMs: 5 }] },
    ]);
  });
});
