import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { resolveHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { systemClock } from "../lib/clock.ts";
import { watchConfig } from "./watch-config.ts";

async function load(home: string) {
  const env = { HOME: home, NANOBOT_HOME: home };
  const loaded = await loadConfig({ home: resolveHome({ env }), env });
  if (!loaded.ok) throw new Error("not loaded");
  return loaded;
}

it.each([
  { what: "is edited after it was read, before anybody looks", edits: true },
  { what: "stays as it was read", edits: false },
])("a config that $what: noticed is $edits", async ({ edits }) => {
  const home = await createTemporaryFolder({ "config.json": "{}" });
  const path = join(home, "config.json");
  const { stamp: known } = await load(home);
  if (edits) await writeFile(path, '{"agents":{"defaults":{"maxTokens":77}}}');
  const ending = new AbortController();
  let looks = 0;
  let noticed = 0;
  await watchConfig(path, {
    clock: { ...systemClock, sleep: async () => void (++looks === 5 && ending.abort()) },
    signal: ending.signal,
    known,
    onChange: async () => void noticed++,
  });
  expect(noticed).toBe(edits ? 1 : 0);
});
