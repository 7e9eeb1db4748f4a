import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry, OpenedSession, SessionCard, Shown } from "../../../src/api/chat/wire.ts";
import type { GatewayEvent } from "../../../src/server/protocol.ts";
import { cases } from "../../../test/support/long-form.ts";
import type { Conversation, LiveBody, Part } from "./conversation.ts";
import { type Action, initialState, reduce, type State } from "./reduce.ts";

const key = "web:one";
const card: SessionCard = {
  key,
  title: "One",
  updatedAt: 1,
  isPinned: false,
  isArchived: false,
  isRunning: false,
  isAsking: false,
  isClosed: false,
};

function opened(patch: Partial<OpenedSession> = {}): OpenedSession {
  return {
    session: card,
    entries: [],
    asides: [],
    said: [],
    subagents: [],
    hasMore: false,
    asks: [],
    model: "m",
    seq: 0,
    ...patch,
  };
}

function play(actions: Action[], from: State = initialState): State {
  return actions.reduce(reduce, from);
}

const openWith = (patch: Partial<OpenedSession> = {}): Action[] => [
  { type: "open-started", sessionKey: key },
  { type: "opened", opened: opened(patch) },
];
const happens = (seq: number, shown: Shown): Action => ({
  type: "event",
  seq,
  at: seq,
  event: { type: "shown", sessionKey: key, shown },
});
const live = (seq: number, turnId: string, body: LiveBody) => happens(seq, { type: "live", turnId, body });
const entry = (id: string, patch: Partial<Entry> = {}): Entry => ({
  id,
  turn: id.split(".")[0] ?? id,
  at: 1,
  role: id.includes(".") ? "assistant" : "user",
  text: id,
  ...patch,
});

function conversationOf(state: State): Conversation {
  const conversation = state.conversations.get(key);
  if (conversation === undefined) throw new Error("it is not open");
  return conversation;
}
const partsOf = (state: State): readonly Part[] => conversationOf(state).parts;
const textsOf = (state: State) =>
  partsOf(state).map((part) => `${part.id}: ${part.kind === "aside" ? part.aside.text : part.text}`);

/** A gateway in small: it numbers what happens, stores what is finished, and can be asked at any time. */
class FakeGateway {
  readonly events: Array<{ seq: number; shown: Shown }> = [];
  readonly #entries: Entry[] = [];
  readonly #said = new Map<string, Extract<Shown, { type: "said" }>>();
  readonly #asides: Array<Extract<Shown, { type: "aside" }>> = [];
  #running: { turnId: string; bodies: LiveBody[] } | undefined;
  #time = 0;

  snapshot(): OpenedSession {
    return structuredClone(
      opened({
        entries: this.#entries,
        said: [...this.#said.values()],
        asides: this.#asides,
        seq: this.events.length,
        ...(this.#running && { running: this.#running }),
      }),
    );
  }

  say(turnId: string): void {
    const said = { type: "said" as const, turnId, at: this.#tick(), text: `say ${turnId}`, channel: "web" };
    this.#said.set(turnId, said);
    this.#publish(said);
  }

  beside(id: string): void {
    const aside = {
      type: "aside" as const,
      id,
      turnId: id,
      at: this.#tick(),
      kind: "notice" as const,
      text: id,
    };
    this.#asides.push(aside);
    this.#publish(aside);
  }

  *turn(
    turnId: string,
    steps: Array<{ deltas: string[]; calls: string[]; isReset: boolean }>,
  ): Generator<void> {
    this.say(turnId);
    yield;
    const { at = 0, text = "" } = this.#said.get(turnId) ?? {};
    this.#said.delete(turnId);
    this.#entries.push(entry(turnId, { at, text }));
    this.#live(turnId, { type: "turn-start" });
    for (const [index, step] of steps.entries()) yield* this.#step(turnId, index + 1, step);
    this.#live(turnId, { type: "turn-end", stop: "answer" });
    yield;
    this.#running = undefined;
    const cost = { usage: { input: 1, cached: 0, output: 1 }, ms: 1 };
    const last = this.#entries.findLast(({ turn, role }) => turn === turnId && role === "assistant");
    if (last !== undefined) last.cost = cost;
    this.#publish({ type: "settled", turnId, cost });
  }

  *#step(
    turnId: string,
    step: number,
    plan: { deltas: string[]; calls: string[]; isReset: boolean },
  ): Generator<void> {
    const id = `${turnId}.${step}`;
    const at = this.#tick();
    this.#running = { turnId, bodies: [] };
    this.#live(turnId, { type: "step-start", step, id: `${turnId}.${step}` });
    if (plan.isReset) {
      this.#live(turnId, { type: "text-delta", text: "half an ans" });
      yield;
      this.#live(turnId, { type: "text-reset" });
    }
    for (const text of plan.deltas) {
      this.#live(turnId, { type: "text-delta", text });
      yield;
    }
    const calls = plan.calls.map((call, index) => ({
      id: `${id}.${index}`,
      name: call,
      arguments: { a: index },
    }));
    const usage = { input: step, cached: 0, output: 1 };
    this.#entries.push(entry(id, { at, text: plan.deltas.join(""), calls, usage }));
    this.#live(turnId, { type: "step-end", step, id: `${turnId}.${step}`, usage });
    yield;
    for (const call of calls) {
      this.#live(turnId, { type: "tool-start", callId: call.id, name: call.name, arguments: call.arguments });
      yield;
      const result = { text: `done ${call.id}`, isError: false, ms: 5 };
      this.#entries.push(entry(`${call.id}`, { role: "tool", callId: call.id, ...result }));
      const end = { callId: call.id, name: call.name, isError: false, ms: 5, content: result.text };
      this.#live(turnId, { type: "tool-end", ...end });
      yield;
    }
  }

  #live(turnId: string, body: LiveBody): void {
    this.#running?.bodies.push(body);
    this.#publish({ type: "live", turnId, body });
  }

  #publish(shown: Shown): void {
    this.events.push({ seq: this.events.length + 1, shown });
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }
}

