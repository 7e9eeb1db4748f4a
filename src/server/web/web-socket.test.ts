import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { cases } from "../../../test/support/long-form.ts";
import {
  connect,
  controlToken,
  hello,
  openPage,
  openWebScene,
  owner,
  type WebScene,
  type WebSceneOptions,
  type Wire,
} from "../../../test/support/web-scene.ts";
import type { Access, Caller } from "../../api/operation.ts";
import type { EventFrame, GatewayEvent, ResponseFrame, ServerFrame, Viewer } from "../protocol.ts";
import { DoneRequests } from "./web-socket.ts";

const anna: Viewer = { person: "anna", role: "guest" };
const said = (text: string): GatewayEvent => ({ type: "session-removed", sessionKey: text });

const isEvent = (frame: ServerFrame): frame is EventFrame => frame.type === "event";
const isAnswer = (id: string) => (frame: ServerFrame) => frame.type === "response" && frame.id === id;

function eventsOf({ frames }: Wire): EventFrame[] {
  return frames.filter(isEvent);
}

async function ask(wire: Wire, id: string, method: string, params: unknown = {}): Promise<ResponseFrame> {
  wire.send({ type: "request", id, method, params });
  return (await wire.waitFor(isAnswer(id))) as ResponseFrame;
}

/** Counts how often it was done. */
function createCounter(access: Access = "admitted") {
  const counter = { times: 0, gate: Promise.resolve() };
  const operations: WebSceneOptions["operations"] = {
    count: {
      access,
      async run() {
        counter.times += 1;
        const { times } = counter;
        await counter.gate;
        return { times };
      },
    },
  };
  return { counter, operations };
}

describe("who is let in", () => {
  const knock = async (scene: WebScene, headers: Record<string, string>) => {
    const wire = await connect(scene, headers);
    if (wire.socket.readyState === wire.socket.OPEN) wire.send(hello);
    const welcomed = wire.waitFor(({ type }) => type === "welcome").then(() => "welcome");
    return Promise.race([wire.ended, welcomed]);
  };

  test("a page of our own with a cookie, and a program with the token", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    expect(await knock(scene, { cookie, origin: scene.url })).toBe("welcome");
    expect(await knock(scene, { authorization: `Bearer ${controlToken}` })).toBe("welcome");
  });

  test("nobody else: the page hears that it has to sign in, others are not answered", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    expect(await knock(scene, { origin: scene.url })).toBe(4401);
    expect(await knock(scene, { cookie: `${cookie}x`, origin: scene.url })).toBe(4401);
    expect(await knock(scene, { cookie })).toBe(4401);
    expect(await knock(scene, { authorization: "Bearer wrong" })).toBe(4401);
    expect(await knock(scene, { cookie, origin: "http://evil.example" })).toBe(403);
    expect(await knock(scene, { cookie, origin: "null" })).toBe(403);
    expect(await knock(scene, { cookie, origin: `${scene.url}0` })).toBe(403);
    expect(await knock(scene, { cookie, origin: "http://evil.example", host: "evil.example" })).toBe(403);
  });

  test("there is one socket, and nothing else that can be upgraded to", async () => {
    const scene = await openWebScene();
    const answer = async (head: string) => {
      const pipe = connectTcp(scene.port, "127.0.0.1");
      pipe.write(`${head}\r\nhost: 127.0.0.1:${scene.port}\r\nconnection: upgrade\r\n\r\n`);
      const [chunk] = (await once(pipe, "data")) as [Buffer];
      pipe.destroy();
      return String(chunk).split("\r\n")[0];
    };
    expect(await answer("GET /api/other HTTP/1.1\r\nupgrade: websocket")).toBe("HTTP/1.1 404 Not Found");
    expect(await answer("GET / HTTP/1.1\r\nupgrade: h2c")).toBe("HTTP/1.1 404 Not Found");
    expect(await answer("POST /api/socket HTTP/1.1\r\nupgrade: websocket")).toContain("405");
    expect(await answer("GET /api/socket HTTP/1.1\r\nupgrade: h2c")).toContain("400");
    expect(scene.errors).toEqual([]);
  });

  test("no more than there is room for", async () => {
    const scene = await openWebScene({ limits: { connections: 2 } });
    const pages = [await openPage(scene), await openPage(scene)];
    expect(await knock(scene, { cookie: await scene.cookieFor(owner), origin: scene.url })).toBe(1013);
    pages[0]?.socket.terminate();
    await eventually(async () =>
      knock(scene, { cookie: await scene.cookieFor(owner), origin: scene.url }),
    ).toBe("welcome");
  });

  test("nobody who says nothing, and nobody who is gone without a word", async () => {
    const scene = await openWebScene();
    const program = { authorization: `Bearer ${controlToken}` };
    const [mute, gone] = [await connect(scene, program), await connect(scene, program, { autoPong: false })];
    gone.send(hello);
    await gone.waitFor(({ type }) => type === "welcome");
    const quiet = await openPage(scene);
    await scene.clock.advance(10_000);
    expect(await mute.ended).toBe(1008);
    for (let beat = 0; beat < 3; beat++) {
      const pinged = once(quiet.socket, "ping");
      await scene.clock.advance(20_000);
      await pinged;
      // Its answer was sent before this one, and is taken before it.
      const ponged = once(quiet.socket, "pong");
      quiet.socket.ping();
      await ponged;
    }
    expect(await gone.ended).toBe(1006);
    expect(quiet.socket.readyState).toBe(quiet.socket.OPEN);
  });

  test("a ping is answered, also among many requests, and only after the hello", async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const { counter, operations } = createCounter();
    counter.gate = gate;
    const scene = await openWebScene({ operations });
    const page = await openPage(scene);
    for (let id = 0; id < 40; id++) page.send({ type: "request", id: `r${id}`, method: "count", params: {} });
    page.send({ type: "ping", id: "p1" });
    resolve();
    await page.waitFor(isAnswer("r39"));
    expect(page.frames).toContainEqual({ type: "pong", id: "p1" });
    const early = await connect(scene, { authorization: `Bearer ${controlToken}` });
    early.send({ type: "ping", id: "p2" });
    expect(await early.ended).toBe(1008);
  });

  test("a page of another time is told so", async () => {
    const scene = await openWebScene();
    const wire = await connect(scene, { authorization: `Bearer ${controlToken}` });
    wire.send({ type: "hello", protocol: 99 });
    expect(await wire.ended).toBe(4406);
  });
});

