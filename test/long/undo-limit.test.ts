// /undo of a command that made more files than are kept for it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { anything, like, words } from "../support/english.ts";
import { closeTestApps, createTestApp } from "../support/test-app.ts";

afterEach(closeTestApps);

it("puts back so many files, names the others, and says how many there are", async () => {
  const command = "mkdir many && cd many && touch $(seq 4100)";
  const steps = [{ toolCalls: [{ name: "exec", arguments: { command } }] }, "done"];
  const app = await createTestApp(steps, { config: { tools: { approval: "off" } } });
  const ask = async (text: string) => (await app.loop.processDirect({ sessionKey: "cli:direct", text })).text;
  await ask("work");
  const told = await ask("/undo");
  expect(await readdir(join(app.workspace, "many"))).toHaveLength(100);
  // The first ones are named.
  expect(told).toMatch(like(words.undo.lost(anything)));
  expect(told).toContain("many/");
  expect(told).toMatch(like(words.undo.more(anything, 80)));
});