const stepPlan = fc.record({
  deltas: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
  calls: fc.array(fc.constantFrom("exec", "read_file"), { maxLength: 2 }),
  isReset: fc.boolean(),
});
const plan = fc.array(
  fc.oneof(fc.array(stepPlan, { minLength: 1, maxLength: 3 }), fc.constant("aside" as const)),
  { minLength: 1, maxLength: 4 },
);

/** Without what only a clock or the time of looking decides. */
function viewOf(state: State) {
  return partsOf(state).map((part) => {
    if (part.kind === "aside") return part.id;
    if (part.kind === "user") return { id: part.id, text: part.text };
    const calls = part.calls.map(({ id, name, result }) => ({
      id,
      name,
      text: result?.text,
      ms: result?.ms,
    }));
    return { id: part.id, text: part.text, calls, cost: part.cost };
  });
}

describe("a conversation", () => {
  test("looks the same whenever one begins to look, and however often the page was away", () => {
    fc.assert(
      fc.property(plan, fc.array(fc.nat(200), { maxLength: 4 }), fc.nat(6), (items, cuts, late) => {
        const gateway = new FakeGateway();
        const snapshots = [gateway.snapshot()];
        for (const [index, item] of items.entries()) {
          if (item === "aside") {
            gateway.beside(`aside-${index}`);
            snapshots[gateway.events.length] = gateway.snapshot();
          } else {
            for (const _ of gateway.turn(`t${index}`, item))
              snapshots[gateway.events.length] = gateway.snapshot();
            snapshots[gateway.events.length] = gateway.snapshot();
          }
        }
        const from = (seq: number) =>
          gateway.events.slice(seq).map((event) => happens(event.seq, event.shown));
        const whole = play([...openWith(), ...from(0)]);
        const known = Object.keys(snapshots).map(Number);
        let state = initialState;
        for (const cut of cuts) {
          const at = known[cut % known.length] ?? 0;
          const snapshot = snapshots[at] ?? opened();
          // Events beyond the snapshot overtake its answer, and some come twice.
          const meanwhile = from(Math.max(0, at - 2)).slice(0, late + 2);
          const opening: Action[] = [
            { type: "welcome", viewer: { person: "owner", role: "owner" }, version: "1", isResumed: false },
            { type: "open-started", sessionKey: key },
            ...meanwhile,
            { type: "opened", opened: snapshot },
          ];
          state = play([...opening, ...from(at)], state);
          expect(viewOf(state)).toEqual(viewOf(whole));
        }
      }),
      { numRuns: cases(300) },
    );
  });

  test("takes an event once", () => {
    const delta = live(3, "t", { type: "text-delta", text: "x" });
    const begun = [
      ...openWith(),
      live(1, "t", { type: "turn-start" }),
      live(2, "t", { type: "step-start", step: 1, id: "t.1" }),
    ];
    expect(textsOf(play([...begun, delta, delta, delta]))).toEqual(["t.1: x"]);
  });

  test("believes what is stored over what streams meanwhile", () => {
    const running = {
      turnId: "t",
      bodies: [
        { type: "step-start", step: 1, id: "t.1" },
        { type: "text-delta", text: "half" },
        { type: "tool-end", callId: "c", name: "exec", isError: false, ms: 7, content: "cut" },
      ] satisfies LiveBody[],
    };
    const calls = [{ id: "c", name: "exec", arguments: {} }];
    const entries = [
      entry("t"),
      entry("t.1", { text: "the whole", calls }),
      entry("t.1.0", { role: "tool", callId: "c", text: "all of it", isCut: true }),
    ];
    const state = play(openWith({ entries, running }));
    expect(textsOf(state)).toEqual(["t: t", "t.1: the whole"]);
    const [, step] = partsOf(state);
    expect(step?.kind === "step" && step.calls).toEqual([
      {
        id: "c",
        name: "exec",
        arguments: {},
        progress: "",
        result: { text: "all of it", isError: false, ms: 7, cutFrom: "t.1.0", attachments: [] },
      },
    ]);
  });

  test("shows what was said before its turn begins, and steers in its place", () => {
    const state = play([
      ...openWith({ entries: [entry("t1")] }),
      live(1, "t1", { type: "turn-start" }),
      live(2, "t1", { type: "step-start", step: 1, id: "t1.1" }),
      happens(3, { type: "said", turnId: "t2", at: 3, text: "and this", channel: "web" }),
      live(4, "t1", { type: "text-delta", text: "first" }),
      live(5, "t1", { type: "step-start", step: 2, id: "t1.2" }),
    ]);
    expect(textsOf(state)).toEqual(["t1: t1", "t1.1: first", "t2: and this", "t1.2: "]);
  });

  test("tells of trouble with the host until the step is through", () => {
    const reason = { code: "model.still-waiting", params: { host: "acme" } } as const;
    const notice = { kind: "retry", attempt: 1, waitMs: 10, reason } as const;
    const troubled = [
      ...openWith(),
      live(1, "t", { type: "turn-start" }),
      live(2, "t", { type: "step-start", step: 1, id: "t.1" }),
      live(3, "t", { type: "notice", notice }),
    ];
    expect(conversationOf(play(troubled)).running).toMatchObject({
      turnId: "t",
      stepId: "t.1",
      at: 1,
      notice: { ...notice, until: 13 },
    });
    const through = play([...troubled, live(4, "t", { type: "step-end", step: 1, id: "t.1" })]);
    expect(conversationOf(through).running).toEqual({ turnId: "t", stepId: "t.1", at: 1 });
  });

  test("asks the owner until it is answered or the turn is over", () => {
    const phrase = { code: "approval.run" as const, params: {} };
    const question = { kind: "choice" as const, phrase, detail: "rm x", choices: [], person: "owner" };
    const asked = [...openWith(), live(1, "t", { type: "ask-start", askId: "a", question })];
    expect(conversationOf(play(asked)).asks).toEqual([{ askId: "a", turnId: "t", question }]);
    const answered = [...asked, live(2, "t", { type: "ask-end", askId: "a", chosen: phrase })];
    expect(conversationOf(play(answered)).asks).toEqual([]);
    const ended = [...asked, live(2, "t", { type: "turn-end", stop: "aborted" })];
    expect(conversationOf(play(ended))).toMatchObject({ asks: [], ending: { turnId: "t", stop: "aborted" } });
    const another = [...asked, live(2, "u", { type: "turn-end", stop: "completed" })];
    expect(conversationOf(play(another)).asks).toHaveLength(1);
  });

  test("keeps what is read further back before what is there, without doubles", () => {
    const state = play([
      ...openWith({ entries: [entry("t3"), entry("t3.1")], hasMore: true }),
      { type: "older-loaded", opened: opened({ entries: [entry("t2"), entry("t3")], hasMore: false }) },
    ]);
    expect(partsOf(state).map(({ id }) => id)).toEqual(["t2", "t3", "t3.1"]);
    expect(conversationOf(state).hasMore).toBe(false);
  });

  test("is to be opened again after a command, which may have changed anything", () => {
    const aside = { type: "aside", id: "a", turnId: "t", at: 1, text: "Done." } as const;
    const after = (kind: "command" | "notice") =>
      conversationOf(play([...openWith(), happens(1, { ...aside, kind })]));
    expect(after("command")).toMatchObject({ status: "stale", parts: [{ id: "a" }] });
    expect(after("notice")).toMatchObject({ status: "open", parts: [{ id: "a" }] });
  });

  test("is to be opened again when it was rewritten, and shown as it is until then", () => {
    const state = play([...openWith({ entries: [entry("t")] }), happens(1, { type: "rewritten" })]);
    expect(conversationOf(state)).toMatchObject({ status: "stale" });
    expect(textsOf(state)).toEqual(["t: t"]);
  });
});

