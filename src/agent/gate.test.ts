import { describe, expect, it } from "vitest";
import { Gate } from "./lanes.ts";

const never = new AbortController().signal;

async function settle(): Promise<void> {
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
}

describe("a turn that only waits", () => {
  it("gives its slot to another one, and comes back before those that have not begun", async () => {
    const gate = new Gate(1);
    const order: string[] = [];
    const first = await gate.enter(never);
    const second = gate.enter(never);
    const third = gate.enter(never);
    void third.then(() => order.push("third begins"));
    first.stepAside();
    const slot = await second;
    const back = first.comeBack(never).then(() => order.push("first is back"));
    await settle();
    expect(order).toEqual([]);
    slot.leave();
    await back;
    first.leave();
    (await third).leave();
    await settle();
    expect(order).toEqual(["first is back", "third begins"]);
  });

  it("stays where too many are away already, and no slot is lost or made up", async () => {
    const gate = new Gate(1);
    const away = [];
    for (let turn = 0; turn < 8; turn++) {
      const slot = await gate.enter(never);
      slot.stepAside();
      away.push(slot);
    }
    const last = await gate.enter(never);
    last.stepAside();
    let isIn = false;
    const next = gate.enter(never).then((slot) => {
      isIn = true;
      return slot;
    });
    await settle();
    expect(isIn).toBe(false);
    const stopped = AbortSignal.abort(new Error("stopped"));
    for (const slot of away) await slot.comeBack(stopped);
    for (const slot of [...away, last]) slot.leave();
    await next;
    const another = new AbortController();
    const more = gate.enter(another.signal);
    await settle();
    another.abort(new Error("full"));
    await expect(more).rejects.toThrow("full");
  });
});
