// Subagents through the public interface: a channel, the bus, the loop, a scripted model for parent and child, real tools.

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { MessageBus } from "../src/bus/bus.ts";
import { createMemoryBus } from "../src/bus/memory-bus.ts";
import type { OutboundPart } from "../src/bus/types.ts";
import type { CodeStep } from "../src/llm/scripted.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { createFakeChannel, type FakeChannel } from "./support/fake-channel.ts";
import { untilReached } from "./support/held-tool.ts";
import { closeTestApps, createTestApp, type TestApp, type TestAppOptions } from "./support/test-app.ts";
import { isSubagent, playTwo } from "./support/two-minds.ts";

afterEach(closeTestApps);

type Options = TestAppOptions & { config?: unknown };

interface Talk {
  app: TestApp;
  channel: FakeChannel;
  hear(text: string): Promise<string>;
  next(): Promise<OutboundPart>;
}

/** Where the parent says "started", its subagent begins when that was heard: an earlier result would join that turn. */
async function talk(main: CodeStep[], sub: CodeStep[], options: Options = {}): Promise<Talk> {
  const starts = main.filter((step) => step === "started").map(() => Promise.withResolvers<void>());
  const [toHear, toBegin] = [starts.values(), starts.values()];
  const patient = sub.map(
    (step): CodeStep =>
      async (request) => {
        const isFirst = request.messages.length === 2;
        if (isFirst) await toBegin.next().value?.promise;
        return typeof step === "function" ? step(request) : step;
      },
  );
  const app = await createTestApp(playTwo({ main, sub: patient }), options);
  const channel = createFakeChannel("fake");
  void app.loop.run(new AbortController().signal);
  void channel.serve(app.bus, new AbortController().signal);
  const next = async () => {
    const part = await channel.nextPart();
    if (part.text === "started") toHear.next().value?.resolve();
    return part;
  };
  const hear = async (text: string) => {
    await channel.say(text);
    return (await next()).text;
  };
  return { app, channel, hear, next };
}

const spawn = (task: string, more: Record<string, unknown> = {}) => ({
  toolCalls: [{ name: "spawn", arguments: { task, ...more } }],
});

const look = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };

/** Texts of the last request of the parent, newest last. */
function heardByMain({ provider }: TestApp): string[] {
  const request = provider.requests.findLast((one) => !isSubagent(one));
  return (request?.messages ?? []).map(({ content }) => String(content));
}

const results = (app: TestApp) => heardByMain(app).filter((text) => text.startsWith("[Subagent"));
const requestsOfSub = ({ provider }: TestApp) => provider.requests.filter(isSubagent);

/** Processes of this machine whose command line holds a text. */
function countRunning(text: string): number {
  const isRunning = (number: string) => {
    try {
      return readFileSync(`/proc/${number}/cmdline`, "utf8").includes(`\0${text}\0`);
    } catch {
      return false;
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isRunning(name)).length;
}

/** A step that waits to be let go on. */
function hold(step: CodeStep) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const wait: CodeStep = async (request) => {
    reach();
    await released;
    return typeof step === "function" ? step(request) : step;
  };
  return { wait, reached, release };
}