describe("a message on its way", () => {
  const sending: Action = {
    type: "sending",
    sessionKey: key,
    message: { requestId: "r", at: 1, text: "hi", files: [] },
  };
  const sent: Action = { type: "sent", sessionKey: key, requestId: "r", turnId: "t" };
  const said = happens(1, { type: "said", turnId: "t", at: 1, text: "hi", channel: "web" });

  test.each([
    ["the event first", [said, sent]],
    ["the answer first", [sent, said]],
  ])("becomes one part, %s", (_name, actions) => {
    const state = play([sending, ...actions]);
    expect(textsOf(state)).toEqual(["t: hi"]);
    expect(conversationOf(state).outgoing).toEqual([]);
  });

  test("begins a conversation that nobody has to be asked for", () => {
    expect(conversationOf(play([sending]))).toMatchObject({ status: "open", parts: [] });
  });

  test("that failed stays with its reason until it is dropped", () => {
    const problem = { code: "request.failed" as const, params: {}, message: "too long" };
    const failed = play([sending, { type: "send-failed", sessionKey: key, requestId: "r", problem }]);
    expect(conversationOf(failed).outgoing).toMatchObject([{ text: "hi", problem }]);
    const dropped = play([{ type: "send-dropped", sessionKey: key, requestId: "r" }], failed);
    expect(conversationOf(dropped).outgoing).toEqual([]);
  });
});

