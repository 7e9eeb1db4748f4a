import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { buildApp } from "../src/app/build-app.ts";
import { reloadConfig } from "../src/app/connect-operations.ts";
import { createWords } from "../src/i18n/words.ts";
import { resolveHome } from "../src/storage/home.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps } from "./support/test-app.ts";

afterEach(closeTestApps);

test("a config that was changed answers from the next turn on, and one that is broken changes nothing", async () => {
  const home = await createTemporaryFolder();
  const path = join(home, "config.json");
  const toConfig = (apiBase: string) =>
    JSON.stringify({
      agents: { defaults: { model: "mine/m" } },
      providers: { mine: { apiBase, apiKey: "k" } },
    });
  const first = await startFakeModel(() => ({ text: "hello" }));
  const second = await startFakeModel(() => ({ text: "hello" }));
  await writeFile(path, toConfig(first.url));
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { app } = built;
  const ask = () => app.loop.processDirect({ sessionKey: "s", text: "hi" });
  await ask();
  expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  await writeFile(path, "{broken");
  expect(await reloadConfig(app)).toMatchObject([{ phrase: { code: "file.bad-json" } }]);
  await ask();
  expect([first.requests.length, second.requests.length]).toEqual([2, 0]);
  await writeFile(path, toConfig(second.url));
  expect(await reloadConfig(app)).toEqual([]);
  await ask();
  expect([first.requests.length, second.requests.length]).toEqual([2, 1]);
  await app.close();
});
