import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { cases } from "../../../test/support/long-form.ts";
import { terminalOrigin } from "../../../test/support/origins.ts";
import { RecordingDurability } from "../../../test/support/recording-durability.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { NewInbound, OutboundPart } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createIds } from "../../lib/ids.ts";
import { StateDatabase } from "../database/state-database.ts";
import { serveHome } from "../served-homes.ts";
import { DurableBus } from "./durable-bus.ts";

const clock = createFakeClock();
const never = new AbortController().signal;

interface Opened extends AsyncDisposable {
  bus: DurableBus;
  state: StateDatabase;
}

async function open(home: string): Promise<Opened> {
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const bus = await DurableBus.open({ state, clock, ids: createIds(clock) });
  return { bus, state, [Symbol.asyncDispose]: async () => state.close() };
}

function toInbound(key: string, text = key): NewInbound {
  return { sourceKey: key, sessionKey: "chat:1", origin: terminalOrigin, text };
}

function toPart(id: string, part: Partial<OutboundPart> = {}): OutboundPart {
  return {
    id,
    channel: "chat",
    chatId: "1",
    sessionKey: "chat:1",
    turnId: "t",
    text: id,
    media: [],
    kind: "answer",
    wasStreamed: false,
    ...part,
  };
}

async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol();
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(waiting)])) === waiting;
}

