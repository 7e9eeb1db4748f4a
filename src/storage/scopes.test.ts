// Every repository, all pairs of scopes: what was written under one is not returned under another. Sessions:
// sessions/scope.test.ts; the search index: recall/recall-isolation.test.ts.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDocuments } from "../../test/support/documents.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createJobList } from "../../test/support/job-list.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { silentLog } from "../lib/log.ts";
import { ResultStore } from "./blobs/result-store.ts";
import { type Restore, UndoLog } from "./changes/undo-log.ts";
import { RememberedApprovals } from "./grants/remembered-approvals.ts";
import { fromScope, type Scope } from "./scope.ts";
import { listScopes, mediaOf, resultsOf, rootOf, scopeAround, toScopeName } from "./scope-folders.ts";

const scopes: Scope[] = ["owner", "person:ann", "person:..", "group:ann", "group:a/b"];
const pairs = scopes.flatMap((own) =>
  scopes.filter((other) => other !== own).map((other): [Scope, Scope] => [own, other]),
);

/** Writes something of a scope, and says whether it is returned when it is asked for under a scope. */
interface Repository {
  write(scope: Scope): Promise<void>;
  /** By the same key as it was written under by `other`. */
  isFound(asked: Scope, other: Scope): Promise<boolean>;
}

const memory = "memory/MEMORY.md";
const nothing = async () => {};
const restore: Restore = { write: nothing, remove: nothing, removeFolder: nothing, move: nothing };

const repositories: Record<string, (home: string) => Promise<Repository>> = {
  async files(home) {
    const documents = openDocuments(home);
    return {
      write: (scope) => documents.of(scope).write(memory, `- of ${scope}`),
      isFound: async (asked, other) => (await documents.of(asked).readText(memory)).includes(`of ${other}`),
    };
  },
  async notes(home) {
    const documents = openDocuments(home);
    const content = (scope: Scope) => `said under ${scope}`;
    return {
      write: (scope) => documents.of(scope).addNote({ session_key: "k", content: content(scope) }),
      async isFound(asked, other) {
        const store = documents.of(asked);
        const notes = await Promise.all((await store.listNotes()).map((path) => store.readText(path)));
        return notes.some((text) => text.includes(content(other)));
      },
    };
  },
  async history(home) {
    const documents = openDocuments(home);
    return {
      write: async (scope) => void (await documents.of(scope).history.append({ content: scope })),
      isFound: async (asked, other) =>
        (await documents.of(asked).history.read()).some(({ content }) => content === other),
    };
  },
  async versions(home) {
    const documents = openDocuments(home);
    return {
      async write(scope) {
        await documents.of(scope).write(memory, `- of ${scope}`);
        await documents.of(scope).versions.commit({ kind: "edit", paths: [memory] });
      },
      isFound: async (asked, other) =>
        (await documents.of(asked).versions.log({ most: 9 })).some(({ details }) =>
          details.includes(`of ${other}`),
        ),
    };
  },
  async provenance(home) {
    const documents = openDocuments(home);
    return {
      write: (scope) =>
        documents.of(scope).provenance.record([{ file: memory, line: `drawn from ${scope}`, at: 1 }]),
      isFound: async (asked, other) =>
        (await documents.of(asked).provenance.find(`drawn from ${other}`)).length > 0,
    };
  },
  async jobs(home) {
    const jobs = await createJobList(createFakeClock(), { home });
    const everyHour = { kind: "every" as const, everyMs: 3_600_000 };
    const place = { sessionKey: "k", channel: "fake", chatId: "1" };
    return {
      async write(scope) {
        const origin = { ...fromScope(scope) };
        await jobs.add({ id: scope, name: scope, message: "tea", schedule: everyHour, origin, ...place });
      },
      async isFound(asked, other) {
        const isListed = (await jobs.list(asked)).some(({ id }) => id === other);
        const isChanged = await jobs.setEnabled(other, asked, false).then(
          () => true,
          () => false,
        );
        expect(isChanged).toBe(isListed);
        return isListed;
      },
    };
  },
  async approvals(home) {
    const remembered = new RememberedApprovals(join(home, "approvals.json"), createFakeClock());
    return {
      write: (scope) => remembered.add(scope, `make ${scope}`, "/the/same/place"),
      isFound: (asked, other) => remembered.has(asked, `make ${other}`, "/the/same/place"),
    };
  },
  async undo(home) {
    const undo = new UndoLog({ folder: join(home, "undo"), clock: createFakeClock(), log: silentLog });
    return {
      async write(scope) {
        const path = join(home, toScopeName(scope));
        const taken = await undo.take(path);
        await writeFile(path, scope);
        await undo.recordChange({ scope, sessionKey: "k", turnId: scope }, path, taken);
      },
      isFound: async (asked) => (await undo.undo({ scope: asked, sessionKey: "k" }, restore)) !== undefined,
    };
  },
  async results(home) {
    const paths = { toolResults: join(home, "tool-results") };
    const results = new ResultStore({ paths, clock: createFakeClock(), log: silentLog });
    const stored = new Map<Scope, string>();
    return {
      async write(scope) {
        stored.set(scope, await results.store(scope, { sessionKey: "k", callId: "c" }, scope));
      },
      async isFound(asked, other) {
        await results.remove(asked, "k");
        return !existsSync(stored.get(other) ?? "");
      },
    };
  },
};

describe.each(Object.entries(repositories))("%s", (_, open) => {
  test.each(scopes)("of %s are found by it", async (scope) => {
    const repository = await open(await createTemporaryFolder());
    for (const each of scopes) await repository.write(each);
    expect(await repository.isFound(scope, scope)).toBe(true);
  });

  test.each(pairs)("%s gets nothing of %s", async (own, other) => {
    const repository = await open(await createTemporaryFolder());
    await repository.write(other);
    expect(await repository.isFound(own, other)).toBe(false);
    expect(await repository.isFound(other, other)).toBe(true);
  });
});

test("no two scopes share a folder or a name, and a root leads back to its scope", async () => {
  const home = await createTemporaryFolder();
  const workspace = join(home, "workspace");
  const paths = { toolResults: join(home, "results"), media: join(home, "media") };
  const places = [
    (scope: Scope) => rootOf(workspace, scope),
    (scope: Scope) => resultsOf(paths, scope),
    (scope: Scope) => mediaOf(paths, scope),
    toScopeName,
  ];
  for (const toPlace of places) expect(new Set(scopes.map(toPlace)).size).toBe(scopes.length);
  for (const scope of scopes) {
    expect(scopeAround(workspace, join(rootOf(workspace, scope), memory))).toBe(scope);
    await openDocuments(home).of(scope).write(memory, "x");
  }
  expect(scopeAround(workspace, home)).toBeUndefined();
  expect((await listScopes(workspace)).sort()).toEqual(scopes.toSorted());
});
