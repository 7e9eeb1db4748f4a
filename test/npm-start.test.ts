// `npm start` in a terminal, as a person starts and ends it: Ctrl-C reaches npm and the program, and npm passes on its own.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";
import { words } from "./support/english.ts";
import { type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { configFor, createProgramHome, keys, openInTerminal } from "./support/run-program.ts";

const preloads = ["npm-copy.mjs", "leaping-time.mjs"].map((name) =>
  join(import.meta.dirname, "support", name),
);
const withoutNetwork = { npm_config_update_notifier: "false" };

async function open(replies: FakeModelReply[]) {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const model = await startFakeModel((_, index) => replies[index] ?? {});
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const { home, env } = await createProgramHome(
    configFor(model.url, {
      memory: { autoRecall: false },
      channels: { telegram: channel, collectMs: 0 },
    }),
  );
  const start = async () => {
    const terminal = openInTerminal(["npm", "start", "--", "--port", "0"], {
      env: { ...env, NODE_OPTIONS: preloads.map((path) => `--import=${path}`).join(" "), ...withoutNetwork },
      cwd: packagePath(),
    });
    await terminal.waitFor(words.gateway.stopHint);
    return terminal;
  };
  const heard = () => telegram.messages.map(({ text }) => text);
  const kept = async () => {
    const names = await readdir(join(home, "sessions"), { recursive: true });
    const files = names.filter((name) => name.endsWith(".jsonl"));
    return Promise.all(files.map((name) => readFile(join(home, "sessions", name), "utf8")));
  };
  const pid = async () => JSON.parse(await readFile(join(home, "run", "gateway.json"), "utf8")).pid as number;
  return { telegram, model, start, heard, kept, pid };
}

it("finishes and keeps the answer that is being written at one Ctrl-C, and ends on its own", async () => {
  const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
  const { telegram, start, heard, kept } = await open([
    { text: ["Half of an answer, which", " is whole now."], waitFor: rest },
  ]);
  const terminal = await start();
  telegram.say("tell me");
  await telegram.waitFor(() => heard().some((text) => text.includes("Half")));
  terminal.type(keys.ctrlC);
  await terminal.waitFor("npm has passed on SIGINT");
  goOn();
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toContain(words.gateway.draining);
  expect(heard()).toEqual(["Half of an answer, which is whole now."]);
  expect(await kept()).toEqual([expect.stringContaining("Half of an answer, which is whole now.")]);
});

it("ends at once at another Ctrl-C that is no copy of the first, and the turn goes on at the next start", async () => {
  const never = new Promise<void>(() => {});
  const { telegram, start, heard, pid } = await open([
    { text: "Half of an answer, which never", waitFor: never },
    { text: "A whole answer." },
  ]);
  const terminal = await start();
  telegram.say("tell me");
  await telegram.waitFor(() => heard().some((text) => text.includes("Half")));
  terminal.type(keys.ctrlC);
  await terminal.waitFor("npm has passed on SIGINT");
  // Half a second is over: five have passed.
  process.kill(await pid(), "SIGUSR2");
  await terminal.waitFor("leap 1.");
  terminal.type(keys.ctrlC);
  expect(await terminal.ended).toBe(130);
  const next = await start();
  await telegram.waitFor(() => heard().includes("A whole answer."));
  expect(heard()).toEqual(["A whole answer."]);
  next.type(keys.ctrlC);
  expect(await next.ended).toBe(0);
});