describe("the state of the page", () => {
  const event = (body: GatewayEvent): Action => ({ type: "event", seq: 1, at: 1, event: body });

  test("follows the list of conversations once it was asked for", () => {
    const changed = { ...card, title: "Two" };
    expect(play([event({ type: "session-changed", session: card })]).sessions).toBeUndefined();
    const listed = play([
      { type: "sessions-listed", sessions: [card] },
      event({ type: "session-changed", session: changed }),
    ]);
    expect([...(listed.sessions?.values() ?? [])]).toEqual([changed]);
    const removed = play([event({ type: "session-removed", sessionKey: key })], listed);
    expect(removed.sessions?.size).toBe(0);
  });

  test("does not ask for a conversation that was deleted, unless it is there again", () => {
    const listed = play([
      { type: "sessions-listed", sessions: [card] },
      ...openWith({ entries: [entry("t")] }),
    ]);
    const removed = play([event({ type: "session-removed", sessionKey: key })], listed);
    expect(conversationOf(removed)).toMatchObject({ status: "removed", parts: [] });
    const recovered = play([event({ type: "session-changed", session: card })], removed);
    expect(conversationOf(recovered).status).toBe("stale");
  });

  test("counts the changes of a topic, and the times that events were missed", () => {
    const viewer = { person: "owner", role: "owner" } as const;
    const welcome = (isResumed: boolean): Action => ({ type: "welcome", viewer, version: "1", isResumed });
    const state = play([welcome(false), welcome(true), event({ type: "changed", topic: "memory" })]);
    expect(state).toMatchObject({ generation: 1, topics: { memory: 1 }, link: "online", viewer });
  });

  test("holds the latest lines of the log and a few conversations, not all of them", () => {
    const lines = Array.from({ length: 2_500 }, (_, line) => event({ type: "logged", line: String(line) }));
    const state = play(lines);
    expect(state.logs).toHaveLength(2_000);
    expect(state.logs.at(-1)).toBe("2499");
    const many = play(
      Array.from({ length: 20 }, (_, index) => ({ type: "open-started", sessionKey: `s${index}` }) as const),
    );
    expect(many.conversations.size).toBe(8);
    expect(many.conversations.has("s19")).toBe(true);
  });
});

test("the progress of an operation is shown until its request is over", () => {
  const report = (seq: number, part: number): Action => ({
    type: "event",
    seq,
    at: seq,
    event: { type: "progress", requestId: "r", phrase: { code: "dream.part", params: { part, parts: 2 } } },
  });
  const running = play([report(1, 1), report(2, 2)]);
  expect([...running.progress.values()]).toMatchObject([{ phrase: { params: { part: 2 } } }]);
  expect(play([{ type: "answered", requestId: "r" }], running).progress.size).toBe(0);
});
