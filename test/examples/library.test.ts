// What docs/sdk.md shows works.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createNanobot, createScripted, type Message, type Nanobot } from "../../src/index.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { forget, plan } from "./library-call.ts";
import { reply } from "./library-ephemeral.ts";
import { find, forgetCustomer, remember } from "./library-memory.ts";
import { ask } from "./library-run.ts";
import { tell } from "./library-stream.ts";
import { createShopAssistant } from "./library-tools.ts";

const opened: Nanobot[] = [];

afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close();
});

async function open(...script: Parameters<typeof createScripted>): Promise<Nanobot> {
  const home = await createTemporaryFolder();
  const env = { HOME: home, PATH: process.env.PATH };
  const bot = await createNanobot({ home, env, provider: createScripted(...script) });
  opened.push(bot);
  return bot;
}

test("a question and its answer", async () => {
  const home = await createTemporaryFolder();
  vi.stubEnv("HOME", home);
  const script = [{ text: "Twelve.", usage: { input: 7, cached: 0, output: 1 } }];
  await writeFile(join(home, "script.json"), JSON.stringify(script));
  const providers = { scripted: { script: join(home, "script.json") } };
  const agents = { defaults: { provider: "scripted", model: "scripted" } };
  await writeFile(join(home, "config.json"), JSON.stringify({ agents, providers }));
  expect(await ask(home, "How many?")).toBe("Twelve.\n(tools: none; tokens: 7 in, 1 out)");
});

test("an answer as it is written", async () => {
  const bot = await open([
    { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
    { deltas: ["Two ", "files."] },
  ]);
  let told = "";
  await tell(bot, "What is there?", (text) => {
    told += text;
  });
  expect(told).toBe("\n[list_dir]\nTwo files.");
});

test("a tool of the program's own", async () => {
  const home = await createTemporaryFolder();
  const provider = createScripted([
    { toolCalls: [{ name: "count_stock", arguments: { article: "apples" } }] },
    (request) => `There are ${request.messages.at(-1)?.content}.`,
  ]);
  const bot = await createShopAssistant({ home, env: { HOME: home, PATH: process.env.PATH }, provider });
  opened.push(bot);
  expect((await bot.run("Apples?")).text).toBe("There are 12.");
});

test("a history that the program keeps", async () => {
  const bot = await open(["Hello Mo.", "Your name is Mo."]);
  let history: Message[] = [];
  history = await reply(bot, history, "I am Mo.");
  history = await reply(bot, history, "Who am I?");
  expect(history.map(({ content }) => content)).toEqual([
    "I am Mo.",
    "Hello Mo.",
    "Who am I?",
    "Your name is Mo.",
  ]);
  expect(await bot.sessions.list()).toEqual([]);
});

test("operations by their names", async () => {
  const bot = await open([]);
  expect(await plan(bot, "Tell me to make tea")).toEqual(["Tell me to make tea"]);
  await bot.memory.write("- likes tea\n- owes Bob money\n");
  expect(await forget(bot, "Bob money")).toBe(1);
  expect(await forget(bot, "Bob money")).toBe(0);
  expect(await bot.memory.read()).toBe("- likes tea\n");
});

test("memory, search, and forgetting someone", async () => {
  const bot = await open(["Noted.", "Noted."]);
  await remember(bot, "The shop opens at eight.");
  expect(await bot.memory.read()).toContain("- The shop opens at eight.");
  await bot.run("I like quinces.", { session: "customer:7" });
  await bot.run("I like plums.", { session: "customer:8" });
  expect((await find(bot, "quinces")).join("\n")).toContain("customer:7: I like quinces.");
  expect(await forgetCustomer(bot, "7")).toEqual([expect.stringContaining("quinces")]);
  expect((await bot.sessions.list()).map(({ key }) => key)).toEqual(["customer:8"]);
});
