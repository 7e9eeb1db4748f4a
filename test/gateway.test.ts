// The gateway as a process, from end to end: a fake Telegram on one side, a scripted model on the other, and the other
// commands of the same home next to it.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpClient, type GatewayAddress } from "../src/api/client.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { systemClock } from "../src/lib/clock.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { eventually } from "./support/eventually.ts";
import { type FakeTelegram, startFakeTelegram } from "./support/fake-telegram.ts";
import { createProgramHome, nanobot, type ProgramHome } from "./support/run-program.ts";
import { type Program, runProgram, startProgram } from "./support/start-program.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

interface Scene extends ProgramHome {
  telegram: FakeTelegram;
  gateway: Program;
  /** Another command of the same home. */
  type(...argv: string[]): ReturnType<typeof runProgram>;
  /** What the models were asked for, by cause. A streamed answer can be read before it is counted. */
  usage(): Promise<string>;
  start(): Promise<Program>;
  /** What was sent to a chat, as it reads now. */
  heard(chatId?: string): string[];
}

interface Setting {
  steps: unknown[];
  loop?: boolean;
  telegram?: object;
  config?: Record<string, unknown>;
}

async function open({ steps, loop = true, ...setting }: Setting): Promise<Scene> {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const home = await createProgramHome();
  const script = join(home.home, "script.json");
  await writeFile(script, JSON.stringify({ steps, loop }));
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const config = {
    agents: { defaults: { provider: "scripted", model: "script" } },
    providers: { scripted: { script } },
    memory: { autoRecall: false },
    ...setting.config,
    channels: {
      telegram: { ...channel, ...setting.telegram },
      collectMs: 0,
      ...(setting.config?.channels ?? {}),
    },
  };
  await writeFile(join(home.home, "config.json"), JSON.stringify(config));
  const start = async () => {
    const program = startProgram(nanobot("gateway", "--port", "0"), { env: home.env });
    await program.waitFor(words.gateway.stopHint);
    return program;
  };
  const heard = (chatId = "42") =>
    telegram.messages.filter((message) => message.chatId === chatId).map(({ text }) => text);
  const type = (...argv: string[]) => runProgram(nanobot(...argv), { env: home.env });
  const usage = async () => (await type("usage", "--by", "cause", "--json")).stdout;
  return { ...home, telegram, gateway: await start(), type, usage, start, heard };
}

async function readAddress({ home }: ProgramHome): Promise<GatewayAddress> {
  return JSON.parse(await readFile(join(home, "run", "gateway.json"), "utf8"));
}

describe("a gateway", () => {
  it("answers in the chat, says how it is, and ends when it is told to", async () => {
    const scene = await open({ steps: ["Hello Ann."] });
    const { telegram, heard, type, gateway } = scene;
    telegram.say("hi");
    await telegram.waitFor(() => heard().includes("Hello Ann."));
    const status = JSON.parse((await type("gateway", "status", "--json")).stdout);
    expect(status).toMatchObject({
      isRunning: true,
      pid: gateway.pid,
      channels: [
        { name: "telegram", state: "running", received: 1 },
        { name: "web", state: "running" },
        { name: "cli", state: "running" },
      ],
      problems: [],
    });
    await eventually(scene.usage).toMatch(/"group":"user","calls":1/);
    expect((await type("gateway", "stop")).code).toBe(0);
    expect((await gateway.ended).code).toBe(0);
    expect(await type("gateway", "status")).toMatchObject({ code: 1 });
    expect(heard()).toEqual(["Hello Ann."]);
  });

  it("is the only one of its home", async () => {
    const { type, gateway } = await open({ steps: ["Hello."] });
    const second = await type("gateway", "--port", "0");
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(like(words.gateway.isRunning(gateway.pid, anything)));
  });

  it("goes on with the channels that work when another one is broken", async () => {
    const { telegram, heard, type } = await open({
      steps: ["Still here."],
      config: { channels: { email: { enabled: true }, pigeon: { enabled: true } } },
    });
    telegram.say("hi");
    await telegram.waitFor(() => heard().length > 0);
    const { stdout } = await type("gateway", "status");
    expect(stdout).toContain(`telegram: ${words.gateway.state.running}`);
    expect(stdout).toContain(sentence("channels.unknown", { channel: "pigeon" }));
    expect(stdout).toMatch(like(`email${anything}channels.email`));
  });

  it.each([
    [
      "cannot be started",
      { token: "9:wr0ng-5ecret" },
      phrase("channels.telegram-token", { status: 401 }),
      "channels.failed",
    ],
    [
      "is not connected",
      { token: "9:wr0ng-5ecret", apiBase: "http://127.0.0.1:1" },
      phrase("channels.unreachable", { platform: "Telegram" }),
      "channels.lost",
    ],
  ] as const)(
    "says in the terminal that a channel %s and why, without its secrets",
    async (_, block, reason, code) => {
      const { gateway } = await open({ steps: ["Hello."], telegram: block });
      await gateway.waitFor(sentence(code, { channel: "telegram", reason }));
      gateway.kill("SIGTERM");
      expect((await gateway.ended).stderr).not.toContain("wr0ng-5ecret");
    },
  );

  it("admits a stranger whom the owner approves, with the same rights from then on", async () => {
    const { telegram, heard, type } = await open({ steps: ["Welcome."], telegram: { allowFrom: [] } });
    telegram.say("hello?");
    await telegram.waitFor(() => heard().length === 1);
    const [, code = ""] = /\b([A-Z0-9]{4}-[A-Z0-9]{4})\b/.exec(heard()[0] ?? "") ?? [];
    expect((await type("pairing")).stdout).toContain(code);
    expect((await type("pairing", "approve", code, "--owner")).stdout).toMatch(
      like(words.pairing.approved(anything, words.pairing.roles.owner)),
    );
    telegram.say("and now?");
    await telegram.waitFor(() => heard().includes("Welcome."));
    telegram.say("/pairing");
    await telegram.waitFor(() =>
      heard().some((text) => text.includes(words.pairing.sender("telegram", "42"))),
    );
    expect((await type("pairing", "revoke", "telegram", "42")).code).toBe(0);
    telegram.say("and now?", { message_id: 900 });
    await telegram.waitFor(() => telegram.acknowledged.size === 4);
    expect(heard().filter((text) => text === "Welcome.")).toHaveLength(1);
  });
});

