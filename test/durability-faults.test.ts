// A home that is kept elsewhere, with a person on Telegram, while the engine refuses to commit: everything waits and is done
// once; and when the home is lost, nothing more is done to the world, and the next holder goes on.
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import type { CodeScript } from "../src/llm/scripted.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import type { DurabilityFault } from "../src/storage/durability.ts";
import { serveHome } from "../src/storage/served-homes.ts";
import { sentence, words } from "./support/english.ts";
import { eventually } from "./support/eventually.ts";
import { type FakeTelegram, startFakeTelegram } from "./support/fake-telegram.ts";
import { sampled } from "./support/long-form.ts";
import { moveMarkers, RecordingDurability, readKept, readTables } from "./support/recording-durability.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestGateways, createTestGateway, type TestGatewayOptions } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

/** Pauses are asked for as they are, and pass quickly. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
};

const callOf = (name: string, args = {}) => ({ toolCalls: [{ name, arguments: args }] });
const heard = ({ messages }: FakeTelegram) => messages.map(({ text }) => text);

async function connect(): Promise<FakeTelegram> {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  return telegram;
}

/** A gateway on a home that an engine keeps in a second folder. */
async function open(telegram: FakeTelegram, script: CodeScript, options: TestGatewayOptions = {}) {
  const copy = join(await createTemporaryFolder(), "copy");
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  let engine: RecordingDurability | undefined;
  const gateway = await createTestGateway(script, {
    clock,
    ...options,
    config: { channels: { telegram: channel, collectMs: 0 }, tools: { approval: "off" } },
    async beforeBuild(home) {
      await options.beforeBuild?.(home);
      engine = new RecordingDurability(home, copy);
      onTestFinished(serveHome(home, engine));
    },
  });
  if (engine === undefined) throw new Error("it was not begun");
  return { gateway, engine, copy };
}

/** As another machine does after the loss: with what was committed, and nothing else. */
function takeOver(
  telegram: FakeTelegram,
  copy: string,
  script: CodeScript,
  options: TestGatewayOptions = {},
) {
  return open(telegram, script, {
    ...options,
    beforeBuild(home) {
      rmSync(home, { recursive: true });
      cpSync(copy, home, { recursive: true });
      moveMarkers(home);
    },
  });
}

function createAct(work: () => Promise<void> | void = () => {}) {
  const acts: string[] = [];
  const act = defineTool({
    name: "act",
    description: "acts",
    parameters: z.object({}),
    repeat: "never",
    async execute(_, { callId }) {
      acts.push(callId);
      await work();
      return { content: "it is done" };
    },
  });
  return { acts, tools: [act as Tool] };
}

