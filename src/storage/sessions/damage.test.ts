import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findIllegalities } from "../../../test/support/legal-history.ts";
import { sampled } from "../../../test/support/long-form.ts";
import { answered, createSessionHome, said } from "../../../test/support/session-home.ts";
import type { StoredMessage } from "./format/message.ts";
import { replay } from "./format/replay.ts";
import type { Session } from "./session.ts";
import type { SessionManager } from "./session-manager.ts";

const newline = "\n".charCodeAt(0);

/** Two stores on one folder, as two processes would have them, and the bytes of a session with everything in it. */
async function createSample() {
  const home = await createSessionHome();
  const store = await home.openStore();
  const session = await store.open("sample", "owner");
  const calls = ["c1", "c2"].map((id) => ({
    id,
    type: "function" as const,
    function: { name: "look", arguments: '{"path":"é"}' },
  }));
  await session.append([said("T", "what is there?")]);
  await session.append([
    { id: "T.1", turn: "T", message: { role: "assistant", content: null, tool_calls: calls } },
  ]);
  for (const [index, { id }] of calls.entries()) {
    const message = { role: "tool" as const, tool_call_id: id, name: "look", content: `文件 ${index}` };
    await session.append([{ id: `T.1.${index}`, turn: "T", message }]);
  }
  await session.updateMetadata({ title: "a look" }, { lastConsolidated: 1 });
  await session.append([answered("T.2", "two files")]);
  return {
    store,
    other: await home.openStore(),
    bytes: await readFile(session.path),
    whole: session.recent,
  };
}

let number = 0;

/** A session whose file has these bytes. */
async function openBytes(store: SessionManager, bytes: Buffer): Promise<Session> {
  const key = `damaged:${number++}`;
  const { path } = await store.open(key, "owner");
  await writeFile(path, bytes);
  return store.open(key, "owner");
}

/** Whatever happened to the file: it is legal, it goes on, and both processes see the same. */
async function expectUsable(session: Session, other: SessionManager): Promise<void> {
  const { length } = session.recent;
  for (const from of [0, session.lastConsolidated]) {
    expect(findIllegalities(replay(session.recent, { from }))).toEqual([]);
  }
  await session.append([said("T9", "and now?"), answered("T9.1", "better")]);
  expect(session.recent.slice(length).map(({ id }) => id)).toEqual(["T9", "T9.1"]);
  const loaded = await other.open(session.key, "owner");
  expect(loaded.recent).toStrictEqual(session.recent);
  expect(loaded.metadata).toStrictEqual(session.metadata);
  expect(loaded.lastConsolidated).toBe(session.lastConsolidated);
  expect(findIllegalities(replay(loaded.recent, { from: 0 }))).toEqual([]);
}

test("a file cut after any of its bytes keeps every whole message and goes on", async () => {
  const { store, other, bytes, whole } = await createSample();
  for (let size = 0; size <= bytes.length; size += sampled(3, 1)) {
    const session = await openBytes(store, bytes.subarray(0, size));
    // A line is whole with its last brace, even before its newline.
    const ends = lineEnds(bytes).filter((end) => end <= size);
    const messages = whole.filter((message) => ends.includes(endOf(bytes, message)));
    expect(session.recent).toStrictEqual(messages);
    await expectUsable(session, other);
  }
});

function lineEnds(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((index) => bytes[index] === newline);
}

function endOf(bytes: Buffer, { id }: StoredMessage): number {
  return bytes.indexOf("\n", bytes.indexOf(`"id":"${id}"`));
}

const change = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), bits: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 300 }) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: fc.nat(),
    piece: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc
        .constantFrom("\n", "\r\n", "\0".repeat(64), "\ufeff", "null", "{", "}", '"', "[]\n", "\u2028")
        .map((text) => Buffer.from(text)),
    ),
  }),
  fc.record({ kind: fc.constant("repeat" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 500 }) }),
);

function apply(
  bytes: Buffer,
  changes: ReadonlyArray<typeof change extends fc.Arbitrary<infer T> ? T : never>,
): Buffer {
  return changes.reduce((current, step) => {
    const at = current.length === 0 ? 0 : step.at % current.length;
    const [head, tail] = [current.subarray(0, at), current.subarray(at)];
    if (step.kind === "insert") return Buffer.concat([head, step.piece, tail]);
    if (step.kind === "cut") return Buffer.concat([head, tail.subarray(step.length)]);
    if (step.kind === "repeat") return Buffer.concat([head, tail.subarray(0, step.length), tail]);
    const flipped = Buffer.from(current);
    flipped[at] = (flipped[at] ?? 0) ^ step.bits;
    return flipped;
  }, bytes);
}

test("a file changed in any way keeps every line that is still whole, in place, and goes on", async () => {
  const { store, other, bytes } = await createSample();
  const originals = new Set(
    bytes
      .toString("latin1")
      .split("\n")
      .filter((line) => line !== ""),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const changed = apply(bytes, changes);
      const session = await openBytes(store, changed);
      const intact = changed
        .toString("latin1")
        .split("\n")
        .filter((line) => originals.has(line));
      const expected = intact.map((line) => JSON.parse(line).id).filter((id) => id !== undefined);
      expect(session.recent.map(({ id }) => id).filter((id) => expected.includes(id))).toEqual(
        expect.arrayContaining(expected),
      );
      await expectUsable(session, other);
      const settled = changed.subarray(0, changed.lastIndexOf(newline) + 1);
      expect((await readFile(session.path)).subarray(0, settled.length).equals(settled)).toBe(true);
    }),
    { numRuns: sampled(100, 400) },
  );
});

test("bytes that no longer mean anything are never lost", async () => {
  const { store, bytes } = await createSample();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const changed = apply(bytes, changes);
      const session = await openBytes(store, changed);
      await session.append([said("T9", "next")]);
      const kept = await readFile(`${session.path}.bad`).catch(() => Buffer.alloc(0));
      const now = Buffer.concat([await readFile(session.path), kept]);
      for (const line of changed.toString("latin1").split("\n")) {
        expect(now.includes(Buffer.from(line, "latin1"))).toBe(true);
      }
    }),
    { numRuns: sampled(75, 300) },
  );
});
