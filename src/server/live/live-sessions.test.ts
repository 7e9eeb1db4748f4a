// Live events of running turns, compared with what is stored: a client that opens a conversation at any moment and
// takes the events after that number sees everything once.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { cases } from "../../../test/support/long-form.ts";
import { terminalOrigin } from "../../../test/support/origins.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ShownLog } from "../../api/chat/shown-log.ts";
import type { LiveBody } from "../../bus/live.ts";
import type { InboundMessage } from "../../bus/types.ts";
import type { EventFrame, Viewer } from "../protocol.ts";
import { EventHub } from "./event-hub.ts";
import { LiveSessions } from "./live-sessions.ts";

const key = "web:a";
const owner = { person: "owner", role: "owner" } as const;

async function open() {
  let looks = 0;
  const clock = createFakeClock();
  const hub = new EventHub({ life: "one", now: () => clock.now() });
  const folder = await createTemporaryFolder();
  const shown = new ShownLog(folder, folder);
  const done = new Set<string>();
  const live = new LiveSessions({
    signal: new AbortController().signal,
    hub,
    clock,
    shown,
    isOpen(id) {
      looks += 1;
      return !done.has(id);
    },
    moneyOf: () => undefined,
    toAttachments: () => undefined,
    onError(error) {
      throw error;
    },
  });
  const frames: EventFrame[] = [];
  listen(hub, owner, frames);
  const show = (turnId: string, body: LiveBody) =>
    live.show({ sessionKey: key, turnId, channel: "web", chatId: "a", body });
  return { clock, hub, shown, done, live, frames, show, looks: () => looks };
}

function listen(hub: EventHub, viewer: Viewer, frames: EventFrame[]): void {
  hub.listen({ viewer, follows: new Set(), take: ({ text }) => frames.push(JSON.parse(text)) });
}

function toInbound(id: string, more: Partial<InboundMessage> = {}): InboundMessage {
  const origin = { ...terminalOrigin, channel: "web", chatId: "a" };
  return { id, sourceKey: id, sessionKey: key, origin, text: `say ${id}`, receivedAt: 1, ...more };
}

function bodiesOf(frames: readonly EventFrame[]): LiveBody[] {
  return frames.flatMap(({ event }) =>
    event.type === "shown" && event.shown.type === "live" ? [event.shown.body] : [],
  );
}

describe("deltas", () => {
  it("that follow one another become one event after a moment, and at once before anything else", async () => {
    const { show, frames, clock } = await open();
    show("T", { type: "turn-start" });
    for (const text of ["a", "b", "c"]) show("T", { type: "text-delta", text });
    expect(bodiesOf(frames)).toEqual([{ type: "turn-start" }]);
    await clock.advance(15);
    for (const text of ["d", "e"]) show("T", { type: "text-delta", text });
    show("T", { type: "reasoning-delta", text: "r" });
    show("T", { type: "text-end", isLast: true });
    expect(bodiesOf(frames)).toEqual([
      { type: "turn-start" },
      { type: "text-delta", text: "abc" },
      { type: "text-delta", text: "de" },
      { type: "reasoning-delta", text: "r" },
      { type: "text-end", isLast: true },
    ]);
  });
});

describe("what is there at a moment", () => {
  it("looks at few of the messages that wait when another one comes", async () => {
    const { live, done, looks } = await open();
    const ids = Array.from({ length: 500 }, (_, index) => `M${index}`);
    for (const id of ids) live.hear(toInbound(id));
    for (const id of ids.slice(0, 400)) done.add(id);
    live.hear(toInbound("last"));
    expect(looks()).toBeLessThan(2 * ids.length);
    expect(live.stateOf(key).said.map(({ turnId }) => turnId)).toEqual([...ids.slice(400), "last"]);
  });

  it("knows what waits for its turn until that is done, also what was left from another life", async () => {
    const { live, done } = await open();
    live.hear(toInbound("T1"));
    live.hear(toInbound("T2", { kind: "system" }));
    expect(live.stateOf(key).said).toMatchObject([{ turnId: "T1" }, { turnId: "T2", isSystem: true }]);
    done.add("T1");
    expect(live.stateOf(key).said).toMatchObject([{ turnId: "T2" }]);
  });

  it("forgets a turn that broke without an end when its message is done, and when the person is told of it", async () => {
    const { live, done, show, frames, shown } = await open();
    show("T", { type: "turn-start" });
    expect(live.isRunning(key)).toBe(true);
    await live.keep(key, {
      id: "T:final#0",
      channel: "web",
      chatId: "a",
      sessionKey: key,
      turnId: "T",
      text: "It failed.",
      media: [],
      kind: "notice",
      wasStreamed: false,
    });
    expect(live.stateOf(key).running).toBeUndefined();
    expect(frames.map(({ event }) => event.type === "shown" && event.shown.type)).toEqual([
      "live",
      "settled",
      "aside",
    ]);
    show("U", { type: "turn-start" });
    done.add("U");
    expect(live.isRunning(key)).toBe(false);
    expect(await shown.read(key)).toMatchObject({ asides: [{ turnId: "T" }], turns: [{ turnId: "T" }] });
  });

  it("takes along what was shown with it when it is closed, and tells viewers with the answer", async () => {
    const { live, shown, frames } = await open();
    await shown.append(key, [{ type: "said", turnId: "S", at: 1, text: "old", channel: "web", media: [] }]);
    live.hear(toInbound("T", { text: "/new" }));
    expect(await shown.read(key)).toMatchObject({ said: [{ turnId: "S" }] });
    live.close(key);
    const address = { channel: "web", chatId: "1", sessionKey: key, turnId: "T" };
    const answer = { text: "Done.", media: [], kind: "command" as const, wasStreamed: false };
    for (const id of ["T:final#0", "T:final#1"]) await live.keep(key, { ...address, ...answer, id });
    expect(await shown.read(key)).toMatchObject({ said: [{ turnId: "T" }], asides: [{}, {}] });
    const told = frames.map(({ event }) => event.type === "shown" && event.shown.type);
    expect(told).toEqual(["said", "aside", "rewritten", "aside"]);
  });

  it("is told to a guest only where it is the guest's own, and never from a group", async () => {
    const { live, hub } = await open();
    const heard: EventFrame[] = [];
    listen(hub, { person: "ann", role: "guest" }, heard);
    const guest = { ...terminalOrigin, role: "guest", person: "ann" } as const;
    live.hear(toInbound("T1", { sessionKey: "web:ann:1", origin: guest }));
    live.hear(toInbound("T2", { sessionKey: "web:bob:1", origin: { ...guest, person: "bob" } }));
    live.hear(toInbound("T3", { sessionKey: "telegram:9", origin: { ...guest, group: "telegram-9" } }));
    live.hear(toInbound("T4"));
    expect(heard.map(({ event }) => event)).toMatchObject([{ sessionKey: "web:ann:1" }]);
  });
});