describe.each(["unavailable", "quota"] as const)("a home whose engine says %s", (fault: DurabilityFault) => {
  /** Undefined when there are not so many commits. */
  async function fail(at: number) {
    const telegram = await connect();
    const { acts, tools } = createAct();
    const script = [callOf("act"), callOf("write_file", { path: "a.md", content: "one" }), "All done."];
    const { gateway, engine, copy } = await open(telegram, script, { tools });
    await eventually(() => telegram.polls).toBeGreaterThan(0);
    engine.attempts = 0;
    engine.plan = (attempt) => (attempt >= at && attempt < at + 3 ? fault : undefined);
    telegram.say("do it");
    await telegram.waitFor(() => heard(telegram).includes("All done."));
    const isReached = engine.attempts > at + 3;
    await eventually(() => gateway.app.loop.activeTurns).toBe(0);
    await eventually(() => readTables(gateway.home).outbox?.filter((row) => !isSent(row))).toEqual([]);
    const { inbox, outbox } = readTables(copy) as Record<string, Array<{ state: string; attempts: number }>>;
    const seen = {
      acts: acts.length,
      asked: gateway.provider.requests.length,
      file: readFileSync(join(gateway.home, "workspace", "a.md"), "utf8"),
      states: inbox?.map(({ state }) => state),
      attempts: Math.max(...(outbox ?? []).map(({ attempts }) => attempts)),
      heard: heard(telegram),
    };
    await closeTestGateways();
    return isReached ? seen : undefined;
  }

  it("waits at whichever commit it is, says so once at most, and does and answers everything once", async () => {
    let told = 0;
    let reached = 0;
    // Each of the faults at every other commit: together they are refused at all of them.
    const step = sampled(2, 1);
    for (let at = fault === "quota" ? step - 1 : 0; ; at += step) {
      const seen = await fail(at);
      if (seen === undefined) break;
      reached = at;
      expect(seen, `commit ${at}`).toMatchObject({
        acts: 1,
        asked: 3,
        file: "one",
        states: ["done"],
        attempts: 1,
      });
      const notices = seen.heard.filter((text) => text !== "All done.");
      expect(
        seen.heard.filter((text) => text === "All done."),
        `commit ${at}`,
      ).toHaveLength(1);
      expect(notices.length, `commit ${at}`).toBeLessThanOrEqual(1);
      for (const notice of notices) {
        expect(notice).toContain(words.failure.storeWaits);
        expect(notice.includes(sentence("durability.quota"))).toBe(fault === "quota");
      }
      told += notices.length;
    }
    expect(reached).toBeGreaterThan(4);
    expect(told).toBeGreaterThan(sampled(0, 2));
  });

  it("is told of while it lasts, before it is over", async () => {
    const telegram = await connect();
    const { acts, tools } = createAct();
    let engine: RecordingDurability | undefined;
    const script = [
      () => {
        if (engine !== undefined) engine.fault = fault;
        return callOf("act");
      },
      "All done.",
    ];
    const opened = await open(telegram, script, { tools });
    engine = opened.engine;
    telegram.say("do it");
    await telegram.waitFor(() => heard(telegram).length > 0);
    expect(heard(telegram)).toEqual([expect.stringContaining(words.failure.storeWaits)]);
    expect(acts).toEqual([]);
    engine.fault = undefined;
    await telegram.waitFor(() => heard(telegram).includes("All done."));
    expect(acts).toHaveLength(1);
    expect(heard(telegram)).toHaveLength(2);
  });
});

describe("a home that is lost", () => {
  /** Nothing more is done or written; what is given back says so of the time until it is called. */
  async function expectEnd({ gateway, engine, copy }: Awaited<ReturnType<typeof open>>) {
    const [files, tables] = [readKept(copy), readTables(copy)];
    const asked = gateway.provider.requests.length;
    await gateway.ended;
    expect(gateway.provider.requests).toHaveLength(asked);
    const left = [readKept(gateway.home), readTables(gateway.home)];
    const { commits } = engine;
    return () => {
      expect([readKept(gateway.home), readTables(gateway.home)]).toEqual(left);
      expect([readKept(copy), readTables(copy)]).toEqual([files, tables]);
      expect([engine.commits, gateway.provider.requests.length]).toEqual([commits, asked]);
    };
  }

  it("while the model is asked calls no tool and sends nothing; the next holder answers", async () => {
    const telegram = await connect();
    const { acts, tools } = createAct();
    let lose = () => {};
    const script = [
      () => {
        lose();
        return callOf("act");
      },
      "Too late.",
    ];
    const opened = await open(telegram, script, { tools });
    lose = () => {
      opened.engine.fault = "lost";
    };
    telegram.say("do it");
    await opened.gateway.isAsked(1);
    const expectSilence = await expectEnd(opened);
    expect(acts).toEqual([]);
    expect(heard(telegram)).toEqual([]);
    await takeOver(telegram, opened.copy, [callOf("act"), "All done."], { tools });
    await telegram.waitFor(() => heard(telegram).includes("All done."));
    expect(heard(telegram)).toEqual(["All done."]);
    expectSilence();
    expect(acts).toHaveLength(1);
  });

  it("while a tool runs asks no model, begins no other tool and sends nothing; the next holder is careful", async () => {
    const telegram = await connect();
    let lose = () => {};
    const { acts, tools } = createAct(() => lose());
    const twice = {
      toolCalls: [...callOf("act").toolCalls, { name: "exec", arguments: { command: "touch made" } }],
    };
    const opened = await open(telegram, [twice, "Too late."], { tools });
    lose = () => {
      opened.engine.fault = "lost";
    };
    telegram.say("do it");
    await eventually(() => acts.length).toBe(1);
    const expectSilence = await expectEnd(opened);
    expect(opened.gateway.provider.requests).toHaveLength(1);
    expect(existsSync(join(opened.gateway.home, "workspace", "made"))).toBe(false);
    expect(heard(telegram)).toEqual([]);
    const next = await takeOver(telegram, opened.copy, ["All done."], { tools });
    await telegram.waitFor(() => heard(telegram).includes("All done."));
    expect(heard(telegram)).toEqual(["All done."]);
    expectSilence();
    // It may have happened: it is not done again, and the model knows.
    expect(acts).toHaveLength(1);
    expect(JSON.stringify(next.gateway.provider.requests)).toMatch(/interrupted/i);
  });

  it("before an answer is sent does not send it; the next holder sends it, and asks no model", async () => {
    const telegram = await connect();
    const opened = await open(telegram, ["All done."]);
    opened.engine.onCommitted = () => {
      if ((readTables(opened.copy).outbox ?? []).length > 0) opened.engine.fault = "lost";
    };
    telegram.say("do it");
    await eventually(() => opened.engine.fault).toBe("lost");
    const expectSilence = await expectEnd(opened);
    expect(heard(telegram)).toEqual([]);
    const next = await takeOver(telegram, opened.copy, ["Again?"]);
    await telegram.waitFor(() => heard(telegram).includes("All done."));
    expect(heard(telegram)).toEqual(["All done."]);
    expectSilence();
    expect(next.gateway.provider.requests).toEqual([]);
  });
});

