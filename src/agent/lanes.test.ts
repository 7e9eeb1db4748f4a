import { describe, expect, it } from "vitest";
import { terminalOrigin } from "../../test/support/origins.ts";
import { Gate } from "./gate.ts";
import type { Job } from "./job.ts";
import { Lanes, type RunJob, StoppedByUser } from "./lanes.ts";

function job(sessionKey: string, id: string, options: Partial<Job> = {}): Job {
  return {
    inbound: { id, sourceKey: id, sessionKey, origin: terminalOrigin, text: id, receivedAt: 0 },
    surface: { show: () => {} },
    isInjectable: true,
    joined: [],
    finish: async () => {},
    ...options,
  };
}

/** Lanes whose jobs run until they are told to end. */
function createLanes(slots = 3) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const signals = new Map<string, AbortSignal>();
  const run: RunJob = async ({ inbound: { id } }, signal) => {
    started.push(id);
    signals.set(id, signal);
    await new Promise<void>((resolve) => {
      ends.set(id, resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  };
  const lanes = new Lanes({ slots, suspects: new Gate(1), run });
  const settle = async () => {
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  };
  return { lanes, started, signals, settle, end: (id: string) => ends.get(id)?.() };
}

describe("lanes", () => {
  it("run one turn at a time in a session, and sessions side by side", async () => {
    const { lanes, started, end, settle } = createLanes();
    for (const each of [job("a", "a1"), job("a", "a2"), job("b", "b1")]) lanes.add(each);
    await settle();
    expect(started).toEqual(["a1", "b1"]);
    end("a1");
    await settle();
    expect(started).toEqual(["a1", "b1", "a2"]);
    await lanes.close();
  });

  it("never run more turns at once than the gate has slots, first come first served", async () => {
    const { lanes, started, end, settle } = createLanes(2);
    for (const key of ["a", "b", "c", "d"]) lanes.add(job(key, key));
    await settle();
    expect(started).toEqual(["a", "b"]);
    end("b");
    await settle();
    expect(started).toEqual(["a", "b", "c"]);
    await lanes.close();
  });

  it("hand waiting messages to the running turn, but not past one that needs its own", async () => {
    const { lanes, settle } = createLanes();
    lanes.add(job("a", "a1"));
    for (const id of ["a2", "a3"]) lanes.add(job("a", id));
    lanes.add(job("a", "a4", { isInjectable: false }));
    lanes.add(job("a", "a5"));
    await settle();
    expect(lanes.takeInjectable("a", { most: 1 }, "owner").map(({ inbound }) => inbound.id)).toEqual(["a2"]);
    expect(lanes.takeInjectable("a", { most: 3 }, "owner").map(({ inbound }) => inbound.id)).toEqual(["a3"]);
    expect(lanes.takeInjectable("a", { most: 3 }, "owner")).toEqual([]);
    expect(lanes.takeInjectable("unknown", { most: 3 }, "owner")).toEqual([]);
    await lanes.close();
  });

  it("stop a session's turn with a reason, hand back what waited, and leave the others alone", async () => {
    const { lanes, started, signals, settle } = createLanes();
    for (const each of [job("a", "a1"), job("a", "a2"), job("b", "b1")]) lanes.add(each);
    await settle();
    const { active, dropped } = lanes.stop("a");
    expect(active?.inbound.sessionKey).toBe("a");
    expect(dropped.map(({ inbound }) => inbound.id)).toEqual(["a2"]);
    expect(signals.get("a1")?.reason).toBeInstanceOf(StoppedByUser);
    expect(signals.get("b1")?.aborted).toBe(false);
    await settle();
    expect(lanes.running("a")).toBeUndefined();
    expect(lanes.running("b")).toBeDefined();
    expect(started).toEqual(["a1", "b1"]);
    expect(lanes.stop("a")).toEqual({ active: undefined, dropped: [] });
    await lanes.close();
  });

  it("put an urgent job before those that wait", async () => {
    const { lanes, started, end, settle } = createLanes();
    for (const id of ["a1", "a2"]) lanes.add(job("a", id));
    lanes.add(job("a", "urgent"), "next");
    await settle();
    end("a1");
    await settle();
    expect(started).toEqual(["a1", "urgent"]);
    await lanes.close();
  });

  it("abort a job by its caller's own signal", async () => {
    const { lanes, signals, settle } = createLanes();
    const abort = new AbortController();
    lanes.add(job("a", "a1", { signal: abort.signal }));
    await settle();
    abort.abort(new Error("enough"));
    expect(signals.get("a1")?.reason).toEqual(new Error("enough"));
    await settle();
    expect(lanes.activeCount).toBe(0);
  });

  it("keep nothing of a session that is done", async () => {
    const { lanes, end, settle } = createLanes();
    lanes.add(job("a", "a1"));
    await settle();
    end("a1");
    await settle();
    expect(lanes.activeCount).toBe(0);
    expect(lanes.running("a")).toBeUndefined();
  });
});
