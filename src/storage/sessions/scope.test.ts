// Nothing of one scope is returned under another, whatever is asked for.
import { describe, expect, test } from "vitest";
import { answered, createSessionHome, said } from "../../../test/support/session-home.ts";
import type { Scope } from "../scope.ts";
import type { SessionManager } from "./session-manager.ts";

const scopes: Scope[] = ["owner", "person:ann", "person:bob", "group:choir"];

const keyOf = (scope: Scope) => `chat:${scope}`;
const closedOf = async (store: SessionManager, scope: Scope) =>
  (await store.list(scope, { archived: true })).find(({ isClosed }) => isClosed)?.key ?? "";

/** Each has a conversation that goes on, and one that is closed. */
async function createStore(): Promise<SessionManager> {
  const home = await createSessionHome();
  const store = await home.openStore();
  for (const scope of scopes) {
    for (const turn of ["old", "new"]) {
      const id = `${scope} ${turn}`;
      const session = await store.claim(keyOf(scope), scope);
      await session?.append([said(id, `${turn} of ${scope}`), answered(`${id}.1`, "yes")]);
      if (turn === "old") await store.close(keyOf(scope), scope, { toArchive: true });
    }
  }
  return home.openStore();
}

const pairs = scopes.flatMap((own) =>
  scopes.filter((other) => other !== own).map((other): [Scope, Scope] => [own, other]),
);

describe("a scope", () => {
  test.each(scopes)("%s finds its own conversations", async (scope) => {
    const store = await createStore();
    expect((await store.open(keyOf(scope), scope)).count).toBe(2);
    const cards = await store.list(scope, { archived: true });
    expect(cards.map(({ preview }) => preview).sort()).toEqual([`new of ${scope}`, `old of ${scope}`]);
    const closed = await closedOf(store, scope);
    expect((await store.find(closed, scope))?.has(`${scope} old`)).toBe(true);
    expect(await store.locate(keyOf(scope), `${scope} old`, scope)).toEqual({
      conversation: closed,
      entryId: `${scope} old`,
    });
    expect(await store.locate(keyOf(scope), `${scope} new`, scope)).toMatchObject({
      conversation: keyOf(scope),
    });
    const undo = (await store.remove(closed, scope)) ?? "";
    expect(await store.restore(undo, scope)).toBe(closed);
  });

  test.each(pairs)("%s gets nothing of %s", async (own, other) => {
    const store = await createStore();
    const notFound = { phrase: { code: "chat.not-found" } };
    const [key, closed] = [keyOf(other), await closedOf(store, other)];
    await expect(store.open(key, own)).rejects.toMatchObject(notFound);
    for (const conversation of [key, closed]) {
      expect(await store.find(conversation, own)).toBeUndefined();
      expect(await store.cardOf(conversation, own)).toBeUndefined();
      await expect(store.branch(conversation, own, { to: "stolen" })).rejects.toMatchObject(notFound);
      await expect(store.remove(conversation, own)).rejects.toMatchObject(notFound);
    }
    expect((await store.list(own, { archived: true })).every(({ scope }) => scope === own)).toBe(true);
    expect(await store.locate(key, `${other} new`, own)).toBeUndefined();
    expect(await store.locate(key, `${other} old`, own)).toBeUndefined();
    for await (const { session } of store.findAll(key, own)) expect(session.count).toBe(0);
    await expect(store.rewind(key, own, `${other} new`)).rejects.toMatchObject(notFound);
    await expect(store.close(key, own)).rejects.toMatchObject(notFound);
    await expect(store.erase(key, own)).rejects.toMatchObject(notFound);
    const undo = (await store.remove(closed, other)) ?? "";
    await expect(store.restore(undo, own)).rejects.toMatchObject(notFound);
    expect(await store.claim(key, own)).toBeUndefined();
    expect((await store.open(key, other)).count).toBe(2);
  });

  test("is that of the conversation for what waits to be archived", async () => {
    const store = await createStore();
    for (const name of await store.pending.list()) {
      const { session, scope } = (await store.pending.open(name)) ?? {};
      expect(session?.has(`${scope} old`)).toBe(true);
    }
    expect(await store.pending.list()).toHaveLength(scopes.length);
  });

  test("is inherited by a branch, and nothing that was allowed", async () => {
    const store = await createStore();
    const session = await store.open(keyOf("person:ann"), "person:ann");
    await session.updateMetadata({ trustedUntil: 9e15, title: "mine" });
    await store.branch(session.key, "person:ann", { to: "branch" });
    const branch = await store.open("branch", "person:ann");
    expect(branch.metadata).toEqual({ scope: "person:ann" });
    await expect(store.open("branch", "owner")).rejects.toThrow();
  });
});

describe("a conversation that is nobody's", () => {
  test("belongs to the first who speaks in it", async () => {
    const store = await (await createSessionHome()).openStore();
    expect((await store.open("k", "person:ann")).count).toBe(0);
    expect((await store.claim("k", "person:bob"))?.scope).toBe("person:bob");
    await (await store.open("k", "person:bob")).append([said("T", "hello")]);
    expect(await store.claim("k", "person:ann")).toBeUndefined();
    expect((await store.claim("k", "person:ann", "T"))?.scope).toBe("person:bob");
  });

  test("gives nothing on that was allowed in it before", async () => {
    const store = await (await createSessionHome()).openStore();
    const session = await store.claim("k", "owner");
    await session?.updateMetadata({ trustedUntil: 9e15 });
    expect((await store.claim("k", "person:ann"))?.metadata).toEqual({ scope: "person:ann" });
  });

  test("is the owner's to read when it is of the Python original, until another speaks in it", async () => {
    const store = await (await createSessionHome()).openStore();
    await (await store.open("k", "owner")).append([said("T", "imported")]);
    await expect(store.open("k", "person:ann")).rejects.toThrow();
    expect((await store.open("k", "owner")).count).toBe(1);
    expect((await store.claim("k", "person:ann"))?.count).toBe(1);
    await expect(store.open("k", "owner")).rejects.toThrow();
  });
});
