import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { NewInbound } from "../src/bus/types.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { liveUntil } from "./support/live-until.ts";
import { sampled } from "./support/long-form.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const never = new AbortController().signal;

const message: NewInbound = {
  sourceKey: "chat:1",
  sessionKey: "chat:room",
  origin: { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" },
  text: "do both",
};

async function withState<T>(
  home: string,
  look: (bus: DurableBus, state: StateDatabase) => Promise<T>,
): Promise<T> {
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const ids = createIds(systemClock);
  const bus = await DurableBus.open({ state, clock: systemClock, ids });
  try {
    return await look(bus, state);
  } finally {
    state.close();
  }
}

async function readActs(home: string): Promise<string[]> {
  const text = await readFile(join(home, "acts.txt"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

async function readSession(home: string): Promise<string> {
  const names = await readdir(join(home, "sessions"), { recursive: true });
  const name = names.find((candidate) => candidate.endsWith(".jsonl"));
  return readFile(join(home, "sessions", name ?? ""), "utf8");
}

function readOutbox(home: string): Promise<Array<[id: string, text: string]>> {
  return withState(home, async (bus) => bus.outbox.list().map(({ part: { id, text } }) => [id, text]));
}

describe("a turn that a crash interrupted", () => {
  const toolCalls = ["first", "second"].map((what) => ({ name: "act", arguments: { what } }));

  const once = { repeat: "never", acts: ["first", "second"] } as const;
  const again = { repeat: "safe", acts: ["first", "second", "second"] } as const;

  // Both kinds without a process: test/protocol-real.test.ts.
  it.each(sampled([once], [once, again]))(
    "goes on after its last result: $repeat repeated, $acts",
    async ({ repeat, acts }) => {
      const home = await createTemporaryFolder();
      const { id } = await withState(home, (bus) => bus.publishInbound(message));
      await liveUntil(home, { script: [{ toolCalls }], repeat, hangs: "second", until: "act second" });
      await liveUntil(home, { script: ["all done"], repeat, until: "outbox 1" });
      expect(await readOutbox(home)).toEqual([[`${id}:final#0`, "all done"]]);
      expect(await readActs(home)).toEqual(acts);
      const session = await readSession(home);
      expect(session.match(/"role":"user"/g)).toHaveLength(1);
      expect(session.match(/may have taken effect/g) ?? []).toHaveLength(repeat === "never" ? 1 : 0);
    },
  );

  it("is set aside when it kills every process that tries, with one apology that names all that it had taken along", async () => {
    const home = await createTemporaryFolder();
    await withState(home, async (bus) => {
      await bus.publishInbound({ ...message, isBurst: true });
      for (const text of ["pay the rent today", "今天交房租"])
        await bus.publishInbound({ ...message, text, sourceKey: text, isBurst: true });
    });
    for (let death = 0; death < 3; death++)
      await liveUntil(home, { script: [{ toolCalls }], repeat: "safe", hangs: "first", until: "act first" });
    expect(await readActs(home)).toEqual(["first", "first", "first"]);
    await withState(home, (bus) =>
      bus.publishInbound({ ...message, text: "and another thing", sourceKey: "later" }),
    );
    await liveUntil(home, { script: ["something else"], until: "outbox 2" });
    const [apology, answer] = await readOutbox(home);
    expect(apology?.[1]).toMatch(
      /^Sorry: .* these messages .*\n> do both\n> pay the rent today\n> 今天交房租$/,
    );
    expect(answer?.[1]).toBe("something else");
    const sql = "SELECT state FROM inbox ORDER BY seq";
    const rows = await withState(home, async (_bus, state) => state.all<{ state: string }>(sql));
    expect(rows.map(({ state }) => state)).toEqual(["failed", "failed", "failed", "done"]);
  });

  it("is delivered also after its third death, once its answer is stored", async () => {
    const home = await createTemporaryFolder();
    const { id } = await withState(home, (bus) => bus.publishInbound(message));
    await liveUntil(home, { script: ["the answer"], until: "outbox 1" });
    await withState(home, (_bus, state) =>
      state.write(() => {
        state.run("UPDATE inbox SET state = 'waiting', attempts = 4");
        state.run("DELETE FROM outbox");
      }),
    );
    await liveUntil(home, { script: ["another answer"], until: "outbox 1" });
    expect(await readOutbox(home)).toEqual([[`${id}:final#0`, "the answer"]]);
  });
});

describe("a turn that does not end when the program has to", () => {
  it.each([
    { where: "in a silent model", first: { text: "x", hold: true }, stored: ["user"] },
    {
      where: "in the middle of an answer",
      first: { deltas: ["Half an"], hold: true },
      stored: ["user"],
    },
  ])("$where is left as it is, and goes on with the next start", async ({ first, stored }) => {
    const home = await createTemporaryFolder();
    const open = async () => {
      const state = await StateDatabase.open({ path: join(home, "state.db") });
      const ids = createIds(systemClock);
      return { state, bus: await DurableBus.open({ state, clock: systemClock, ids }) };
    };
    const { state, bus } = await open();
    const app = await createTestApp([first], { bus: bus });
    const ending = new AbortController();
    const running = app.loop.run(ending.signal, { drainMs: 20 });
    await bus.publishInbound(message);
    await expect.poll(() => app.provider.requests.length).toBe(1);
    ending.abort(new Error("SIGTERM"));
    await running;
    await app.close();
    const roles = (await app.sessions.open(message.sessionKey, "owner")).recent.map(({ role }) => role);
    expect(roles).toEqual(stored);
    expect(bus.outbox.list()).toEqual([]);
    state.close();

    const again = await open();
    const next = await app.restart(["Here it is."], { bus: again.bus });
    const isOver = new AbortController();
    const serving = next.loop.run(isOver.signal);
    expect((await again.bus.takeOutbound("chat", never)).text).toBe("Here it is.");
    isOver.abort();
    await serving;
    expect(next.provider.requests).toHaveLength(1);
    await next.close();
    again.state.close();
  });
});

describe("a burst of messages", () => {
  it("becomes one turn that reads them together", async () => {
    const home = await createTemporaryFolder();
    const state = await StateDatabase.open({ path: join(home, "state.db") });
    const ids = createIds(systemClock);
    const bus = await DurableBus.open({ state, clock: systemClock, ids });
    const app = await createTestApp(["one answer"], { bus: bus });
    const ending = new AbortController();
    const running = app.loop.run(ending.signal);
    await Promise.all(
      ["hello", "are you there", "我想问一件事"].map((text, index) =>
        bus.publishInbound({ ...message, text, sourceKey: `chat:${index}`, isBurst: true }),
      ),
    );
    expect((await bus.takeOutbound("chat", never)).text).toBe("one answer");
    expect(app.provider.requests).toHaveLength(1);
    const said = app.provider.requests[0]?.messages.filter(({ role }) => role === "user");
    expect(JSON.stringify(said)).toMatch(/hello.*are you there.*我想问一件事/s);
    expect(bus.outbox.list()).toHaveLength(1);
    ending.abort();
    await running;
    state.close();
  });
});
