// What of a session is in memory, and that everything else is still found in its file.
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  answered,
  createSessionHome,
  type SessionHome,
  said,
  sampleEpoch,
} from "../../../test/support/session-home.ts";
import type { Session } from "./session.ts";

const key = "cli:direct";
const pause = "a few words of no importance ".repeat(10);

/** As turns do it: a message, the epoch that it is sent in, an answer. */
async function talk(session: Session, turns: number, { keep = 10 } = {}): Promise<void> {
  const { count } = session;
  for (let turn = count / 2; turn < count / 2 + turns; turn++) {
    const from = Math.max(0, session.count - keep);
    await session.append([said(`t${turn}`, `question ${turn} ${pause}`)]);
    await session.updateMetadata({ epoch: sampleEpoch(from) }, { lastConsolidated: from });
    await session.append([answered(`t${turn}.1`, `answer ${turn} ${pause}`)]);
  }
}

async function reload(home: SessionHome): Promise<Session> {
  return (await home.openStore()).open(key, "owner");
}

const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);
const allIds = (turns: number) =>
  Array.from({ length: turns }, (_, turn) => [`t${turn}`, `t${turn}.1`]).flat();

test("a conversation holds as much after a thousand turns as after a hundred, in the same process and after a start", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  await talk(session, 100);
  const [held, bytes] = [session.recent.length, session.heldBytes];
  await talk(session, 900);
  for (const each of [session, await reload(home)]) {
    expect(each.count).toBe(2_000);
    expect(each.recent.length).toBe(held);
    expect(idsOf(each.recent)).toEqual(allIds(1_000).slice(-held));
    // In addition to an id for each older message, and lines of the file up to the last place that is noted in it.
    expect(each.heldBytes - bytes).toBeLessThan(100 * 2_000 + 64 * 1_500);
    expect(each.heldBytes).toBeLessThan(0.3 * (await readFile(each.path)).length);
  }
});

test("older messages are read by their positions, as they were when they were said", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  const whole = await home.openStore();
  const before = await whole.open("cli:other", "owner");
  await before.append(Array.from({ length: 150 }, (_, turn) => said(`t${turn}`, `question ${turn}`)));
  const expected = [...before.recent];
  await writeFile(session.path, await readFile(before.path));
  await session.updateMetadata({}, { lastConsolidated: 140 });
  expect(session.start).toBe(140);
  for (const each of [session, await reload(home)]) {
    expect(await each.read()).toEqual(expected);
    for (const [from, to] of [
      [0, 1],
      [63, 65],
      [64, 128],
      [130, 145],
      [145, 150],
      [149, 999],
      [7, 7],
      [-5, 3],
    ])
      expect(await each.read(from, to)).toEqual(expected.slice(Math.max(0, from ?? 0), to));
    for (const position of [0, 63, 64, 139, 140, 149]) {
      expect(await each.locate(`t${position}`)).toBe(position);
      expect(each.has(`t${position}`)).toBe(true);
    }
    expect(await each.locate("t150")).toBe(-1);
    expect(each.firstId).toBe("t0");
    expect(each.createdAt).toBe(before.createdAt);
  }
});

test("nothing is stored twice, however long ago it was said", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  await talk(session, 200);
  for (const each of [session, await reload(home)]) {
    await each.append([said("t3", "again"), answered("t3.1", "again")]);
    expect(each.count).toBe(400);
  }
});

test("what the last request began with, and the last turn, stay in memory when all is consolidated", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  await talk(session, 20, { keep: 8 });
  await session.updateMetadata({}, { lastConsolidated: session.count });
  expect(session.start).toBe(30);
  await session.updateMetadata({ epoch: undefined });
  for (const each of [session, await reload(home)]) {
    expect(idsOf(each.recent)).toEqual(["t19", "t19.1"]);
    expect(each.slice(0)).toEqual(each.recent);
    expect(each.slice(39, 40)).toEqual(each.recent.slice(1));
  }
});

test("a cursor that is set back brings its messages back", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  await talk(session, 100);
  await session.updateMetadata({ epoch: undefined }, { lastConsolidated: 20 });
  for (const each of [session, await reload(home)]) {
    expect(each.start).toBeLessThanOrEqual(20);
    expect(idsOf(each.slice(20))).toEqual(allIds(100).slice(20));
  }
  const line = JSON.stringify({ _type: "metadata", key, metadata: {}, last_consolidated: 3 });
  await appendFile(session.path, `${line}\n`);
  await session.refresh();
  expect(idsOf(session.slice(3))).toEqual(allIds(100).slice(3));
});

test("lines that nobody can read, and messages without an id, keep the positions of all others", async () => {
  const home = await createSessionHome();
  const session = await reload(home);
  const lines = Array.from({ length: 200 }, (_, turn) =>
    turn % 7 === 3
      ? "{ half a li"
      : JSON.stringify({ role: turn % 2 ? "assistant" : "user", content: `${turn}` }),
  );
  await session.append([said("t0", "first")]);
  await appendFile(session.path, `${lines.join("\n")}\n`);
  await session.refresh();
  const expected = [...session.recent];
  await session.updateMetadata({}, { lastConsolidated: expected.length - 2 });
  expect(session.recent.length).toBeLessThan(5);
  for (const each of [session, await reload(home)]) {
    expect(await each.read()).toEqual(expected);
    expect(await each.read(100, 130)).toEqual(expected.slice(100, 130));
  }
});

test("a conversation that is not kept in a file loses nothing", async () => {
  const home = await createSessionHome();
  const session = await (await home.openStore()).openUnkept(key, []);
  await talk(session, 50);
  expect(idsOf(session.recent)).toEqual(allIds(50));
  expect(await session.read(3, 5)).toEqual(session.recent.slice(3, 5));
});
