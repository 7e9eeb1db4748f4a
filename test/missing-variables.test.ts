// A limit whose environment variable is not set: the program starts, nothing that it forbids is allowed, and it is said.
import { expect, test } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say } from "../src/i18n/words.ts";
import { sentence } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome } from "./support/run-program.ts";
import { typeHere } from "./support/type-here.ts";

const gone = `\${GONE}`;

async function open(limits: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  const model = await startFakeModel(() => ({ text: "Hello." }));
  const home = await createProgramHome(configFor(model.url, limits), env);
  return { model, run: (...args: string[]) => typeHere(args, home.env) };
}

test("without the number of a budget no model is asked; start, status and doctor say why", async () => {
  const { model, run } = await open({ budget: { day: { tokens: gone } } });
  const asked = await run("agent", "-m", "hello");
  const reason = phrase("config.variable-not-set", { variable: "GONE", effect: "no-spending" });
  const warning = sentence("config.at", { path: "budget.day.tokens", reason });
  expect(asked.stderr).toContain(warning);
  expect(asked.stderr + asked.stdout).toContain(sentence("budget.unset", { period: "day" }));
  expect(model.requests).toEqual([]);
  expect((await run("status")).stdout.replaceAll(/\s+/g, " ")).toContain(warning);
  expect((await run("doctor")).stdout.replaceAll(/\s+/g, " ")).toContain(warning);
});

test("without a rule against commands there are none, and everything else works", async () => {
  const { model, run } = await open({ tools: { exec: { deny: [gone] } } }, { LC_ALL: "zh_CN.UTF-8" });
  const asked = await run("agent", "-m", "hello");
  expect(asked.stdout).toContain("Hello.");
  const offered = model.requests.flatMap(({ tools = [] }) => tools.map((tool) => tool.function.name));
  expect(offered).toContain("read_file");
  expect(offered).not.toContain("exec");
  const reason = phrase("config.variable-not-set", { variable: "GONE", effect: "no-commands" });
  const warning = `tools.exec.deny[0]: ${say(reason, createWords("chinese"))}`;
  for (const text of [asked.stderr, (await run("status")).stdout, (await run("doctor")).stdout])
    expect(text.replaceAll(/\s+/g, " ")).toContain(warning);
});
