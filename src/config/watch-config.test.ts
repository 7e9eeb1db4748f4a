import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { systemClock } from "../lib/clock.ts";
import { resolveHome } from "../storage/home.ts";
import { loadConfig } from "./load.ts";
import { watchConfig } from "./watch-config.ts";

async function load(home: string) {
  const env = { HOME: home, NANOBOT_HOME: home };
  const loaded = await loadConfig({ home: resolveHome({ env }), env });
  if (!loaded.ok) throw new Error("not loaded");
  return loaded;
}

it.each([
  { what: "is edited after it was read, before anybody looks", edits: true, isTaken: false },
  { what: "stays as it was read", edits: false, isTaken: false },
  { what: "is written by the gateway, which uses it already", edits: true, isTaken: true },
])("a config that $what: edited is $edits, taken before is $isTaken", async ({ edits, isTaken }) => {
  const home = await createTemporaryFolder({ "config.json": "{}" });
  const path = join(home, "config.json");
  let { stamp } = await load(home);
  if (edits) await writeFile(path, '{"agents":{"defaults":{"maxTokens":77}}}');
  const ending = new AbortController();
  let looks = 0;
  let noticed = 0;
  const sleep = async () => {
    if (isTaken) ({ stamp } = await load(home));
    if (++looks === 5) ending.abort();
  };
  await watchConfig(
    { config: path },
    {
      clock: { ...systemClock, sleep },
      signal: ending.signal,
      inUse: () => stamp,
      onChange: async () => void noticed++,
    },
  );
  expect(noticed).toBe(edits && !isTaken ? 1 : 0);
});
