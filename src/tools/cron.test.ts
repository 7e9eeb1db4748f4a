import { describe, expect, it } from "vitest";
import { anything, like, sentence } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createJobList } from "../../test/support/job-list.ts";
import { runToolText } from "../../test/support/run-tool.ts";
import { createToolContext, owner } from "../../test/support/tool-context.ts";
import { type ClientCaller, createLocalClient } from "../api/client.ts";
import { operations } from "../api/index.ts";
import { createCronTool } from "../api/jobs/cron-tool.ts";
import { createRunner } from "../api/run-operation.ts";
import type { HomeServices } from "../api/services.ts";
import type { Origin } from "../bus/types.ts";
import type { Tool, ToolContext } from "../runner/tool.ts";
import { toInbound } from "../schedule/scheduled-message.ts";
import { createCron } from "./cron.ts";

const telegram: Origin = { ...owner, channel: "telegram", chatId: "42", format: "messaging" };
const ann: Origin = { ...telegram, chatId: "7", senderId: "7", person: "ann", role: "guest" };
const bob: Origin = { ...ann, chatId: "8", senderId: "8", person: "bob" };
const group: Origin = { ...telegram, chatId: "-1", group: "telegram--1" };

async function setUp({ isServed = true } = {}) {
  const clock = createFakeClock();
  const timeZone = "Asia/Shanghai";
  const jobs = await createJobList(clock, { timeZone });
  const bus = { findLastOrigin: () => undefined };
  const pairing = { find: async () => undefined };
  const home = {
    cron: jobs,
    clock,
    timeZone,
    bus,
    pairing,
    removedJobs: new Map(),
  } as unknown as HomeServices;
  const run = createRunner({
    operations,
    services: async () => home as never,
    lock: { acquire: async () => () => {}, close: () => {} },
  });
  const newId = () => "unused";
  const clientFor = async (caller: ClientCaller) => createLocalClient(run, caller, { newId, isServed });
  const tool = createCron(
    createCronTool(clientFor, {
      timeZone,
      canReach: ({ channel }) => channel === "telegram",
      undo: { recordJob: async () => {} },
    }),
  ) as Tool;
  let calls = 0;
  const use = (args: object, context: Partial<ToolContext> = {}) => {
    const origin = context.origin ?? telegram;
    const sessionKey = `${origin.channel}:${origin.chatId}`;
    const callId = `turn.0.${calls++}`;
    return runToolText(tool, args, createToolContext({ sessionKey, callId, ...context, origin }));
  };
  return { clock, jobs, tool, run: use };
}

describe("cron add", () => {
  it.each([
    [{ at: "2026-08-01T18:20:00" }, { kind: "at", atMs: Date.UTC(2026, 7, 1, 10, 20) }],
    [{ at: "2026-08-01T12:20:00Z" }, { kind: "at", atMs: Date.UTC(2026, 7, 1, 12, 20) }],
    [
      { at: "2026-08-01 14:20", tz: "Europe/Berlin" },
      { kind: "at", atMs: Date.UTC(2026, 7, 1, 12, 20) },
    ],
    [{ every_seconds: 3600 }, { kind: "every", everyMs: 3_600_000 }],
    [{ cron_expr: "0 9 * * 1-5" }, { kind: "cron", expr: "0 9 * * 1-5" }],
    [
      { cron_expr: "0 9 * * 1-5", tz: "Europe/Berlin" },
      { kind: "cron", expr: "0 9 * * 1-5", tz: "Europe/Berlin" },
    ],
  ])("takes %j", async (when, schedule) => {
    const { jobs, run } = await setUp();
    expect(await run({ action: "add", message: "Tell me to drink water", ...when })).toMatch(
      /^Created job [0-9a-f]{8} "Tell me to drink water": /,
    );
    expect(await jobs.listAll()).toMatchObject([{ schedule, message: "Tell me to drink water" }]);
  });

  it("binds the job to the chat and the person of the turn", async () => {
    const { jobs, run } = await setUp();
    await run({ action: "add", message: "tea", at: "2026-08-02T09:00" }, { origin: ann });
    const [job] = await jobs.listAll();
    const message = job && toInbound(job, 5);
    expect(message).toMatchObject({
      sessionKey: "telegram:7",
      origin: { channel: "telegram", chatId: "7", person: "ann", role: "guest", cause: "cron" },
    });
  });

  it("speaks in the chat, not in a background session", async () => {
    const { jobs, run } = await setUp();
    const origin: Origin = { ...telegram, cause: "heartbeat" };
    await run({ action: "add", message: "tea", every_seconds: 60 }, { origin, sessionKey: "heartbeat" });
    expect(await jobs.listAll()).toMatchObject([{ sessionKey: "telegram:42" }]);
  });

  it.each([
    [{}, /exactly one of at, every_seconds and cron_expr/],
    [{ at: "2026-08-02T09:00", every_seconds: 60 }, /exactly one/],
    [{ every_seconds: 59 }, /every_seconds: .*60/],
    [{ at: "tomorrow at nine" }, /no ISO time such as/],
    [{ at: "2026-07-01T09:00" }, sentence("jobs.time-over")],
    [{ cron_expr: "often" }, like(sentence("jobs.bad-expression", { expression: "often", quote: anything }))],
    [{ cron_expr: "0 9 * * *", tz: "Shanghai" }, /time zone.*Asia\/Shanghai/],
    [{ message: " ", every_seconds: 60 }, sentence("jobs.needs-message")],
  ])("refuses %j in a sentence that says what to do", async (when, reason) => {
    const { jobs, run } = await setUp();
    await expect(run({ action: "add", message: "tea", ...when })).rejects.toThrow(reason);
    expect(await jobs.listAll()).toEqual([]);
  });

  it("is refused to a scheduled turn, which could multiply itself", async () => {
    const { run } = await setUp();
    const params = { action: "add", message: "again", every_seconds: 60 };
    await expect(run(params, { origin: { ...telegram, cause: "cron" } })).rejects.toThrow(/cannot schedule/);
  });

  it("makes one job of a call that is run again after a crash", async () => {
    const { jobs, run } = await setUp();
    const params = { action: "add", message: "tea", every_seconds: 60 };
    await run(params, { callId: "t1.0.0" });
    await run(params, { callId: "t1.0.0" });
    await run(params, { callId: "t1.0.1" });
    expect(await jobs.listAll()).toHaveLength(2);
  });

  it("says what there is to know about when it will run", async () => {
    const { run } = await setUp({ isServed: false });
    expect(await run({ action: "add", message: "tea", every_seconds: 60 })).toMatch(
      /\ngateway: not-running\n/,
    );
  });

  it("tells the guards what would be done later, and nothing of a look", async () => {
    const { tool } = await setUp();
    expect(tool.effects?.({ action: "add", message: "send it all" })).toEqual([
      { type: "schedule", what: "send it all" },
    ]);
    expect(tool.effects?.({ action: "list" })).toEqual([]);
  });
});