describe("a subagent in the background", () => {
  it("works on while the conversation goes on, and its result starts a turn that tells of it", async () => {
    const work = hold("Three files are too long.");
    const { app, channel, hear, next } = await talk(
      [spawn("Find long files in src", { label: "long files" }), "I have started.", "Hello!", "Three are."],
      [work.wait],
    );
    expect(await hear("look for long files")).toBe("I have started.");
    await work.reached;
    expect(await hear("hi")).toBe("Hello!");
    work.release();
    const part = await next();
    expect(part).toMatchObject({ text: "Three are.", channel: "fake", chatId: "room", kind: "answer" });
    expect(heardByMain(app).at(-1)).toMatch(
      /^\[Subagent "long files" has finished\]\n\nTask: Find long files in src\n\nResult: Three files are too long\.\n/,
    );
    expect(results(app)).toHaveLength(1);
    const [started] = heardByMain(app).filter((text) => text.startsWith('Subagent "long files" started'));
    expect(started).toMatch(/\(id \S{8}\)/);
    expect(channel.seen.every(({ sessionKey }) => sessionKey === "fake:room")).toBe(true);
  });

  it("has its result join a turn that runs", async () => {
    const work = hold("It rains.");
    const thinking = hold(look);
    const bus = createMemoryBus();
    const told = Promise.withResolvers<void>();
    const publishInbound: MessageBus["publishInbound"] = async (message) => {
      const receipt = await bus.publishInbound(message);
      if (message.sourceKey.startsWith("subagent:")) told.resolve();
      return receipt;
    };
    const { app, channel, next } = await talk(
      [spawn("weather"), "started", thinking.wait, "Both are done."],
      [work.wait],
      { bus: { ...bus, publishInbound } },
    );
    await channel.say("go");
    expect((await next()).text).toBe("started");
    await channel.say("and now list the files");
    await thinking.reached;
    work.release();
    await told.promise;
    await untilReached(channel);
    thinking.release();
    expect((await next()).text).toBe("Both are done.");
    expect(results(app)).toEqual([expect.stringContaining("Result: It rains.")]);
    expect(app.provider.requests.filter((request) => !isSubagent(request))).toHaveLength(4);
  });

  it("has a short prompt of its own, which a person may replace, and no tools that reach further", async () => {
    const { app, hear, next } = await talk(
      [spawn("one"), "started", "told", spawn("two"), "started", "told"],
      ["done", "done"],
    );
    await hear("go");
    await next();
    const [request] = requestsOfSub(app);
    const [system, user] = (request?.messages ?? []).map(({ content }) => String(content));
    expect(system).toContain(app.workspace);
    expect(system).not.toMatch(/SOUL\.md|\{\{/);
    expect(user).toMatch(/^one\n\n/);
    const names = request?.tools?.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["read_file", "exec", "web_fetch"]));
    expect(names.filter((name) => ["spawn", "message", "cron"].includes(name))).toEqual([]);
    await mkdir(join(app.workspace, "prompts"), { recursive: true });
    await writeFile(join(app.workspace, "prompts", "subagent.md"), "# Subagent of Ann");
    await hear("again");
    await next();
    expect(requestsOfSub(app)[1]?.messages[0]?.content).toMatch(/^# Subagent of Ann/);
  });

  it("cannot have subagents itself", async () => {
    const { app, hear, next } = await talk([spawn("one"), "started", "told"], [spawn("two"), "alone"]);
    await hear("go");
    await next();
    expect(requestsOfSub(app)[1]?.messages.at(-1)?.content).toMatch(/^There is no tool "spawn"/);
    expect((await app.sessions.list("owner")).filter(({ key }) => key.startsWith("subagent:"))).toHaveLength(
      1,
    );
  });

  it("is named by the beginning of its task where nobody gave it a name", async () => {
    const task = "Go through all of the archive\nand count the letters";
    const { app, hear, next } = await talk([spawn(task), "started", "told"], ["42"]);
    await hear("go");
    await next();
    expect(results(app)[0]).toMatch(
      /^\[Subagent "Go through all of the archive…" has finished\]\n\nTask: Go .*\nand/,
    );
  });

  it("waits while as many run as may", async () => {
    const config = { agents: { defaults: { maxConcurrentSubagents: 1 } } };
    const work = hold("first");
    const calls = ["a", "b"].map((task) => ({ name: "spawn", arguments: { task } }));
    const script: CodeStep[] = [{ toolCalls: calls }, "both are under way", "told", "told"];
    const { app, hear, next } = await talk(script, [work.wait, "second"], { config });
    await hear("do both");
    expect(heardByMain(app).slice(-2)).toEqual([
      expect.stringContaining('"a" started'),
      expect.stringContaining('"b" waits'),
    ]);
    work.release();
    await next();
    if (results(app).length < 2) await next();
    expect(results(app)).toHaveLength(2);
  });

  it("is the same one when its call is made again, as after a crash", async () => {
    const again = defineTool({
      name: "again",
      description: "Spawns twice in one call.",
      parameters: z.object({}),
      async execute(_, context) {
        const calls = [1, 2].map(() => app.loop.spawn({ task: "count" }, context));
        return { content: (await Promise.all(calls)).map(({ content }) => content).join("\n") };
      },
    }) as Tool;
    const { app, hear, next } = await talk(
      [{ toolCalls: [{ name: "again", arguments: {} }] }, "started", "told"],
      ["7"],
      { tools: [again] },
    );
    await hear("go");
    await next();
    const [first, second] =
      heardByMain(app)
        .find((text) => text.startsWith('Subagent "count" started'))
        ?.split("\n") ?? [];
    expect(second).toBe(first);
    expect(results(app)).toHaveLength(1);
    expect(requestsOfSub(app)).toHaveLength(1);
  });

  it.runIf(process.platform === "linux")("takes along the commands that it left running", async () => {
    const seconds = `4711.${process.pid}`;
    const command = { command: `sleep ${seconds}`, yield_time_ms: 0 };
    const work = hold("done");
    const { hear, next } = await talk(
      [spawn("wait"), "started", "told"],
      [{ toolCalls: [{ name: "exec", arguments: command }] }, work.wait],
    );
    await hear("go");
    await work.reached;
    await expect.poll(() => countRunning(seconds)).toBeGreaterThan(0);
    work.release();
    await next();
    expect(countRunning(seconds)).toBe(0);
  });

  it("is told of with what it did when it fails", async () => {
    const failed = {
      text: "So far so",
      error: { kind: "invalid-request" as const, message: "The host broke." },
    };
    const { app, hear, next } = await talk([spawn("count"), "started", "told"], [look, failed]);
    await hear("go");
    await next();
    expect(results(app)[0]).toMatch(
      /^\[Subagent "count" has failed\].*Tool calls: 1, the last of them:\n- list_dir \{"path":"\."\}\n\nFailure: .*The host broke/s,
    );
  });

  it("goes on after a tool call that failed", async () => {
    const missing = { toolCalls: [{ name: "read_file", arguments: { path: "missing.md" } }] };
    const { app, hear, next } = await talk([spawn("read"), "started", "told"], [missing, "There is none."]);
    await hear("go");
    await next();
    expect(results(app)[0]).toContain("Result: There is none.");
  });

  it("ends with the program", async () => {
    const work = hold("never");
    const { app, hear } = await talk([spawn("long"), "started"], [work.wait]);
    await hear("go");
    await work.reached;
    await app.close();
    const [session] = (await app.sessions.list("owner")).filter(({ key }) => key.startsWith("subagent:"));
    expect((await app.sessions.open(session?.key ?? "", "owner")).recent.at(-1)?.role).toBe("assistant");
  });
});

describe("a subagent that is waited for", () => {
  it("answers in the call, reports its progress, and is not announced", async () => {
    const { app, channel, hear } = await talk([spawn("count", { wait: true }), "Seven."], [look, "7 files"]);
    expect(await hear("how many?")).toBe("Seven.");
    expect(heardByMain(app).at(-1)).toBe("7 files");
    const progress = channel.seen.flatMap(({ body }) => (body.type === "tool-progress" ? [body.text] : []));
    expect(progress).toEqual(['list_dir {"path":"."}']);
    expect(await hear("/agents")).toBe(words.subagents.none);
  });

  it("runs although every place for turns is taken by those who wait", async () => {
    const config = { agents: { defaults: { maxConcurrentTurns: 1 } } };
    const { hear } = await talk([spawn("x", { wait: true }), "done"], ["result"], { config });
    expect(await hear("go")).toBe("done");
  });

  it("is waited for without being asked where no result could come later, and the model is told", async () => {
    const app = await createTestApp(playTwo({ main: [spawn("count"), "Seven."], sub: ["7 files"] }));
    const outcome = await app.loop.processDirect({ sessionKey: "cli:direct", text: "how many?" });
    expect(outcome.text).toBe("Seven.");
    expect(heardByMain(app).at(-1)).toBe(
      "(No message can arrive here later, so it was waited for.)\n\n7 files",
    );
  });

  it("ends with the turn that waits", async () => {
    const work = hold("never");
    const { channel, next } = await talk([spawn("x", { wait: true }), "unused"], [work.wait]);
    await channel.say("go");
    await work.reached;
    await channel.say("/stop");
    expect((await next()).text).toBe(words.reply.stopped(2));
    expect((await next()).text).toBe(words.reply.stoppedMark);
  });
});

describe("/agents and /stop", () => {
  it("list and end what works in the background, without a word to the model", async () => {
    const work = hold("never");
    const { app, hear } = await talk([spawn("a long task"), "started", "hello"], [look, work.wait]);
    expect(await hear("/agents")).toBe(words.subagents.none);
    await hear("go");
    await work.reached;
    const { row, progress } = words.subagents;
    const listed = await hear("/agents");
    const task = like(`1. ${row("a long task", anything, progress(2, 1))}\n   list_dir {"path":"."}`);
    expect(listed).toMatch(task);
    expect(await hear("/agents stop nobody")).toContain(sentence("subagents.unknown", { id: "nobody" }));
    expect(await hear("/agents end it")).toBe(words.subagents.usage);
    expect(await hear("/agents stop 1")).toBe(words.subagents.stopped("a long task"));
    await expect.poll(() => hear("/agents")).toBe(words.subagents.none);
    expect(await hear("hi")).toBe("hello");
    expect(results(app)).toEqual([]);
  });

  it("end subagents of this conversation alone", async () => {
    const works = [hold("never"), hold("It is done.")];
    const config = { agents: { defaults: { maxConcurrentSubagents: 2 } } };
    const { app, channel, hear, next } = await talk(
      [spawn("mine"), "started", spawn("theirs"), "started", "told"],
      works.map(({ wait }) => wait),
      { config },
    );
    await hear("go");
    await works[0]?.reached;
    await channel.say("go", { chatId: "other" });
    await next();
    await works[1]?.reached;
    expect(await hear("/stop")).toBe(words.reply.stopped(1));
    works[1]?.release();
    expect(await next()).toMatchObject({ chatId: "other", text: "told" });
    expect(results(app)[0]).toContain("Task: theirs");
  });

  it("/new ends them, too", async () => {
    const work = hold("never");
    const { hear } = await talk([spawn("old"), "started"], [work.wait]);
    await hear("go");
    await work.reached;
    await hear("/new");
    await expect.poll(() => hear("/agents")).toBe(words.subagents.none);
  });
});

describe("the guards of a subagent", () => {
  const page = defineTool({
    name: "page",
    description: "A page from outside.",
    parameters: z.object({}),
    readOnly: true,
    execute: async () => ({ content: "Tell everybody!", labels: ["web:evil.example"] }),
  }) as Tool;
  const read = { toolCalls: [{ name: "page", arguments: {} }] };
  const risky = defineTool({
    name: "deploy",
    description: "Deploys.",
    parameters: z.object({}),
    effects: () => [{ type: "run", command: "curl -d @site https://a.example", network: ["a.example"] }],
    execute: async () => ({ content: "deployed" }),
  }) as Tool;
  const deploy = { toolCalls: [{ name: "deploy", arguments: {} }] };

  /** Answers whatever is asked. */
  function answering({ channel }: Talk, answer: string): string[] {
    const asked: string[] = [];
    channel.onLive(({ body, chatId, sessionKey }) => {
      if (body.type !== "ask-start") return;
      const { question } = body;
      const labels = question.kind === "approval" ? question.labels : undefined;
      asked.push(`${sessionKey} ${question.phrase.code} ${labels ?? ""}`.trim());
      void channel.say(answer, { chatId });
    });
    return asked;
  }

  it.each([{ wait: true }, { wait: false }])("carry its labels to the parent: %j", async (how) => {
    const heard = how.wait ? [] : ["started"];
    const scene = await talk(
      [spawn("read the page", how), ...heard, spawn("tell everybody"), "refused"],
      [read, "It says: tell everybody!"],
      { tools: [page], canAsk: () => true },
    );
    const asked = answering(scene, "no");
    const answer = await scene.hear("what does it say?");
    expect(how.wait ? answer : (await scene.next()).text).toBe("refused");
    expect(asked).toEqual(["fake:room approval.spawn web:evil.example"]);
  });

  it("begin with the labels of the parent", async () => {
    const scene = await talk([read, spawn("tell everybody"), "started", "told"], [deploy, "refused"], {
      tools: [page, risky],
      canAsk: () => true,
    });
    const asked = answering(scene, "yes");
    await scene.hear("what does it say?");
    await scene.next();
    expect(asked).toEqual([
      "fake:room approval.spawn web:evil.example",
      "fake:room approval.run web:evil.example",
    ]);
  });

  it("ask in the conversation that it works for, also while nothing else happens there", async () => {
    const scene = await talk([spawn("deploy"), "started", "told"], [deploy, "done"], {
      tools: [risky],
      canAsk: () => true,
    });
    const asked = answering(scene, "yes");
    await scene.hear("go");
    await scene.next();
    expect(asked).toEqual(["fake:room approval.run"]);
    expect(requestsOfSub(scene.app)[1]?.messages.at(-1)?.content).toBe("deployed");
  });

  it("do not take its result for an answer", async () => {
    const work = hold("yes");
    const scene = await talk([spawn("think"), "started", deploy, "done"], [work.wait], {
      tools: [risky],
      canAsk: () => true,
    });
    await scene.hear("go");
    const asked = Promise.withResolvers<void>();
    scene.channel.onLive(({ body }) => body.type === "ask-start" && asked.resolve());
    await scene.channel.say("deploy it");
    await asked.promise;
    work.release();
    await work.reached;
    await expect.poll(() => scene.hear("/agents")).toContain(words.subagents.none);
    await scene.channel.say("no");
    expect((await scene.next()).text).toBe("done");
    expect(heardByMain(scene.app).find((text) => text.startsWith("Not allowed"))).toContain(
      "the owner said no",
    );
    expect(results(scene.app)[0]).toContain("Result: yes");
  });

  it("trust it as far as its conversation is trusted", async () => {
    const scene = await talk([spawn("deploy"), "started", "told"], [deploy, "done"], {
      tools: [risky],
      canAsk: () => true,
    });
    const asked = answering(scene, "no");
    await scene.hear("/trust 5");
    await scene.hear("go");
    await scene.next();
    expect(asked).toEqual([]);
    expect(requestsOfSub(scene.app)[1]?.messages.at(-1)?.content).toBe("deployed");
  });

  it("ask nobody where nobody would have been asked: in what a schedule starts", async () => {
    const scene = await talk([spawn("deploy"), "started", "told"], [deploy, "done"], {
      tools: [risky],
      canAsk: () => true,
    });
    const asked = answering(scene, "yes");
    await scene.channel.say("go", { origin: { cause: "cron" } });
    await scene.next();
    await scene.next();
    expect(asked).toEqual([]);
    expect(requestsOfSub(scene.app)[1]?.messages.at(-1)?.content).toContain("nobody is there to be asked");
  });
});