describe("the schedule of a gateway", () => {
  it("runs a job at its time, and its answer arrives in its chat", async () => {
    const { telegram, heard, type, usage } = await open({ steps: ["Drink some water."] });
    const chat = ["--deliver", "--channel", "telegram", "--to", "42"];
    const added = await type("cron", "add", "--message", "water", "--every", "1s", ...chat, "--json");
    const { id } = JSON.parse(added.stdout);
    await telegram.waitFor(() => heard().includes("Drink some water."));
    expect((await type("cron", "pause", id)).code).toBe(0);
    const history = async () => (await type("cron", "history", id)).stdout;
    // The answer is told first.
    await eventually(history).toMatch(like(`water: ${words.schedule.status.ok}, `));
    expect((await type("cron")).stdout).toMatch(like(`heartbeat: ${anything}${words.schedule.own}`));
    await eventually(usage).toContain('"group":"cron"');
  });

  it("keeps the answer of a job of the terminal in its conversation until it is opened", async () => {
    const scene = await open({ steps: ["Stand up and stretch."] });
    const { type } = scene;
    const { id } = JSON.parse((await type("cron", "add", "-m", "stretch", "--every", "1s", "--json")).stdout);
    const address = await readAddress(scene);
    const client = await openWebClient({ ...address, client: createHttpClient(address) });
    onTestFinished(closeWebClients);
    const texts = async () =>
      (await client.ask("chat.open", { sessionKey: "cli:direct" })).entries.map(({ text }) => text);
    await expect.poll(texts, { timeout: 30_000 }).toContain("Stand up and stretch.");
    await type("cron", "remove", id);
    expect((await type("outbox")).stdout).toBe(`${words.outbox.empty}\n`);
  });

  it("does what a chat asked for later, and lists it there", async () => {
    await using telegram = await startFakeTelegram();
    const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
    const plan = { action: "add", message: "tea", at: new Date(Date.now() + 3_600_000).toISOString() };
    let ahead = 0;
    const { client } = await createTestGateway(
      [{ toolCalls: [{ name: "cron", arguments: plan }] }, "I will tell you.", "Tea is ready."],
      {
        config: { channels: { telegram: channel, collectMs: 0 } },
        clock: { ...systemClock, now: () => systemClock.now() + ahead },
      },
    );
    onTestFinished(closeTestGateways);
    const heard = () => telegram.messages.map(({ text }) => text);
    telegram.say("remind me of my tea");
    await telegram.waitFor(() => heard().includes("I will tell you."));
    const [job] = (await client.call("jobs.list", {})).jobs.filter(({ kind }) => kind === "turn");
    ahead = 3_600_000;
    // The schedule looks at the clock after every change.
    await client.call("jobs.edit", { id: job?.id ?? "", name: "the kettle" });
    await telegram.waitFor(() => heard().includes("Tea is ready."));
    telegram.say("/cron");
    await telegram.waitFor(() => heard().some((text) => /heartbeat/.test(text)));
    const cards = heard().filter((text) => text.startsWith(words.reply.planned));
    expect(cards).toHaveLength(1);
    const others = heard().filter((text) => !cards.includes(text));
    expect(others).toEqual(["I will tell you.", "Tea is ready.", expect.not.stringMatching(/tea/)]);
  });

  it("keeps quiet when a look at the tasks finds nothing to tell, and speaks when it does", async () => {
    const { telegram, heard, usage, workspace } = await open({
      steps: ["Hello.", "All clear.", "The plant needs water."],
      config: { gateway: { heartbeat: { intervalS: 1 } } },
    });
    telegram.say("hi");
    await telegram.waitFor(() => heard().includes("Hello."));
    // From here on every step is a look's: the one before and a conversation share the model's script in no order.
    await writeFile(join(workspace, "HEARTBEAT.md"), "## Active Tasks\n\n- look after the plant\n");
    await telegram.waitFor(() => heard().includes("The plant needs water."));
    expect(heard()).not.toContain("All clear.");
    await eventually(usage).toContain('"group":"heartbeat"');
  });
});

