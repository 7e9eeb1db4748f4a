import { expect, test } from "vitest";
import { createRecallHome, type RecallHome } from "../../test/support/recall-home.ts";
import { owner as origin } from "../../test/support/tool-context.ts";
import type { Session } from "../storage/sessions/session.ts";
import { PromptRecall } from "./turn-recall.ts";

/** In which every search is late. */
async function createLate(): Promise<RecallHome & { prompt: PromptRecall; session: Session }> {
  const home = await createRecallHome();
  const { openRecall, clock, store, say } = home;
  await say("old", ["The falcon nests on the tower", "The violin hangs in the cellar"]);
  const recall = openRecall({ clock: { ...clock, sleep: async () => {} } });
  await recall.refresh();
  const prompt = new PromptRecall(recall, async () => []);
  return { ...home, recall, prompt, session: await store.open("now", "owner") };
}

/** By then it has been found. */
async function ask({ prompt, session, recall }: Awaited<ReturnType<typeof createLate>>, text: string) {
  const { note } = await prompt.recall({ text, origin, session });
  await recall.search({ query: text, scope: "owner" });
  return note;
}

test("what is late is given to the next step of the turn, once", async () => {
  const home = await createLate();
  const { prompt, session } = home;
  expect(await ask(home, "falcon tower")).toBe("");
  expect((await prompt.takeLate({ session, origin }))?.note).toContain("The falcon nests on the tower");
  expect(await prompt.takeLate({ session, origin })).toBeUndefined();
});

test("what no step has taken goes with the next message of the same conversation, and of no other", async () => {
  const home = await createLate();
  expect(await ask(home, "falcon tower")).toBe("");
  const other = { ...home, session: await home.store.open("other", "owner") };
  expect(await ask(other, "Nothing of the kind")).toBe("");
  expect(await ask(home, "violin cellar")).toContain("The falcon nests on the tower");
  expect(await ask(home, "Nothing of the kind")).toContain("The violin hangs in the cellar");
});
