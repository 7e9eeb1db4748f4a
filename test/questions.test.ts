// Questions of slash commands end to end: put to the person who gave the command, answered by the next message. And what
// is left of questions after a restart.
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { Command } from "../src/agent/commands.ts";
import { yesOrNo } from "../src/bus/ask.ts";
import type { Origin } from "../src/bus/types.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createIds } from "../src/lib/ids.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp, type TestAppOptions } from "./support/test-app.ts";

const commands = (["now", "idle"] as const).map(
  (when): Command => ({
    name: `wipe-${when}`,
    when,
    async run({ ask }) {
      const { choice, text = "" } = await ask({ phrase: phrase("approval.schedule"), choices: yesOrNo });
      return `${choice} ${text}`.trim();
    },
  }),
);
afterEach(closeTestApps);

const li: Partial<Origin> = { role: "guest", person: "li" };
const clock = createFakeClock();
const options: TestAppOptions = { canAsk: () => true, clock, commands };

let count = 0;

function talk(app: TestApp) {
  const channel = createFakeChannel("fake");
  const ending = new AbortController();
  const running = app.loop.run(ending.signal, { drainMs: 1_000 });
  void channel.serve(app.bus, ending.signal);
  const asked: string[] = [];
  channel.onLive(({ body }) => body.type === "ask-start" && asked.push(body.question.phrase.code));
  /** Never under the id of a message of an earlier life. */
  const say = (text: string, origin: Partial<Origin> = {}) =>
    channel.say(text, { origin, sourceKey: `said-${++count}` });
  const give = async (text: string, origin: Partial<Origin> = {}) => {
    const before = asked.length;
    await say(text, origin);
    await expect.poll(() => asked.length).toBe(before + 1);
  };
  const hear = async (text: string, origin: Partial<Origin> = {}) => {
    await say(text, origin);
    return (await channel.nextPart()).text;
  };
  /** As a gateway ends that cannot wait: what runs is left for the next start. */
  const leave = async (release = () => {}) => {
    ending.abort();
    await clock.advance(1_000);
    release();
    await running;
  };
  return { channel, asked, say, give, hear, leave };
}

describe.each(["/wipe-now", "/wipe-idle"])("a question of %s", (command) => {
  it.each<[string, Partial<Origin>]>([
    ["the owner", {}],
    ["a guest", li],
  ])("is answered by the next message of %s", async (_, origin) => {
    const { give, hear, asked } = talk(await createTestApp([], options));
    await give(command, origin);
    expect(await hear("yes", origin)).toBe("yes");
    await give(command, origin);
    expect(await hear("n", origin)).toBe("no");
    expect(asked).toHaveLength(2);
  });

  it("means no when something else is said, which has an answer of its own", async () => {
    const { channel, give, hear } = talk(await createTestApp(["It rains."], options));
    await give(command);
    expect(await hear("what is the weather?")).toBe("no what is the weather?");
    expect((await channel.nextPart()).text).toBe("It rains.");
  });

  it("gives way to another command", async () => {
    const { channel, say, give } = talk(await createTestApp([], options));
    await give(command);
    await say("/help");
    const parts = [(await channel.nextPart()).text, (await channel.nextPart()).text];
    expect(parts).toContainEqual(expect.stringContaining("/status"));
    expect(parts).toContainEqual("no /help");
  });

  it("is not asked where nobody can answer", async () => {
    const app = await createTestApp([], { ...options, canAsk: () => false });
    const outcome = await app.loop.processDirect({ sessionKey: "cli:direct", text: command });
    expect(outcome).toMatchObject({ stop: "error" });
  });
});

it("is not answered by anyone else in a group", async () => {
  const { give, hear } = talk(await createTestApp(["Hello."], options));
  const group = { group: "family" };
  await give("/wipe-now", group);
  expect(await hear("yes", { ...li, ...group })).toBe("Hello.");
  expect(await hear("yes", group)).toBe("yes");
});

describe("after a restart", () => {
  async function openBus() {
    const database = await StateDatabase.open({ path: join(await createTemporaryFolder(), "state.db") });
    onTestFinished(() => database.close());
    return () => DurableBus.open({ state: database, clock, ids: createIds(clock) });
  }

  it.each(["/wipe-now", "/wipe-idle"])("the question of %s is asked again", async (command) => {
    const open = await openBus();
    const app = await createTestApp([], { ...options, bus: await open() });
    const first = talk(app);
    await first.give(command);
    await first.leave();
    const second = talk(await app.restart([], { bus: await open() }));
    await expect.poll(() => second.asked.length).toBe(1);
    expect(await second.hear("yes")).toBe("yes");
  });

  const ran: string[] = [];
  const clean = defineTool({
    name: "clean",
    description: "Cleans.",
    parameters: z.object({}),
    effects: () => [{ type: "run", command: "rm -r site", outside: true }],
    async execute() {
      ran.push("clean");
      return { content: "cleaned" };
    },
  }) as Tool;
  const call = { toolCalls: [{ name: "clean", arguments: {} }] };

  it("what was said in place of an answer is answered exactly once", async () => {
    const open = await openBus();
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const isRefusal = (content: unknown) => String(content).includes("the owner said no, and: move it");
    const app = await createTestApp([call, "never said"], {
      ...options,
      tools: [clean],
      bus: await open(),
      async waitBefore({ messages }) {
        if (!messages.some(({ content }) => isRefusal(content))) return;
        reached.resolve();
        await held.promise;
      },
    });
    const first = talk(app);
    await first.give("clean up");
    await first.say("move it instead");
    await reached.promise;
    await first.leave(held.resolve);
    const again = await app.restart(["Moved.", "Hello."], { bus: await open(), waitBefore: async () => {} });
    const second = talk(again);
    expect((await second.channel.nextPart()).text).toBe("Moved.");
    expect(await second.hear("hello")).toBe("Hello.");
    const { messages = [] } = again.provider.requests.at(-1) ?? {};
    const said = messages.filter(
      ({ role, content }) => role === "user" && /move it/.test(JSON.stringify(content)),
    );
    expect([said.length, messages.filter(({ content }) => isRefusal(content)).length]).toEqual([1, 1]);
    expect([again.provider.requests.length, ran]).toEqual([2, []]);
  });
});
