import { describe, expect, test } from "vitest";
import type { ServerFrame } from "../../../src/server/protocol.ts";
import type { Action } from "../store/reduce.ts";
import { Connection, type Socket } from "./connection.ts";

class FakeSocket implements Socket {
  readonly sent: Array<Record<string, unknown>> = [];
  readonly #listeners = new Map<string, (event: never) => void>();

  addEventListener(type: string, listen: (event: never) => void): void {
    this.#listeners.set(type, listen);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.fire("close", { code: 1000 });
  }
  fire(type: string, event: object = {}): void {
    this.#listeners.get(type)?.(event as never);
  }
  take(frame: ServerFrame): void {
    this.fire("message", { data: JSON.stringify(frame) });
  }
}

function createScene() {
  const sockets: FakeSocket[] = [];
  const actions: Action[] = [];
  const waits: number[] = [];
  const due: Array<() => void> = [];
  const world = { isKnown: async () => true };
  let ids = 0;
  const connection = new Connection({
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    isKnown: () => world.isKnown(),
    dispatch: (action) => actions.push(action),
    newId: () => `id-${++ids}`,
    language: () => "english",
    describeExcess: () => "too large",
    schedule: (run, ms) => {
      waits.push(ms);
      due.push(run);
      return () => due.splice(due.indexOf(run), 1);
    },
    random: () => 1,
  });
  const viewer = { person: "owner", role: "owner" } as const;
  const last = () => sockets.at(-1) ?? new FakeSocket();
  const welcome = (isResumed: boolean, seq = 0) => {
    last().fire("open");
    last().take({ type: "welcome", protocol: 1, version: "1", life: "L", seq, isResumed, viewer });
  };
  const lose = async (code = 1006) => {
    last().fire("close", { code });
    await Promise.resolve();
  };
  const retry = async () => {
    due.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { connection, sockets, actions, waits, world, last, welcome, lose, retry };
}

const changed = (seq: number): ServerFrame => ({
  type: "event",
  seq,
  at: seq,
  event: { type: "changed", topic: "memory" },
});

describe("the connection", () => {
  test("hands on what its own requests ask and report only, and says when they are over", async () => {
    const { connection, last, welcome, actions } = createScene();
    await connection.connect();
    welcome(false);
    void connection.ask("memory.forget", { words: "Bob" }, "own");
    const question = { phrase: { code: "memory.not-forgotten", params: {} }, choices: [] } as const;
    const ask = (seq: number, requestId: string): ServerFrame => ({
      type: "event",
      seq,
      at: seq,
      event: { type: "question", requestId, questionId: `q-${requestId}`, question },
    });
    last().take(ask(1, "other"));
    last().take(ask(2, "own"));
    const report = (seq: number, requestId: string): ServerFrame => ({
      type: "event",
      seq,
      at: seq,
      event: { type: "progress", requestId, phrase: question.phrase },
    });
    last().take(report(3, "other"));
    last().take(report(4, "own"));
    last().take({ type: "response", id: "own", ok: true, result: {} });
    const told = actions.filter(({ type }) => type === "event" || type === "answered");
    expect(told).toMatchObject([
      { type: "event", seq: 2, event: { questionId: "q-own" } },
      { type: "event", seq: 4, event: { type: "progress" } },
      { type: "answered", requestId: "own" },
    ]);
  });

  test("greets first, and asks only when it is welcome", async () => {
    const { connection, last, welcome } = createScene();
    await connection.connect();
    const answer = connection.ask("chat.list", {});
    expect(last().sent).toEqual([]);
    welcome(false);
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "request"]);
    last().take({ type: "response", id: "id-1", ok: true, result: { sessions: [] } });
    expect(await answer).toEqual({ ok: true, result: { sessions: [] } });
  });

  test("asks again under the same id what was not answered, and says what it has seen", async () => {
    const { connection, last, welcome, world, lose, retry } = createScene();
    await connection.connect();
    welcome(false, 5);
    // A signed-in client needs only the socket.
    world.isKnown = () => new Promise(() => {});
    last().take(changed(6));
    last().take(changed(9));
    const answer = connection.ask("chat.stop", { sessionKey: "s" });
    await lose();
    await retry();
    welcome(true, 9);
    expect(last().sent).toMatchObject([
      { type: "hello", seen: { life: "L", seq: 9 } },
      { type: "request", id: "id-1", method: "chat.stop" },
    ]);
    const problem = { code: "request.failed", params: {}, message: "no" } as const;
    last().take({ type: "response", id: "id-1", ok: false, problem });
    expect(await answer).toEqual({ ok: false, problem });
    await lose();
    await retry();
    welcome(true, 9);
    expect(last().sent).toHaveLength(1);
  });

  test("does not send what the gateway would hang up on", async () => {
    const { connection, last, welcome } = createScene();
    await connection.connect();
    welcome(false);
    for (const text of ["x".repeat(1_000_000), "语".repeat(340_000)])
      expect(await connection.ask("chat.send", { sessionKey: "s", text })).toEqual({
        ok: false,
        problem: { code: "request.too-large", params: {}, message: "too large" },
      });
    void connection.ask("chat.send", { sessionKey: "s", text: "x".repeat(900_000) });
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "request"]);
  });

  test("passes an event on once", async () => {
    const { connection, actions, last, welcome } = createScene();
    await connection.connect();
    welcome(false, 5);
    for (const seq of [5, 6, 6, 7, 6]) last().take(changed(seq));
    const seen = actions.flatMap((action) => (action.type === "event" ? [action.seq] : []));
    expect(seen).toEqual([6, 7]);
  });

  test("leaves a socket that died without a word, and asks again what was asked there", async () => {
    const { connection, actions, sockets, last, welcome, retry } = createScene();
    await connection.connect();
    welcome(false, 5);
    connection.check();
    expect(last().sent.at(-1)).toEqual({ type: "ping", id: "id-1" });
    last().take({ type: "pong", id: "id-1" });
    await new Promise((resolve) => setImmediate(resolve));
    await retry();
    expect(sockets).toHaveLength(1);
    const answer = connection.ask("chat.list", {});
    connection.check();
    await retry();
    expect(actions.at(-1)).toEqual({ type: "link", link: "offline" });
    await retry();
    welcome(true, 5);
    expect(sockets).toHaveLength(2);
    expect(last().sent.map(({ type, id }) => id ?? type)).toEqual(["hello", "id-2"]);
    last().take({ type: "response", id: "id-2", ok: true, result: { sessions: [] } });
    expect(await answer).toEqual({ ok: true, result: { sessions: [] } });
  });

  test("waits longer after each failure, and not for ever", async () => {
    const { connection, actions, waits, world, lose, welcome, retry } = createScene();
    world.isKnown = () => Promise.reject(new Error("away"));
    await connection.connect();
    for (let round = 0; round < 8; round += 1) await retry();
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000]);
    expect(actions).toContainEqual({ type: "link", link: "offline" });
    world.isKnown = async () => true;
    await retry();
    welcome(false);
    await lose();
    expect(waits.at(-1)).toBe(500);
  });

  test.each([
    [4401, "signed-out"],
    [4406, "outdated"],
  ])("does not come back on its own after close code %i", async (code, link) => {
    const { connection, actions, waits, welcome, lose } = createScene();
    await connection.connect();
    welcome(false);
    await lose(code);
    expect(actions.at(-1)).toEqual({ type: "link", link });
    expect(waits).toEqual([]);
  });

  test("opens no socket for an unknown person", async () => {
    const { connection, actions, sockets, world } = createScene();
    world.isKnown = async () => false;
    await connection.connect();
    expect(actions).toEqual([{ type: "link", link: "signed-out" }]);
    expect(sockets).toEqual([]);
  });
});
