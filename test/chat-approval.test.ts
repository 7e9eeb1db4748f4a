// A question for approval in a real terminal: how it is drawn, and how it is answered.
import { expect, it } from "vitest";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome, keys, nanobot, openInTerminal } from "./support/run-program.ts";

const command = "rm -r 'build\u202e\u001b[2J'";

async function openChat(env: NodeJS.ProcessEnv = {}) {
  const call = { toolCalls: [{ name: "exec", arguments: { command } }] };
  const model = await startFakeModel((_, index) => (index % 2 === 0 ? call : { text: "All done." }));
  const home = await createProgramHome(configFor(model.url), env);
  const chat = openInTerminal(nanobot("agent"), { env: home.env });
  await chat.waitFor("> ");
  return { ...chat, model, say: (text: string) => chat.type(text + keys.enter) };
}

it("shows command, reason, risk and choices, obeys nothing in them, and takes each kind of answer", async () => {
  const chat = await openChat();
  chat.say("go");
  await chat.waitFor("Allow? ");
  await chat.waitFor("rm -r 'build<U+202E>␛[2J'");
  await chat.waitFor("Why it is asked: ");
  await chat.waitFor("Risk: a command can change, delete and start things.");
  await chat.waitFor("[y]es, [s]ession, [a]lways, [N]o");
  chat.say("what is that?");
  await chat.waitFor("Please answer the question first: [y]es, [s]ession, [a]lways, [N]o");
  chat.say("n");
  await chat.waitFor("Refused.");
  await chat.waitFor("All done.");
  chat.say("again");
  await chat.waitFor("[y]es, [s]ession, [a]lways, [N]o");
  chat.say("always");
  await chat.waitFor("Allowed.");
  await chat.waitFor("All done.");
  chat.say("once more");
  await chat.waitFor("All done.");
  chat.say("/untrust");
  await chat.waitFor("1. rm -r 'build<U+202E>␛[2J'");
  for (const hidden of ["\u202e", "\u001b[2J"]) expect(chat.raw()).not.toContain(hidden);
  chat.say("exit");
  expect(await chat.ended).toBe(0);
});

it("asks in the language of the terminal", async () => {
  const chat = await openChat({ LANG: "zh_CN.UTF-8" });
  chat.say("开始");
  await chat.waitFor("允许吗？运行一条命令");
  await chat.waitFor("风险：命令可以修改、删除和启动东西。");
  await chat.waitFor("[y] 允许，[s] 本次会话允许，[a] 总是允许，[N] 不允许");
  chat.say("不行");
  await chat.waitFor("已拒绝。");
  await chat.waitFor("All done.");
});
