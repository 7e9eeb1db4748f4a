// How entries are referred to: by session and id, by ordinal where a line has none, and as 0.1.0 did it.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRecallHome, type RecallHome } from "../../test/support/recall-home.ts";
import { loadSqlite } from "../storage/database/sqlite.ts";

const key = "cli:python";

/** A session as the Python original writes it, and the offsets of its lines. */
async function writeLines(house: RecallHome, texts: string[]): Promise<number[]> {
  const { path } = await house.store.open(key, "owner");
  const head = JSON.stringify({ _type: "metadata", key, metadata: {}, last_consolidated: 0 });
  const lines = texts.map((content) =>
    JSON.stringify({ role: "user", content, timestamp: "2026-07-01T10:00:00" }),
  );
  await appendFile(path, `${[head, ...lines].join("\n")}\n`);
  let offset = Buffer.byteLength(head) + 1;
  return lines.map((line) => {
    offset += Buffer.byteLength(line) + 1;
    return offset - Buffer.byteLength(line) - 1;
  });
}

/** Of what fits best. */
async function referenceOf(house: RecallHome, query: string): Promise<string | undefined> {
  const { hits } = await house.recall.search({ query, scope: "owner" });
  return hits[0]?.reference;
}

async function textsAt(house: RecallHome, reference: string, scope = "owner"): Promise<string[]> {
  return (await house.recall.read(reference, { scope, around: 0 })).map(({ text }) => text);
}

test("a line without an id is referred to by its ordinal, also when it was read later than others", async () => {
  const house = await createRecallHome();
  await writeLines(house, ["a gannet", "a puffin"]);
  expect(await referenceOf(house, "puffin")).toBe(`${key}@message-1`);
  await writeLines(house, ["a fulmar"]);
  expect(await referenceOf(house, "fulmar")).toBe(`${key}@message-2`);
  expect(await textsAt(house, `${key}@message-2`)).toEqual(["a fulmar"]);
  expect((await house.store.open(key, "owner")).has("message-2")).toBe(true);
  const place = await house.store.locate(key, `${key}@message-2`, "owner");
  expect(place).toEqual({ conversation: key, entryId: "message-2" });
});

test("what 0.1.0 referred to by an offset is still found, by nobody else", async () => {
  const house = await createRecallHome();
  const [, second] = await writeLines(house, ["a gannet", "a puffin"]);
  await house.recall.refresh();
  expect(await textsAt(house, `${key}@${second}`)).toEqual(["a puffin"]);
  expect(await textsAt(house, `${key}@${second}`, "person:ann")).toEqual([]);
});

test("what 0.1.0 forgot by an offset stays forgotten, and in a branch, too", async () => {
  const house = await createRecallHome();
  const [first] = await writeLines(house, ["a gannet on Bass Rock", "a puffin on Bass Rock"]);
  const session = await house.store.open(key, "owner");
  await session.updateMetadata({ forgotten: [`${key}@${first}`] });
  expect(await house.find("Bass Rock")).toEqual(["a puffin on Bass Rock"]);
  await house.store.branch(key, "owner", { to: "cli:branch" });
  expect((await house.store.open("cli:branch", "owner")).metadata.forgotten).toEqual(["message-0"]);
  expect(await house.find("gannet")).toEqual([]);
});

test("an index of 0.1.0 is used as it is, with its offsets", async () => {
  const house = await createRecallHome();
  const [first, second] = await writeLines(house, ["a gannet", "a puffin"]);
  await house.recall.refresh();
  await house.recall.close();
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(join(house.home, "index.db"));
  database.exec(`UPDATE entry SET "key" = '${key}@' || start`);
  const countOf = () => database.prepare("SELECT max(id) AS last FROM entry").get();
  const before = countOf();
  const again = { ...house, recall: house.openRecall() };
  expect(await referenceOf(again, "puffin")).toBe(`${key}@${second}`);
  expect(await textsAt(again, `${key}@${first}`)).toEqual(["a gannet"]);
  await writeLines(house, ["a fulmar"]);
  expect(await referenceOf(again, "fulmar")).toBe(`${key}@message-2`);
  const [found] = await again.recall.match("puffin", "owner");
  expect(found).toMatchObject({ key: `${key}@${second}`, conversation: key });
  expect(countOf()?.last).toBe(Number(before?.last) + 1);
  database.close();
});