describe("frames that are none", () => {
  test.each([
    ["no JSON", "{"],
    ["no frame", "5"],
    ["a request before the hello", { type: "request", id: "1", method: "count" }],
    ["a hello without a number", { type: "hello" }],
    ["a number that was never seen", { ...hello, seen: { life: "x", seq: -1 } }],
  ])("end the connection: %s", async (_, frame) => {
    const scene = await openWebScene();
    const wire = await connect(scene, { authorization: `Bearer ${controlToken}` });
    wire.send(frame);
    expect(await wire.ended).toBe(1008);
    expect(scene.errors).toEqual([]);
  });

  test("are whatever is not in the protocol, and harm nobody else", async () => {
    const { counter, operations } = createCounter();
    const scene = await openWebScene({ operations });
    const other = await openPage(scene);
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ type: fc.constantFrom("hello", "request", "event"), id: fc.anything() }).map((frame) => {
        return JSON.stringify(frame, (_, value) => (typeof value === "bigint" ? String(value) : value));
      }),
    );
    await fc.assert(
      fc.asyncProperty(junk, async (text) => {
        const wire = await openPage(scene);
        wire.send(text);
        expect(await wire.ended).toBe(1008);
      }),
      { numRuns: cases(40) },
    );
    expect(await ask(other, "last", "count")).toMatchObject({ ok: true });
    expect([counter.times, scene.errors]).toEqual([1, []]);
  });

  test("end it when they are binary or too large", async () => {
    const scene = await openWebScene({ limits: { frameBytes: 1_000 } });
    const [binary, large] = [await openPage(scene), await openPage(scene)];
    binary.socket.send(Buffer.from("{}"));
    expect(await binary.ended).toBe(1003);
    large.send({ type: "request", id: "x".repeat(1_000), method: "y" });
    expect(await large.ended).toBe(1009);
  });
});

