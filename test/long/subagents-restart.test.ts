// Subagents on a bus that outlives the process: a crash in the middle, and an orderly end.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { NewInbound } from "../../src/bus/types.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { CodeStep } from "../../src/llm/scripted.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { DurableBus } from "../../src/storage/queues/durable-bus.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";
import { liveUntil } from "../support/live-until.ts";
import { terminalOrigin } from "../support/origins.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "../support/test-app.ts";
import { isSubagent, playTwo } from "../support/two-minds.ts";

afterEach(closeTestApps);

const message: NewInbound = {
  sourceKey: "chat:1",
  sessionKey: "chat:room",
  origin: { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" },
  text: "go",
};

const hand = { toolCalls: [{ name: "spawn", arguments: { task: "count", label: "counting" } }] };

async function openBus(home: string): Promise<{ bus: DurableBus; state: StateDatabase }> {
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const ids = createIds(systemClock);
  return { state, bus: await DurableBus.open({ state, clock: systemClock, ids }) };
}

/** How far each inbound message is: the person's, the task, the result. */
async function readInbox(home: string): Promise<string[]> {
  const { state } = await openBus(home);
  const rows = state.all<{ state: string }>("SELECT state FROM inbox ORDER BY seq");
  state.close();
  return rows.map((row) => row.state);
}

describe("a subagent whose process is killed", () => {
  it("goes on where it was, and its result arrives once", async () => {
    const home = await createTemporaryFolder();
    const { bus, state } = await openBus(home);
    await bus.publishInbound(message);
    state.close();
    // The first to ask gets the second step: parent and subagent both hang in a call.
    const stuck = { toolCalls: [{ name: "act", arguments: { what: "hang" } }] };
    await liveUntil(home, { script: [hand, stuck, stuck], hangs: "hang", until: "act hang\nact hang" });
    expect(await readInbox(home)).toEqual(["waiting", "waiting"]);
    await liveUntil(home, { script: { steps: ["done"], loop: true }, until: "inbox done,done,done" });

    expect(await readFile(join(home, "acts.txt"), "utf8")).toBe("hang\nhang\n");
    const place = { root: join(home, "sessions"), workspace: join(home, "workspace") };
    const sessions = await SessionManager.open({ ...place, clock: systemClock, log: silentLog });
    const keys = (await sessions.list("owner")).map(({ key }) => key).sort();
    expect(keys).toEqual(["chat:room", expect.stringMatching(/^subagent:.+\.1\.0$/)]);
    const said = (await sessions.open("chat:room", "owner")).recent.map(({ content }) => String(content));
    expect(said.filter((text) => text.startsWith('[Subagent "counting" has finished]'))).toHaveLength(1);
    const work = (await sessions.open(keys[1] ?? "", "owner")).recent;
    expect(work.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });
});

describe("a subagent when the program ends", () => {
  async function start(app: TestApp) {
    const abort = new AbortController();
    const running = app.loop.run(abort.signal, { drainMs: 60_000 });
    return async () => {
      abort.abort(new Error("over"));
      await running;
    };
  }

  it("is ended, and its conversation is told so once, when the program is there again", async () => {
    const home = await createTemporaryFolder();
    const { bus, state } = await openBus(home);
    const reached = Promise.withResolvers<void>();
    const hangs: CodeStep = async () => {
      reached.resolve();
      return new Promise(() => {});
    };
    const script = playTwo({ main: [hand, "started"], sub: [hangs] });
    const app = await createTestApp(script, { bus: bus });
    const stop = await start(app);
    await bus.publishInbound(message);
    expect((await bus.takeOutbound("chat", new AbortController().signal)).text).toBe("started");
    await reached.promise;
    await stop();
    await app.close();
    state.close();

    for (const [index, count] of [1, 0].entries()) {
      const opened = await openBus(home);
      const next = await app.restart(["It was interrupted."], { bus: opened.bus });
      const stopNext = await start(next);
      await expect.poll(() => next.provider.requests.length).toBe(count);
      if (index === 0) await expect.poll(() => opened.bus.outbox.list().length).toBe(2);
      await stopNext();
      expect(next.provider.requests.filter(isSubagent)).toEqual([]);
      const told = next.provider.requests.flatMap(({ messages }) => messages.map(({ content }) => content));
      const results = told.filter((text) => String(text).startsWith("[Subagent"));
      expect(results).toHaveLength(count);
      if (count > 0)
        expect(results[0]).toMatch(/has failed\].*Failure: it was interrupted, because the program ended/s);
      await next.close();
      opened.state.close();
    }
  });
});