describe("the durable inbox", () => {
  it("hands out what was published before the process died, oldest first, with everything that belongs to it", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    const message = { ...toInbound("a"), media: ["/m/1.png"], labels: ["mail"], kind: "system" as const };
    const { id } = await first.bus.publishInbound(message);
    await first.bus.publishInbound(toInbound("b", "第二条"));
    await using second = await open(home);
    expect(await second.bus.takeInbound(never)).toEqual({
      ...message,
      id,
      receivedAt: clock.now(),
      attempts: 0,
    });
    expect((await second.bus.takeInbound(never)).text).toBe("第二条");
  });

  it("whose engine cannot commit hands out a notice that something waits, and no end of a turn", async () => {
    const home = await createTemporaryFolder();
    const engine = new RecordingDurability(home, join(await createTemporaryFolder(), "copy"));
    onTestFinished(serveHome(home, engine));
    await using opened = await open(home);
    const { bus } = opened;
    engine.fault = "unavailable";
    const parts = [
      toPart("t:waiting#0", { kind: "notice" }),
      toPart("t:final#0", { kind: "notice", chatId: "2" }),
    ];
    await expect(bus.publishOutbound(parts)).rejects.toMatchObject({ fault: "unavailable" });
    expect((await bus.takeOutbound("chat", never)).id).toBe("t:waiting#0");
    await bus.markSent("t:waiting#0", {});
    await expect(bus.takeOutbound("chat", never)).rejects.toMatchObject({ fault: "unavailable" });
    engine.fault = undefined;
    expect(await bus.takeOutbound("chat", never)).toMatchObject({ id: "t:final#0", attempts: 0 });
  });

  it("needs no counter of its database, which goes back where that is restored from changesets", async () => {
    const home = await createTemporaryFolder();
    const keys = (rows: Array<{ key: string }>) => rows.map(({ key }) => key);
    await using first = await open(home);
    for (const key of ["a", "b", "c", "d"]) await first.bus.publishInbound(toInbound(key));
    const [a, b, c, d] = first.state.all<{ id: string }>("SELECT id FROM inbox ORDER BY seq");
    await first.bus.finish([c?.id ?? "", d?.id ?? ""], [toPart("p"), toPart("q")]);
    const database = new DatabaseSync(join(home, "state.db"));
    // With the newest rows pruned, their numbers are given out a second time.
    database.exec("DELETE FROM inbox WHERE state = 'done' AND source_key = 'd'; DELETE FROM sqlite_sequence");
    database.close();
    await using second = await open(home);
    const { bus, state } = second;
    for (const key of ["c", "e", "f"]) await bus.publishInbound(toInbound(key));
    await bus.publishOutbound([toPart("r")]);
    const inbox = state.all<{ key: string }>("SELECT source_key AS key FROM inbox ORDER BY seq");
    expect(keys(inbox)).toEqual(["a", "b", "c", "e", "f"]);
    const taken = [];
    for (let i = 0; i < 4; i++) taken.push(await bus.takeInbound(never));
    expect(taken.map(({ text }) => text)).toEqual(["a", "b", "e", "f"]);
    expect(taken.slice(0, 2).map(({ id }) => id)).toEqual([a?.id, b?.id]);
    expect(bus.isOpen(d?.id ?? "")).toBe(false);
    for (const id of ["p", "q", "r"]) {
      expect((await bus.takeOutbound("chat", never)).id).toBe(id);
      await bus.markSent(id, {});
    }
  });

  it("drops a second message of the same source, also after a restart and after it was answered", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    const { id } = await first.bus.publishInbound(toInbound("a"));
    expect(await first.bus.publishInbound(toInbound("a", "again"))).toEqual({ id, isDuplicate: true });
    await first.bus.finish([id], [toPart("p")]);
    await using second = await open(home);
    expect(await second.bus.publishInbound(toInbound("a"))).toEqual({ id, isDuplicate: true });
    expect(await isWaiting(second.bus.takeInbound(AbortSignal.timeout(60_000)))).toBe(true);
  });

  it("says how many turns of a message died", async () => {
    const home = await createTemporaryFolder();
    for (let death = 0; death < 4; death++) {
      await using opened = await open(home);
      if (death === 0) await opened.bus.publishInbound(toInbound("deadly"));
      const message = await opened.bus.takeInbound(never);
      expect(message.attempts ?? 0).toBe(death);
      expect(await opened.bus.claim(message.id)).toBe(true);
    }
  });

  it("sets aside what is open of some messages in one step with what is said about them, and lets none of them begin", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    const ids: string[] = [];
    for (const key of ["a", "b", "c"]) ids.push((await first.bus.publishInbound(toInbound(key))).id);
    await first.bus.finish(ids.slice(1, 2), []);
    await first.bus.setAside(ids, (open) => [toPart("sorry", { text: open.map(({ text }) => text).join() })]);
    await first.bus.setAside(ids, () => [toPart("once more")]);
    expect(await Promise.all(ids.map((id) => first.bus.claim(id)))).toEqual([false, false, false]);
    await using last = await open(home);
    expect(last.bus.outbox.list().map(({ part }) => part.text)).toEqual(["a,c"]);
    expect(await isWaiting(last.bus.takeInbound(AbortSignal.timeout(60_000)))).toBe(true);
    const rows = last.state.all<{ state: string }>("SELECT state FROM inbox ORDER BY seq");
    expect(rows.map(({ state }) => state)).toEqual(["failed", "done", "failed"]);
  });

  it.each([-365, -1, 1, 365])(
    "knows the platform's second copy of a message when the clock was set by %i days meanwhile",
    async (days) => {
      const home = await createTemporaryFolder();
      await using first = await open(home);
      const { id } = await first.bus.publishInbound(toInbound("a"));
      await first.bus.finish([id], []);
      const set = { ...clock, now: () => clock.now() + days * 86_400_000 };
      const bus = await DurableBus.open({ state: first.state, clock: set, ids: createIds(set) });
      expect(await bus.publishInbound(toInbound("a"))).toEqual({ id, isDuplicate: true });
      const later = await open(home);
      expect(await later.bus.publishInbound(toInbound("a"))).toEqual({ id, isDuplicate: true });
      later.state.close();
    },
  );

  it("does not count a message that only waited", async () => {
    const home = await createTemporaryFolder();
    for (let start = 0; start < 5; start++) {
      await using opened = await open(home);
      if (start === 0) await opened.bus.publishInbound(toInbound("patient"));
      expect((await opened.bus.takeInbound(never)).attempts ?? 0).toBe(0);
    }
  });
});

