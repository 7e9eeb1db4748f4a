import { appendFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createSessionHome, readRecords, said, sampleEpoch } from "../../../test/support/session-home.ts";
import type { Scope } from "../scope.ts";
import type { Session } from "./session.ts";

/** A session whose last metadata line holds this, as another program could have written it. */
async function openWith(metadata: Record<string, unknown>, scope: Scope = "owner"): Promise<Session> {
  const store = await (await createSessionHome()).openStore();
  const session = await store.open("k", "owner");
  await session.append([said("T", "hello")]);
  await appendFile(session.path, `${JSON.stringify({ _type: "metadata", key: "k", metadata })}\n`);
  return store.open("k", scope);
}

describe("metadata of a session", () => {
  test("a value of the wrong type counts as absent", async () => {
    const session = await openWith({
      title: 7,
      pinned: "yes",
      trustedUntil: "tomorrow",
      subagent: { parent: "cli:direct" },
      epoch: { hash: "x", from: 0 },
      counted: { model: "m" },
      _last_usage: { prompt_tokens: "many" },
      _last_summary: { text: 1 },
      _nanobot_model_preset: {},
      runtime_checkpoint: "half",
    });
    expect(session.metadata).toEqual({ scope: "owner" });
  });

  test("of something that names no person or group only the owner may be the owner", async () => {
    for (const scope of ["", "ann", 5, null, { person: "ann" }])
      expect((await openWith({ scope })).scope).toBe("owner");
    expect((await openWith({ scope: "person:ann" }, "person:ann")).scope).toBe("person:ann");
    expect((await openWith({ scope: "group:choir" }, "group:choir")).scope).toBe("group:choir");
  });

  test("without a scope it is nobody's, unless it was answered in: then it is the owner's", async () => {
    expect((await openWith({})).scope).toBeUndefined();
    expect((await openWith({ epoch: sampleEpoch() })).scope).toBe("owner");
    expect((await openWith({ epoch: { hash: "damaged" } })).scope).toBe("owner");
  });

  test("keys of other programs survive a change of ours", async () => {
    const session = await openWith({ webui: true, goal_state: { step: 2 }, title: "old" });
    await session.updateMetadata({ title: "new" });
    expect((await readRecords(session.path)).at(-1)?.metadata).toEqual({
      webui: true,
      goal_state: { step: 2 },
      title: "new",
    });
  });
});
