// The chat where nothing can be drawn: no terminal to write on, a dumb one, or a user who wants plain lines.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { showChoice, showChoices } from "./support/choices.ts";
import { words } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome, keys, nanobot, openInTerminal } from "./support/run-program.ts";

async function openPlain(argv: string[], variables: string[]) {
  const risky = { toolCalls: [{ name: "exec", arguments: { command: "rm -r old", outside: true } }] };
  const model = await startFakeModel((_, index) => (index === 1 ? risky : { text: "**so** it\u001b[2J is" }));
  const home = await createProgramHome(configFor(model.url));
  const chat = openInTerminal(["env", ...variables, ...nanobot("agent", ...argv)], { env: home.env });
  await chat.waitFor("> ");
  return { ...chat, model, say: (text: string) => chat.type(text + keys.enter) };
}

it.each([
  { how: "--plain", argv: ["--plain"], variables: [] },
  { how: "TERM=dumb", argv: [], variables: ["TERM=dumb"] },
])("is lines only with $how, with questions and commands in them", async ({ argv, variables }) => {
  const chat = await openPlain(argv, variables);
  chat.say("hi\\");
  await chat.waitFor("… ");
  chat.say("there");
  await chat.waitFor("**so** it␛[2J is");
  await chat.waitFor("> ");
  expect(JSON.stringify(chat.model.requests[0]?.messages.at(-1))).toContain("hi\\nthere");
  chat.say("remove it");
  await chat.waitFor("rm -r old");
  await chat.waitFor(showChoices());
  chat.say("/status");
  await chat.waitFor("test-model");
  await chat.waitFor(showChoices());
  chat.say("");
  await chat.waitFor(showChoice("no"));
  await chat.waitFor("> ");
  chat.say("/stop");
  await chat.waitFor(words.reply.nothingToStop);
  chat.say("exit");
  expect(await chat.ended).toBe(0);
  for (const drawn of ["\u001b[?2004h", "\u001b[?2026h", "\u001b[2K"])
    expect(chat.raw()).not.toContain(drawn);
});

it("writes raw Markdown where answers go into a file, while the terminal shows the rest", async () => {
  const model = await startFakeModel(() => ({ text: ["**one", "** two"] }));
  const home = await createProgramHome(configFor(model.url));
  const line = nanobot("agent").join(" ");
  const chat = openInTerminal(["/bin/sh", "-c", `${line} > out.md`], { env: home.env, cwd: home.home });
  await chat.waitFor("> ");
  chat.type(`first${keys.enter}`);
  await chat.waitFor("> ");
  chat.type(`second${keys.enter}`);
  await chat.waitFor("> ");
  chat.type(keys.ctrlD);
  expect(await chat.ended).toBe(0);
  expect(await readFile(join(home.home, "out.md"), "utf8")).toBe("**one** two\n**one** two\n");
  expect(chat.text()).not.toContain("one");
});
