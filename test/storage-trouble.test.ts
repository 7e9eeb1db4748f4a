// A conversation that cannot be written for a while: its message waits and is answered, what was done is not done again.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { NewInbound } from "../src/bus/types.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { isStorageTrouble } from "../src/storage/files/storage-trouble.ts";
import { StoredFileError } from "../src/storage/files/stored-file-error.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { words } from "./support/english.ts";
import { failSessions } from "./support/failing-sessions.ts";
import { failWrites } from "./support/failing-state.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const never = new AbortController().signal;
/** Pauses are asked for as they are, and pass quickly. */
const clock: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(1, signal) };

const message: NewInbound = {
  sourceKey: "chat:1",
  sessionKey: "chat:room",
  origin: { ...terminalOrigin, channel: "chat", chatId: "room", format: "messaging" },
  text: "do it",
  isBurst: true,
};

async function open(texts = ["do it", "and that"]) {
  const home = await createTemporaryFolder();
  const database = await StateDatabase.open({ path: join(home, "state.db") });
  const disk = failWrites(database);
  const bus = await DurableBus.open({ state: disk.state, clock, ids: createIds(clock) });
  for (const text of texts) await bus.publishInbound({ ...message, text, sourceKey: text });
  const acts: string[] = [];
  const act = defineTool({
    name: "act",
    description: "acts",
    parameters: z.object({}),
    repeat: "never",
    async execute() {
      acts.push("done");
      return { content: "it is done" };
    },
  });
  const script = [{ toolCalls: [{ name: "act", arguments: {} }] }, "all done", "no more of it"];
  const app = await createTestApp(script, { bus: bus, clock, tools: [act as Tool] });
  const ending = new AbortController();
  return {
    bus,
    app,
    acts,
    disk,
    run: () => app.loop.run(ending.signal),
    rows: () => database.all<{ state: string; attempts: number }>("SELECT * FROM inbox ORDER BY seq"),
    async close(running: Promise<void>) {
      ending.abort(new Error("over"));
      await running;
      await app.close();
      database.close();
    },
  };
}

describe("a message whose conversation cannot be written", () => {
  let sessions: ReturnType<typeof failSessions> | undefined;
  beforeEach(() => void vi.stubEnv("NANOBOT_CHANNELS__COLLECT_MS", "0"));
  afterEach(() => sessions?.stop());

  /** Undefined when there are not so many writes. */
  async function fail(at: number, code: string) {
    const scene = await open();
    sessions = failSessions({ at, times: 3, code });
    const running = scene.run();
    const parts = [];
    for (let isOver = false; !isOver; ) {
      const part = await scene.bus.takeOutbound("chat", never);
      parts.push(part.text);
      await scene.bus.markSent(part.id, {});
      isOver = part.id.includes(":final");
    }
    await expect.poll(() => scene.rows().map(({ state }) => state)).toEqual(["done", "done"]);
    const isReached = sessions.writes > at;
    sessions.stop();
    const stored = (await scene.app.sessions.open(message.sessionKey, "owner")).recent.map(({ id }) => id);
    const { attempts } = scene.rows()[0] ?? {};
    await scene.close(running);
    if (!isReached) return undefined;
    return { parts, acts: scene.acts, attempts, isOnce: new Set(stored).size === stored.length };
  }

  it("waits at whichever write it is, is told of once without a path, and is answered with everything done once", async () => {
    let reached = 0;
    for (let at = 0; ; at++) {
      const seen = await fail(at, ["ENOSPC", "EACCES", "EROFS", "EIO"][at % 4] ?? "");
      if (seen === undefined) break;
      reached = at;
      expect(seen, `write ${at}`).toMatchObject({ acts: ["done"], attempts: 1, isOnce: true });
      expect(seen.parts.filter((text) => text === "all done")).toEqual(["all done"]);
      const notices = seen.parts.filter((text) => text.includes(words.failure.storeWaits));
      expect(notices.length, `write ${at}`).toBe(1);
      expect(seen.parts.join()).not.toMatch(/sessions|jsonl/i);
    }
    expect(reached).toBeGreaterThan(4);
  });

  it("waits as well when its turn cannot be counted, and is not told of where nothing can be stored", async () => {
    const scene = await open();
    scene.disk.failures = 4;
    const running = scene.run();
    expect((await scene.bus.takeOutbound("chat", never)).text).toBe("all done");
    expect(scene.acts).toEqual(["done"]);
    await scene.close(running);
  });

  it("is given up by /stop, which is answered", async () => {
    const scene = await open(["do it"]);
    sessions = failSessions({ at: 0, times: Number.POSITIVE_INFINITY, code: "ENOSPC" });
    const running = scene.run();
    expect((await scene.bus.takeOutbound("chat", never)).text).toContain(words.failure.storeWaits);
    await scene.bus.publishInbound({ ...message, text: "/stop", sourceKey: "stop" });
    await expect.poll(() => scene.rows().map(({ state }) => state)).toEqual(["done", "done"]);
    sessions.stop();
    await scene.close(running);
    expect(scene.acts).toEqual([]);
  });

  it("is left for the next start when the program ends, without an answer that is not true", async () => {
    const scene = await open(["do it"]);
    sessions = failSessions({ at: 0, times: Number.POSITIVE_INFINITY, code: "EROFS" });
    const ending = new AbortController();
    const running = scene.app.loop.run(ending.signal, { drainMs: 1 });
    expect((await scene.bus.takeOutbound("chat", never)).text).toContain(words.failure.storeWaits);
    ending.abort(new Error("over"));
    await running;
    expect(scene.rows()).toMatchObject([{ state: "waiting" }]);
    sessions.stop();
    await scene.close(running);
  });
});

describe("trouble of a store", () => {
  it.each([
    [Object.assign(new Error("full"), { code: "ENOSPC" }), true],
    [Object.assign(new Error("mine?"), { code: "EACCES" }), false],
    [new StoredFileError({ content: "session", action: "write", path: "/a", code: "EACCES" }), true],
    [Object.assign(new Error("busy"), { errcode: 5 }), true],
    [Object.assign(new Error("damaged"), { errcode: 11 }), false],
    [new Error("wrapped", { cause: Object.assign(new Error("io"), { code: "EIO" }) }), true],
    [new RangeError("a line is too long"), false],
    ["no error at all", false],
  ])("%s: %s", (error, isTrouble) => {
    expect(isStorageTrouble(error)).toBe(isTrouble);
  });
});
