import { describe, expect, it } from "vitest";
import { Gate, TurnShare } from "./gate.ts";

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

describe("slots that homes share", () => {
  const open = (share: TurnShare, count: number) => {
    const begun: string[] = [];
    const gates = Array.from({ length: count }, () => new Gate(share));
    const ask = (home: number) =>
      (gates[home] as Gate).enter(never).then((slot) => {
        begun.push(String(home));
        return slot;
      });
    return { begun, gates, ask };
  };

  it("leave room for a home that comes later, however many turns another one has", async () => {
    const { begun, ask } = open(new TurnShare(8), 3);
    for (let turn = 0; turn < 100; turn++) void ask(0);
    await settle();
    expect(begun).toHaveLength(4);
    await ask(1);
    await ask(2);
    expect(begun.slice(4)).toEqual(["1", "2"]);
  });

  it("go round among homes that wait, and all of them to a home that is alone", async () => {
    const { begun, gates, ask } = open(new TurnShare(2), 2);
    const first = await ask(0);
    const turns = [ask(0), ask(0), ask(1), ask(1)];
    await settle();
    expect(begun).toEqual(["0", "1"]);
    first.leave();
    await settle();
    (await (turns[2] as (typeof turns)[0])).leave();
    await settle();
    expect(begun).toEqual(["0", "1", "0", "1"]);
    gates[1]?.close();
    await settle();
    expect(begun).toEqual(["0", "1", "0", "1", "0"]);
  });
});
