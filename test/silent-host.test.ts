// A gateway process whose model says nothing, with time that passes when the test lets it: the person is told, the wait ends,
// and so does the program when it is told to.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anything, like, sentence, words } from "./support/english.ts";
import { type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { configFor, createProgramHome, nanobot } from "./support/run-program.ts";
import { type Program, startProgram } from "./support/start-program.ts";

const preload = join(import.meta.dirname, "support/leaping-time.mjs");
const patienceSeconds = 40;

async function open(replies: FakeModelReply[], modelPatienceSeconds = 300) {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const model = await startFakeModel((_, index) => replies[index] ?? {});
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const defaults = { provider: "custom", model: "test-model", modelPatienceSeconds };
  const { env } = await createProgramHome(
    configFor(model.url, {
      agents: { defaults },
      memory: { autoRecall: false },
      channels: { telegram: channel, collectMs: 0 },
    }),
    { NANOBOT_LLM_TIMEOUT_S: String(modelPatienceSeconds) },
  );
  const start = async () => {
    const [node = "", ...line] = nanobot("gateway", "--port", "0");
    const program = startProgram([node, "--import", preload, ...line], { env });
    await program.waitFor(words.gateway.stopHint);
    return program;
  };
  return { telegram, model, start, heard: () => telegram.messages.map(({ text }) => text) };
}

const stillWaiting = sentence("model.still-waiting", { host: "Custom (OpenAI-compatible)" });

/** Time passes up to so many seconds after the start. */
async function pass(program: Program, { from = 0, to }: { from?: number; to: number }): Promise<void> {
  for (let leap = from / 5 + 1; leap <= to / 5; leap++) {
    program.kill("SIGUSR2");
    await program.waitFor(`leap ${leap}.`);
  }
}

describe.each(["from the start", "after the head", "but for comments"] as const)(
  "a host that is silent %s",
  (silent) => {
    it("is mentioned once after 20 seconds and given up in words, and the next message is answered", async () => {
      const replies = [{ silent }, { text: "Here I am." }];
      const { telegram, model, start, heard } = await open(replies, patienceSeconds);
      const program = await start();
      telegram.say("are you there?");
      await model.waitForRequests(1);
      await pass(program, { to: 15 });
      expect(heard()).toEqual([]);
      await pass(program, { from: 15, to: 20 });
      await telegram.waitFor(() => heard().length === 1);
      await pass(program, { from: 20, to: patienceSeconds + 5 });
      await telegram.waitFor(() => heard().length === 2);
      telegram.say("and now?");
      await telegram.waitFor(() => heard().length === 3);
      expect(heard()).toEqual([
        stillWaiting,
        expect.stringMatching(like(sentence("model.gave-up", { host: anything, seconds: patienceSeconds }))),
        "Here I am.",
      ]);
      expect(model.requests).toHaveLength(2);
    });
  },
);

it("a gateway that waits for a silent host ends in bounded time at SIGTERM, and the turn goes on at the next start", async () => {
  const silent = "from the start";
  const { telegram, model, start, heard } = await open([{ silent }, { text: "Here I am." }]);
  const program = await start();
  telegram.say("are you there?");
  await model.waitForRequests(1);
  program.kill("SIGTERM");
  await program.waitFor(words.gateway.draining);
  // A little more: when it begins to count, nobody is told.
  const isOver = program.ended.then(() => {});
  await Promise.race([isOver, pass(program, { to: 60 }).catch(() => isOver)]);
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  await start();
  await telegram.waitFor(() => heard().includes("Here I am."));
  expect(heard().filter((text) => text !== stillWaiting)).toEqual(["Here I am."]);
});