describe("the durable outbox", () => {
  it("holds an answer and the end of its message in one step", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    const { id } = await first.bus.publishInbound(toInbound("a"));
    await first.bus.finish([id], [toPart("p1"), toPart("p2")]);
    await first.bus.finish([id], [toPart("p1"), toPart("p2")]);
    await using second = await open(home);
    const part = await second.bus.takeOutbound("chat", never);
    expect(part.id).toBe("p1");
    await second.bus.markSent("p1", { platformId: "77" });
    expect((await second.bus.takeOutbound("chat", never)).id).toBe("p2");
    expect(second.bus.outbox.list().map(({ part: { id }, state }) => [id, state])).toEqual([
      ["p2", "sending"],
    ]);
  });

  it("hands out a part again whose sending the process did not survive", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    await first.bus.publishOutbound([toPart("p")]);
    await first.bus.takeOutbound("chat", never);
    await using second = await open(home);
    expect(await second.bus.takeOutbound("chat", never)).toMatchObject({ id: "p", attempts: 1 });
  });

  it("keeps the order within a chat while a part waits to be sent again, and lets other chats pass", async () => {
    await using opened = await open(await createTemporaryFolder());
    const { bus } = opened;
    await bus.publishOutbound([toPart("a1"), toPart("a2"), toPart("b1", { chatId: "2" })]);
    expect((await bus.takeOutbound("chat", never)).id).toBe("a1");
    await bus.markUnsent("a1", {
      reason: phrase("channels.quoted", { quote: "too many requests" }),
      retryInMs: 5_000,
    });
    expect((await bus.takeOutbound("chat", never)).id).toBe("b1");
    const next = bus.takeOutbound("chat", never);
    expect(await isWaiting(next)).toBe(true);
    await clock.advance(5_000);
    expect(await next).toMatchObject({ id: "a1", attempts: 1 });
  });

  it("gives up a part for a person to look at, who sends it again or drops it", async () => {
    await using opened = await open(await createTemporaryFolder());
    const { bus } = opened;
    await bus.publishOutbound([toPart("p"), toPart("q")]);
    for (const id of ["p", "q"]) {
      await bus.takeOutbound("chat", never);
      await bus.markUnsent(id, { reason: phrase("channels.quoted", { quote: "chat not found" }) });
    }
    expect(bus.outbox.list()).toMatchObject([
      { state: "dead", reason: phrase("channels.quoted", { quote: "chat not found" }), attempts: 1 },
      { state: "dead" },
    ]);
    expect(await bus.outbox.retry("p")).toBe(true);
    expect((await bus.takeOutbound("chat", never)).id).toBe("p");
    expect(await bus.outbox.drop("p")).toBe(false);
    expect(await bus.outbox.drop("q")).toBe(true);
    expect(await bus.outbox.retry("nothing")).toBe(false);
    expect(bus.outbox.list()).toHaveLength(1);
  });

  it("settles the message that an answer was being written into, also after a restart, and only with its first part", async () => {
    const home = await createTemporaryFolder();
    await using first = await open(home);
    const { id: turnId } = await first.bus.publishInbound(toInbound("a"));
    await first.bus.keepDraft(turnId, "55");
    const streamed = { turnId, wasStreamed: true };
    await first.bus.finish([turnId], [toPart("p1", streamed), toPart("p2", streamed)]);
    await using second = await open(home);
    expect(await second.bus.takeOutbound("chat", never)).toMatchObject({ id: "p1" });
    expect(second.bus.findDraft(turnId)).toBe("55");
    await second.bus.markSent("p1", { platformId: "55" });
    expect(second.bus.findDraft(turnId)).toBeUndefined();
  });

  it("leaves the draft of another chat whose platform has given it the same id", async () => {
    await using opened = await open(await createTemporaryFolder());
    const { bus } = opened;
    await bus.keepDraft("turn a", "512");
    await bus.keepDraft("turn b", "512");
    await bus.publishOutbound([toPart("b", { chatId: "2", turnId: "turn b" })]);
    await bus.takeOutbound("chat", never);
    await bus.markSent("b", { platformId: "512" });
    expect([bus.findDraft("turn a"), bus.findDraft("turn b")]).toEqual(["512", undefined]);
  });

  it("wakes a sender that waits, and lets it go when its signal aborts", async () => {
    await using opened = await open(await createTemporaryFolder());
    const { bus } = opened;
    const part = bus.takeOutbound("chat", never);
    expect(await isWaiting(part)).toBe(true);
    await bus.publishOutbound([toPart("p", { channel: "other" }), toPart("q")]);
    expect((await part).id).toBe("q");
    const stop = new AbortController();
    const stopped = bus.takeOutbound("chat", stop.signal);
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
  });
});

describe("any order of steps and deaths", () => {
  it("loses no message and hands out none that is done", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("publish" as const), key: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ do: fc.constant("finish" as const) }),
      fc.record({ do: fc.constant("die" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const home = await createTemporaryFolder();
        const published = new Set<string>();
        const done = new Set<string>();
        let opened = await open(home);
        for (const action of steps) {
          if (action.do === "publish") {
            await opened.bus.publishInbound(toInbound(`k${action.key}`));
            published.add(`k${action.key}`);
          } else if (action.do === "finish" && published.size > done.size) {
            const message = await opened.bus.takeInbound(never);
            expect(done).not.toContain(message.text);
            await opened.bus.finish([message.id], [toPart(message.id)]);
            done.add(message.text);
          } else if (action.do === "die") {
            opened.state.close();
            opened = await open(home);
          }
        }
        const left: string[] = [];
        while (left.length + done.size < published.size)
          left.push((await opened.bus.takeInbound(never)).text);
        expect(new Set([...left, ...done])).toEqual(published);
        expect(opened.bus.outbox.list()).toHaveLength(done.size);
        opened.state.close();
      }),
      { numRuns: cases(25) },
    );
  });
});
