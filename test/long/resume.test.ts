// Turns that kill their process, one real process after the other. In one process: test/protocol-real.test.ts.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NewInbound } from "../../src/bus/types.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { DurableBus } from "../../src/storage/queues/durable-bus.ts";
import { liveUntil } from "../support/live-until.ts";
import { sampled } from "../support/long-form.ts";
import { terminalOrigin } from "../support/origins.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

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