describe("a message that cannot be committed", () => {
  it("is answered once when its platform repeats it", async () => {
    const telegram = await connect();
    const { gateway, engine } = await open(telegram, { loop: true, steps: ["Here."] });
    await eventually(() => telegram.polls).toBeGreaterThan(0);
    engine.fault = "unavailable";
    const id = telegram.say("hello");
    await eventually(() => engine.refused).toBeGreaterThan(1);
    expect(telegram.acknowledged.has(id)).toBe(false);
    await eventually(() => readTables(gateway.home).inbox).toEqual([]);
    engine.fault = undefined;
    await telegram.waitFor(() => telegram.acknowledged.has(id) && heard(telegram).length > 0);
    await eventually(() => gateway.app.loop.activeTurns).toBe(0);
    expect(heard(telegram)).toEqual(["Here."]);
  });

  it("is never answered when its platform does not repeat it, here or on another machine", async () => {
    const telegram = await connect();
    const { gateway, engine, copy } = await open(
      telegram,
      { loop: true, steps: ["Here."] },
      { clock: systemClock },
    );
    const client = await openWebClient(gateway);
    await client.ask("chat.open", { sessionKey: "web:one" });
    engine.fault = "unavailable";
    await expect(client.ask("chat.send", { sessionKey: "web:one", text: "refused" })).rejects.toThrow();
    engine.fault = undefined;
    telegram.say("accepted");
    await telegram.waitFor(() => heard(telegram).length > 0);
    await eventually(() => gateway.app.loop.activeTurns).toBe(0);
    expect(JSON.stringify(gateway.provider.requests)).not.toContain("refused");
    expect(JSON.stringify([readTables(gateway.home), readTables(copy)])).not.toContain("refused");
    const next = await takeOver(telegram, copy, { loop: true, steps: ["Here."] });
    telegram.say("accepted too");
    await telegram.waitFor(() => heard(telegram).length > 1);
    expect(
      JSON.stringify(next.gateway.provider.requests.map(({ messages }) => messages.at(-1))),
    ).not.toContain("refused");
  });
});

function isSent(row: unknown): boolean {
  return (row as { state: string }).state === "sent";
}