/** One step as a runner and the store go through it: shown, then stored. */
const step = fc.record({
  reasoning: fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 3 }),
  text: fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  results: fc.array(fc.string({ maxLength: 6 }), { maxLength: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Action {
  body?: LiveBody;
  /** An id that is stored now. */
  stored?: string;
}

function* play(steps: Step[]): Generator<Action> {
  yield { stored: "T" };
  yield { body: { type: "turn-start" } };
  for (const [index, { reasoning, text, results }] of steps.entries()) {
    const number = index + 1;
    yield { body: { type: "step-start", step: number, id: `T.${number}` } };
    for (const piece of reasoning) yield { body: { type: "reasoning-delta", text: piece } };
    for (const piece of text) yield { body: { type: "text-delta", text: piece } };
    yield { body: { type: "step-end", step: number, id: `T.${number}` } };
    yield { body: { type: "text-end", isLast: index === steps.length - 1 } };
    yield { stored: `T.${number}` };
    for (const [call, content] of results.entries()) {
      const callId = `T.${number}.${call}`;
      yield { body: { type: "tool-start", callId, name: "look", arguments: {} } };
      yield { body: { type: "tool-progress", callId, text: "..." } };
      yield { body: { type: "tool-end", callId, name: "look", isError: false, ms: 1, content } };
      yield { stored: callId };
    }
  }
  yield { body: { type: "turn-end", stop: "completed" } };
}

/** What a viewer sees: by id of the entry, the text that was shown or stored. */
function reduceBodies(seen: Map<string, string>, bodies: readonly LiveBody[]): void {
  let current = "";
  for (const body of bodies) {
    if (body.type === "step-start") current = body.id;
    if (body.type === "text-delta") seen.set(current, (seen.get(current) ?? "") + body.text);
    if (body.type === "tool-end") seen.set(body.callId, body.content);
  }
}

describe("a snapshot and the events after its number", () => {
  it("make up the whole of a turn, whenever it is taken", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.nat(60),
        fc.infiniteStream(fc.nat(20)),
        async (steps, openAt, pauses) => {
          const { live, show, clock, hub, frames, shown } = await open();
          live.hear(toInbound("T"));
          const stored = new Set<string>();
          let snapshot: { bodies: LiveBody[]; stored: Set<string>; seq: number } | undefined;
          let count = 0;
          const look = () => {
            const { running, seq } = live.stateOf(key);
            expect(seq).toBe(hub.seq);
            snapshot = { bodies: running?.bodies ?? [], stored: new Set(stored), seq };
          };
          for (const { body, stored: id } of play(steps)) {
            if (count === openAt) look();
            count += 1;
            if (id !== undefined) stored.add(id);
            if (body !== undefined) show("T", body);
            const pause = pauses.next().value;
            if (pause > 12) await clock.advance(pause);
          }
          if (snapshot === undefined) look();
          await clock.advance(20);
          const { bodies = [], stored: before = new Set(), seq = 0 } = snapshot ?? {};
          const seen = new Map<string, string>();
          const later = bodiesOf(frames.filter((frame) => frame.seq > seq));
          reduceBodies(seen, [...bodies, ...later]);
          for (const [index, { text, results }] of steps.entries()) {
            const id = `T.${index + 1}`;
            // What was stored is read from there; what was seen live is all of it, and nothing twice.
            if (!before.has(id) || seen.has(id)) expect(seen.get(id)).toBe(text.join(""));
            for (const [call, content] of results.entries())
              if (!before.has(`${id}.${call}`)) expect(seen.get(`${id}.${call}`)).toBe(content);
          }
          expect(await shown.read(key)).toMatchObject({ turns: [{ turnId: "T" }] });
        },
      ),
      { numRuns: cases(150) },
    );
  });
});
