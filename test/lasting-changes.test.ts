// A change of what later conversations begin with is shown to the person, with its difference and the way back.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { toParts } from "../src/agent/delivery.ts";
import { words } from "./support/english.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

async function readJobs({ workspace }: TestApp): Promise<Array<Record<string, unknown>>> {
  return JSON.parse(await readFile(join(workspace, "cron", "jobs.json"), "utf8")).jobs;
}

const call = (path: string, content: string) => ({
  toolCalls: [{ name: "write_file", arguments: { path, content } }],
});

it("of memory and prompt files, not of others; the page shows it itself", async () => {
  const app = await createTestApp([
    call("memory/MEMORY.md", "Likes green tea.\n"),
    call("notes.md", "Milk.\n"),
    "done",
    "nothing changed",
  ]);
  const outcome = await app.loop.processDirect({ sessionKey: "cli:direct", text: "remember green tea" });
  expect(outcome.lasting).toEqual([
    { path: "memory/MEMORY.md", diff: expect.stringContaining("+Likes green tea.") },
  ]);
  const said = (channel: string) => {
    const origin = { ...terminalOrigin, channel };
    const inbound = { id: "1", sessionKey: "x", text: "", origin };
    return toParts(inbound as Parameters<typeof toParts>[0], outcome, { words }).map(({ kind, text }) => ({
      kind,
      text,
    }));
  };
  expect(said("web")).toEqual([{ kind: "answer", text: "done" }]);
  const [, card] = said("telegram");
  expect(card?.kind).toBe("notice");
  expect(card?.text).toContain(words.reply.changed("memory/MEMORY.md"));
  expect(card?.text).toContain("+Likes green tea.");
  expect(card?.text).toContain(words.reply.undoChanged);
  const next = await app.loop.processDirect({ sessionKey: "cli:direct", text: "hello" });
  expect(next.lasting ?? []).toEqual([]);
});

it("of the schedule: what was planned and removed, each taken back by /undo", async () => {
  const cron = (args: Record<string, unknown>) => ({ toolCalls: [{ name: "cron", arguments: args }] });
  const plan = { action: "add", name: "tea", message: "Make tea", cron_expr: "0 9 * * *", tz: "Asia/Tokyo" };
  const app = await createTestApp([cron(plan), "planned", "nothing changed"]);
  const say = (text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
  const planned = await say("tea every morning");
  const schedule = { kind: "cron", expr: "0 9 * * *", tz: "Asia/Tokyo" };
  const job = { name: "tea", message: "Make tea", schedule };
  expect(planned.lasting).toEqual([{ job: { ...job, isRemoved: false } }]);
  const inbound = { id: "1", sessionKey: "x", text: "", origin: { ...terminalOrigin, channel: "telegram" } };
  const [, card] = toParts(inbound as Parameters<typeof toParts>[0], planned, { words });
  expect(card?.text).toContain(words.reply.planned);
  expect(card?.text).toMatch(/^\+ .*0 9 \* \* \*.*Asia\/Tokyo.*tea; Make tea$/m);
  expect(await readJobs(app)).toMatchObject([{ name: "tea" }]);
  expect((await say("/undo")).text).toBe(words.undo.jobs("tea"));
  expect(await readJobs(app)).toEqual([]);
  expect((await say("/undo")).text).toBe(words.undo.nothing);
});

it("of a job that was removed, as it was", async () => {
  let id = "";
  const app = await createTestApp([
    { toolCalls: [{ name: "cron", arguments: { action: "add", message: "Make tea", every_seconds: 3600 } }] },
    "planned",
    () => ({ toolCalls: [{ name: "cron", arguments: { action: "remove", job_id: id } }] }),
    "removed",
  ]);
  const say = (text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
  await say("tea every hour");
  const [job] = await readJobs(app);
  id = String(job?.id);
  const removed = await say("no tea");
  expect(String(app.provider.requests.at(-1)?.messages.at(-1)?.content)).toMatch(/^Removed job/);
  expect(removed.lasting).toMatchObject([{ job: { message: "Make tea", isRemoved: true } }]);
  expect(await readJobs(app)).toEqual([]);
  await say("/undo");
  expect(await readJobs(app)).toEqual([job]);
});