describe("the end of a gateway", () => {
  it("lets running work finish, and still sends its answer", async () => {
    const { telegram, heard, gateway } = await open({ steps: [{ text: "At last.", delayMs: 1_000 }] });
    telegram.say("take your time");
    await telegram.waitFor(() => telegram.acknowledged.size === 1);
    gateway.kill("SIGTERM");
    expect((await gateway.ended).code).toBe(0);
    expect(heard()).toEqual(["At last."]);
  });

  it("does not wait for anything at a second signal, and loses nothing", async () => {
    const scene = await open({ steps: [{ deltas: ["Half an answer, which never"], hold: true }] });
    const { telegram, heard, gateway, home, start } = scene;
    telegram.say("never ends");
    await telegram.waitFor(() => heard().length === 1);
    gateway.kill("SIGTERM");
    await gateway.waitFor(words.gateway.draining);
    // What comes within half a second is npm's copy of the first.
    const again = setInterval(() => gateway.kill("SIGTERM"), 100);
    expect((await gateway.ended.finally(() => clearInterval(again))).code).toBe(143);
    await writeFile(join(home, "script.json"), JSON.stringify({ steps: ["A whole answer."], loop: true }));
    await start();
    await telegram.waitFor(() => heard().includes("A whole answer."));
    expect(heard()).toEqual(["A whole answer."]);
  });

  it("by kill -9 in the middle of a turn costs only time", async () => {
    const { telegram, heard, gateway, home, start } = await open({ steps: [{ text: "x", hold: true }] });
    telegram.say("are you there?");
    await telegram.waitFor(() => telegram.acknowledged.size === 1);
    gateway.kill("SIGKILL");
    await gateway.ended;
    await writeFile(join(home, "script.json"), JSON.stringify({ steps: ["I am."], loop: true }));
    await start();
    await telegram.waitFor(() => heard().includes("I am."));
  });

  it("says that it is back after a restart, also when the clock was set meanwhile", async () => {
    const { telegram, heard, home, start, ...scene } = await open({ steps: ["Hello."] });
    let { gateway } = scene;
    for (const [index, days] of [-365, 365].entries()) {
      gateway.kill("SIGKILL");
      await gateway.ended;
      const at = Date.now() + days * 86_400_000;
      const note = JSON.stringify({ at, channel: "telegram", chatId: "42" });
      await writeFile(join(home, "run", "restart.json"), note);
      gateway = await start();
      await telegram.waitFor(() => heard().length > index);
    }
    expect(heard()).toEqual([words.answers.restart.back, words.answers.restart.back]);
  });

  it("is a new beginning when the owner asks for it in a chat", async () => {
    const scene = await open({ steps: ["Hello."] });
    const { telegram, heard, gateway } = scene;
    telegram.say("hi");
    await telegram.waitFor(() => heard().length === 1);
    const before = await readAddress(scene);
    telegram.say("/restart");
    await telegram.waitFor(() => heard().length === 3);
    expect(heard().slice(1)).toEqual([
      words.answers.restart.begins,
      expect.stringMatching(like(words.answers.restart.done(anything))),
    ]);
    const after = await readAddress(scene);
    expect(after.pid).toBe(gateway.pid);
    expect(after.token).not.toBe(before.token);
    telegram.say("hi");
    await telegram.waitFor(() => heard().length === 4);
  });
});