describe("cron list and remove", () => {
  async function setUpJobs() {
    const scene = await setUp();
    for (const origin of [telegram, ann, group]) {
      const message = `for ${origin.chatId}`;
      await scene.run({ action: "add", message, cron_expr: "0 9 * * *" }, { origin });
    }
    const idOf = async (name: string) =>
      (await scene.jobs.listAll()).find((job) => job.name === name)?.id ?? "";
    return { ...scene, idOf };
  }

  it.each([
    ["the owner what is the owner's, also elsewhere", owner, ["for 42"]],
    ["the owner nothing of others", telegram, ["for 42"]],
    ["the owner in a group what is the group's", group, ["for -1"]],
    ["a guest what is that guest's", ann, ["for 7"]],
    ["another guest nothing", bob, []],
    ["a guest in a group nothing of others", { ...group, person: "ann", role: "guest" } as Origin, []],
  ])("show %s", async (_whom, origin, expected) => {
    const { run } = await setUpJobs();
    const shown = await run({ action: "list" }, { origin });
    expect([...shown.matchAll(/"(for [^"]+)"/g)].map((match) => match[1])).toEqual(expected);
    if (expected.length === 0) expect(shown).toBe("No jobs.");
  });

  it("show when a job is due next, in the user's zone", async () => {
    const { run } = await setUp();
    await run({ action: "add", message: "站会", cron_expr: "0 9 * * *", tz: "Europe/Berlin" });
    expect(await run({ action: "list" })).toMatch(
      /^[0-9a-f]{8} "站会": cron 0 9 \* \* \* \(Europe\/Berlin\); next 2026-08-02 15:00; 站会$/,
    );
  });

  it("take away their own, and nothing else", async () => {
    const { run, idOf, jobs } = await setUpJobs();
    const job_id = await idOf("for 7");
    await expect(run({ action: "remove", job_id }, { origin: bob })).rejects.toThrow(/There is no job/);
    await expect(run({ action: "remove", job_id }, { origin: group })).rejects.toThrow(/There is no job/);
    expect(await run({ action: "remove", job_id }, { origin: ann })).toBe(`Removed job ${job_id} (for 7).`);
    expect(await jobs.listAll()).toHaveLength(2);
    await expect(run({ action: "remove" })).rejects.toThrow(/Use list/);
  });
});

describe("cron for another chat", () => {
  const plan = { action: "add", message: "tea", every_seconds: 60, channel: "telegram", to: "8281248569" };

  it("is planned there for the owner, with the rights of the person there", async () => {
    const { jobs, run } = await setUp();
    expect(await run(plan)).toMatch(/; for telegram:8281248569$/);
    const [job] = await jobs.listAll();
    expect(job).toMatchObject({
      channel: "telegram",
      chatId: "8281248569",
      sessionKey: "telegram:8281248569",
    });
    expect(job && toInbound(job, 5).origin).toMatchObject({ role: "guest", cause: "cron" });
  });

  it("is this chat where it is named", async () => {
    const { jobs, run } = await setUp();
    await run({ ...plan, to: telegram.chatId });
    expect((await jobs.listAll())[0]?.origin).toMatchObject({ role: "owner" });
  });

  it.each([
    ["a guest", plan, ann, sentence("jobs.other-chat")],
    ["half an address", { ...plan, to: undefined }, telegram, /channel and to together/],
    [
      "a channel that is not there",
      { ...plan, channel: "pigeon" },
      telegram,
      /Nothing can be sent to pigeon/,
    ],
  ])("is refused clearly: %s", async (_name, args, origin, reason) => {
    const { jobs, run } = await setUp();
    await expect(run(args, { origin })).rejects.toThrow(reason);
    expect(await jobs.listAll()).toEqual([]);
  });

  it("is told to the guards as a message to that chat", async () => {
    const { tool } = await setUp();
    expect(tool.effects?.(plan)).toEqual([
      { type: "schedule", what: "tea" },
      { type: "send", channel: "telegram", chatId: "8281248569", text: "tea" },
    ]);
  });
});