describe("requests", () => {
  test("are answered as they are done, not as they came", async () => {
    const { counter, operations } = createCounter();
    const scene = await openWebScene({ operations });
    const gate = Promise.withResolvers<void>();
    counter.gate = gate.promise;
    const page = await openPage(scene);
    page.send({ type: "request", id: "slow", method: "count", params: {} });
    await eventually(() => counter.times).toBe(1);
    counter.gate = Promise.resolve();
    expect(await ask(page, "fast", "count")).toMatchObject({ ok: true, result: { times: 2 } });
    gate.resolve();
    expect(await page.waitFor(isAnswer("slow"))).toMatchObject({ ok: true, result: { times: 1 } });
  });

  test("of a guest are refused unless they are for guests", async () => {
    const { counter, operations } = createCounter("owner");
    const scene = await openWebScene({ operations });
    const page = await openPage(scene, anna);
    expect(await ask(page, "1", "count")).toMatchObject({
      ok: false,
      problem: { code: "request.owner-only" },
    });
    expect(await ask(page, "2", "nothing")).toMatchObject({
      ok: false,
      problem: { code: "request.unknown" },
    });
    expect(await ask(page, "3", "constructor")).toMatchObject({ problem: { code: "request.unknown" } });
    expect(counter.times).toBe(0);
  });

  test("that were asked before are not done again, also while they are being done", async () => {
    const { counter, operations } = createCounter();
    const scene = await openWebScene({ operations });
    const gate = Promise.withResolvers<void>();
    counter.gate = gate.promise;
    const page = await openPage(scene);
    page.send({ type: "request", id: "a", method: "count", params: {} });
    await eventually(() => counter.times).toBe(1);
    page.socket.terminate();
    const again = await openPage(scene);
    const answer = ask(again, "a", "count");
    gate.resolve();
    expect(await answer).toMatchObject({ ok: true, result: { times: 1 } });
    expect(await ask(await openPage(scene), "a", "count")).toMatchObject({ result: { times: 1 } });
    expect(await ask(await openPage(scene, anna), "a", "count")).toMatchObject({ result: { times: 2 } });
  });

  test("that fail are told of, and may be asked again under another id", async () => {
    const operations = { fail: { run: () => Promise.reject(new Error("secret detail")) } };
    const scene = await openWebScene({ operations });
    const page = await openPage(scene);
    const answer = await ask(page, "1", "fail");
    expect(answer).toMatchObject({ ok: false, problem: { code: "request.failed" } });
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(scene.errors).toHaveLength(1);
  });

  test("whose answer is no JSON leave the connection as it was", async () => {
    const { operations } = createCounter();
    const scene = await openWebScene({
      operations: { ...operations, odd: { run: () => ({ large: 5n }) } },
    });
    const page = await openPage(scene);
    page.send({ type: "request", id: "odd", method: "odd", params: {} });
    expect(await ask(page, "1", "count")).toMatchObject({ ok: true });
    await eventually(() => scene.errors).toHaveLength(1);
  });

  test("in a flood wait for their turn, and none is lost", async () => {
    let running = 0;
    let most = 0;
    const operations = {
      work: {
        async run() {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return {};
        },
      },
    };
    const scene = await openWebScene({ operations });
    const page = await openPage(scene);
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}`);
    for (const id of ids) page.send({ type: "request", id, method: "work", params: {} });
    const answered = () =>
      new Set(page.frames.flatMap((frame) => (frame.type === "response" ? frame.id : [])));
    await eventually(() => answered().size).toBe(ids.length);
    expect(page.frames).toHaveLength(ids.length + 1);
    expect(most).toBe(32);
  });
});

describe("events", () => {
  test("are told to whom they are for", async () => {
    const scene = await openWebScene();
    const [mine, annas, bobs] = [
      await openPage(scene),
      await openPage(scene, anna),
      await openPage(scene, { person: "bob", role: "guest" }),
    ];
    scene.hub.publish(said("owner's"));
    scene.hub.publish(said("anna's"), { person: "anna" });
    scene.hub.publish(said("end"), { person: "bob" });
    await Promise.all([annas.waitFor(isEvent), bobs.waitFor(isEvent)]);
    await mine.waitFor((frame) => isEvent(frame) && frame.seq === 3);
    expect(eventsOf(mine).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(eventsOf(annas).map(({ seq }) => seq)).toEqual([2]);
    expect(eventsOf(bobs).map(({ seq }) => seq)).toEqual([3]);
  });

  test("that are followed go to those who follow, and are not kept", async () => {
    const operations = {
      follow: {
        run: (_: unknown, __: unknown, { follows }: Caller) => void follows?.add("log"),
      },
    };
    const scene = await openWebScene({ operations });
    const [following, other] = [await openPage(scene), await openPage(scene)];
    await ask(following, "1", "follow");
    scene.hub.publish({ type: "logged", line: "a line" }, { followed: "log" });
    scene.hub.publish(said("end"));
    await following.waitFor((frame) => isEvent(frame) && frame.seq === 2);
    await other.waitFor(isEvent);
    expect(eventsOf(following).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(eventsOf(other).map(({ seq }) => seq)).toEqual([2]);
    expect(scene.hub.since({ life: scene.hub.life, seq: 0 }, owner)).toHaveLength(1);
  });

  test("are all told once and in order, however often the connection breaks", async () => {
    const scene = await openWebScene();
    const cookie = await scene.cookieFor(owner);
    // A number of events, or what happens to the connection.
    const step = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom("drop", "wait"));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const got: number[] = [];
        let seen = { life: scene.hub.life, seq: scene.hub.seq };
        const first = seen.seq;
        const open = async () => {
          const wire = await connect(scene, { cookie, origin: scene.url });
          wire.socket.on("message", (data) => {
            const frame = JSON.parse(String(data)) as ServerFrame;
            if (frame.type === "welcome") expect(frame.isResumed).toBe(true);
            if (!isEvent(frame)) return;
            got.push(frame.seq);
            seen = { ...seen, seq: frame.seq };
          });
          wire.send({ ...hello, seen });
          return wire;
        };
        let wire = await open();
        for (const what of steps) {
          if (what === "drop") {
            wire.socket.terminate();
            await wire.ended;
            wire = await open();
          }
          if (what === "wait") await new Promise((resolve) => setImmediate(resolve));
          for (let left = Number(what); left > 0; left--) scene.hub.publish(said("语".repeat(left)));
        }
        await eventually(() => seen.seq).toBe(scene.hub.seq);
        expect(got).toEqual(Array.from({ length: scene.hub.seq - first }, (_, index) => first + index + 1));
        wire.socket.terminate();
        await wire.ended;
      }),
      { numRuns: cases(30) },
    );
  });

  test("of another life, or that are forgotten, are not told: everything is to be asked again", async () => {
    const scene = await openWebScene({ hub: { mostEvents: 10 } });
    for (let index = 0; index < 100; index++) scene.hub.publish(said("x"));
    const { life } = scene.hub;
    for (const seen of [
      { life: "other", seq: 100 },
      { life, seq: 5 },
      { life, seq: 101 },
    ]) {
      const wire = await connect(scene, { authorization: `Bearer ${controlToken}` });
      wire.send({ ...hello, seen });
      const welcome = await wire.waitFor(({ type }) => type === "welcome");
      expect(welcome).toMatchObject({ isResumed: false, seq: 100 });
      expect(eventsOf(wire)).toEqual([]);
    }
  });

  test("wait for a client that reads slowly, and reach it in order", async () => {
    const scene = await openWebScene();
    const page = await openPage(scene);
    page.socket.pause();
    const long = "x".repeat(20_000);
    for (let index = 0; index < 300; index++) scene.hub.publish(said(long));
    await new Promise((resolve) => setImmediate(resolve));
    page.socket.resume();
    await eventually(() => eventsOf(page).length).toBe(300);
    expect(eventsOf(page).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
  });

  test("are not piled up for one that does not read: it is closed, and asks again", async () => {
    const scene = await openWebScene({ hub: { mostEvents: 50 } });
    const page = await openPage(scene);
    page.socket.pause();
    const long = "x".repeat(100_000);
    for (let index = 0; index < 400; index++) {
      scene.hub.publish(said(long));
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    page.socket.resume();
    expect(await page.ended).toBe(4408);
    const got = eventsOf(page).map(({ seq }) => seq);
    expect(got.length).toBeLessThan(400);
    expect(got).toEqual(got.map((_, index) => index + 1));
  });
});

test("the end of the server is told to everyone, and nobody keeps it from ending", async () => {
  const scene = await openWebScene();
  const pages = [await openPage(scene), await openPage(scene)];
  pages[1]?.socket.pause();
  await scene.close();
  expect(await pages[0]?.ended).toBe(1001);
});

function createWork() {
  const work = { times: 0, result: "" };
  const run = async (): Promise<ResponseFrame> => {
    work.times += 1;
    return { type: "response", id: "x", ok: true, result: work.result };
  };
  return { work, run };
}

test("the latest two thousand answers are remembered for each client", async () => {
  const done = new DoneRequests();
  const { work, run } = createWork();
  for (let id = 0; id < 2_001; id++) await done.once("owner", String(id), run);
  await done.once("anna", "2000", run);
  expect(work.times).toBe(2_002);
  await done.once("owner", "2000", run);
  await done.once("owner", "2", run);
  expect(work.times).toBe(2_002);
  await done.once("owner", "0", run);
  expect(work.times).toBe(2_003);
});

test("an answer that is large is not kept: it was read, and is read again", async () => {
  const done = new DoneRequests();
  const { work, run } = createWork();
  work.result = "语".repeat(20_000);
  await done.once("owner", "1", run);
  await done.once("owner", "1", run);
  expect(work.times).toBe(2);
});

test("work that broke is not remembered", async () => {
  const done = new DoneRequests();
  const { run } = createWork();
  await expect(done.once("owner", "1", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await done.once("owner", "1", run)).toContain('"ok":true');
});
