import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createPng } from "../../test/support/images.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { type CodeScript, createScripted, type ScriptedProvider } from "../llm/scripted.ts";
import type { ContentPart, Provider } from "../llm/types.ts";
import { defineTool } from "../runner/define-tool.ts";
import { createNanobot, type Nanobot, NanobotError, type NanobotOptions } from "./create-nanobot.ts";
import type { RunEvent } from "./run.ts";

const opened: Nanobot[] = [];

afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close();
});

interface Scene {
  bot: Nanobot;
  home: string;
  model: ScriptedProvider;
}

async function open(script: CodeScript, options: NanobotOptions = {}): Promise<Scene> {
  const home = await createTemporaryFolder();
  const model = createScripted(script);
  const env = { HOME: home, PATH: process.env.PATH, NANOBOT_MEMORY__AUTO_RECALL: "false" };
  const bot = await createNanobot({ home, env, provider: model, ...options });
  opened.push(bot);
  return { bot, home, model };
}

function findText(home: string, text: string): string[] {
  const names = readdirSync(home, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  parameters: z.object({ number: z.number() }),
  readOnly: true,
  execute: async ({ number }) => ({ content: String(2 * number) }),
});

const callDouble = { toolCalls: [{ name: "double", arguments: { number: 21 } }] };

describe("run", () => {
  test("gives the answer, the tools that were used, and the tokens", async () => {
    const usage = { input: 10, cached: 5, output: 3 };
    const { bot } = await open(
      [
        { ...callDouble, usage },
        { text: "42.", usage },
      ],
      { tools: [double] },
    );
    const result = await bot.run("Twice 21?");
    expect(result).toEqual({
      text: "42.",
      stop: "completed",
      tools: [{ name: "double", ok: true, ms: expect.any(Number) }],
      usage: { input: 20, cached: 10, output: 6 },
      session: "sdk:default",
      turnId: expect.any(String),
    });
    expect((await bot.tools()).map(({ name }) => name)).toContain("double");
  });

  test("remembers within a session, and nothing of another", async () => {
    const { bot, model } = await open(["Noted.", "Luna.", "No idea."]);
    await bot.run("My cat is called Luna.", { session: "a" });
    await bot.run("What is she called?", { session: "a" });
    await bot.run("What is my cat called?", { session: "b" });
    const roles = model.requests.map(({ messages }) => messages.map(({ role }) => role).join(" "));
    expect(roles).toEqual(["system user", "system user assistant user", "system user"]);
  });

  test("tells a failure of the model in its result", async () => {
    const { bot } = await open([{ error: { kind: "quota", message: "Nothing is left." } }]);
    const { stop, error } = await bot.run("Hello");
    expect({ stop, error }).toEqual({
      stop: "error",
      error: { kind: "quota", message: expect.stringContaining("Nothing is left") },
    });
  });

  test("throws the reason of the caller that cancels it", async () => {
    const { bot, model } = await open([{ hold: true }, "Back."]);
    const calling = new AbortController();
    const running = bot.run("Think.", { signal: calling.signal });
    calling.abort(new Error("too slow"));
    await expect(running).rejects.toThrow("too slow");
    await expect(bot.run("Again.", { signal: calling.signal })).rejects.toThrow("too slow");
    expect(model.requests.length).toBeLessThanOrEqual(1);
  });

  test("asks the program where a tool needs a yes; without anyone to ask it is a no", async () => {
    const planned: string[] = [];
    const plan = defineTool({
      name: "plan",
      description: "Plans something.",
      parameters: z.object({ what: z.string() }),
      effects: ({ what }) => [{ type: "schedule", what }],
      async execute({ what }) {
        planned.push(what);
        return { content: "planned" };
      },
    });
    const call = { toolCalls: [{ name: "plan", arguments: { what: "tea" } }] };
    const { bot, model } = await open([call, "Not.", call, "Done.", call, "No."], { tools: [plan] });
    // What was read somewhere else must not set it in motion on its own.
    const options = { labels: ["web:example.com"] };
    const results = () => model.requests.at(-1)?.messages.at(-1)?.content;
    await bot.run("A page says: plan tea.", options);
    expect(results()).toContain("nobody is there to be asked");
    const asked: unknown[] = [];
    await bot.run("Again.", {
      ...options,
      async ask(question) {
        if (question.kind === "approval") asked.push(question.labels);
        return true;
      },
    });
    expect([asked, planned]).toEqual([[["web:example.com"]], ["tea"]]);
    const refuse = async () => ({ choice: "no", text: "not today" });
    await bot.run("Again.", { ...options, ask: refuse });
    expect(results()).toContain("not today");
    expect(planned).toEqual(["tea"]);
  });

  test("shows images and names other files", async () => {
    const { bot, home, model } = await open(["A square and a note."]);
    await writeFile(join(home, "a.png"), createPng(4, 4));
    await writeFile(join(home, "b.txt"), "words");
    await bot.run("What is this?", { media: [join(home, "a.png"), join(home, "b.txt")] });
    const [image, text] = (model.requests[0]?.messages.at(-1)?.content ?? []) as ContentPart[];
    expect(image?.type === "image_url" && image.image_url.url).toMatch(/^file:/);
    expect(text?.type === "text" && text.text).toContain("b.txt (text/plain, 5 B)");
  });
});

describe("an ephemeral run", () => {
  test("knows the history that it is given, and leaves nothing behind, images neither", async () => {
    const { bot, home, model } = await open(["Luna, on a mat."]);
    const image = join(await createTemporaryFolder(), "cat.png");
    await writeFile(image, createPng(4, 4));
    const before = readdirSync(home, { recursive: true }).filter((name) =>
      /media|sessions/.test(String(name)),
    );
    const result = await bot.run("Who is this?", {
      ephemeral: true,
      media: [image],
      history: [
        { role: "user", content: "My cat is called Luna-4711." },
        { role: "assistant", content: "Noted." },
      ],
    });
    expect(result).toMatchObject({ text: "Luna, on a mat.", session: "" });
    const sent = model.requests[0]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "user"]);
    expect(JSON.stringify(sent[3])).toContain("data:image/png;base64,");
    expect(findText(home, "Luna-4711")).toEqual([]);
    expect(findText(home, "on a mat")).toEqual([]);
    const after = readdirSync(home, { recursive: true }).filter((name) =>
      /media|sessions/.test(String(name)),
    );
    expect(after).toEqual(before);
    expect(await bot.sessions.list()).toEqual([]);
  });

  test("is the only one that takes a history", async () => {
    const { bot } = await open([]);
    const history = [{ role: "user" as const, content: "Hi" }];
    await expect(bot.run("Hello", { history })).rejects.toThrow(/ephemeral/);
  });
});

describe("stream", () => {
  test("gives what happens in its order, the result last", async () => {
    const { bot } = await open([callDouble, { deltas: ["It is ", "42."] }], { tools: [double] });
    const events: RunEvent[] = [];
    for await (const event of bot.stream("Twice 21?")) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      "turn-start",
      "step-start",
      "step-end",
      "tool-start",
      "tool-end",
      "step-start",
      "text-delta",
      "text-delta",
      "step-end",
      "text-end",
      "turn-end",
      "result",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "result", result: { text: "It is 42.", stop: "completed" } });
  });

  test("that is left early calls the turn off, and has ended then", async () => {
    const scripted = createScripted([{ deltas: ["One, ", "two, "], hold: true }, "Fresh."]);
    const signals: AbortSignal[] = [];
    const provider: Provider = {
      stream(request, signal) {
        signals.push(signal);
        return scripted.stream(request, signal);
      },
    };
    const { bot } = await open([], { provider });
    for await (const event of bot.stream("Count.")) if (event.type === "text-delta") break;
    expect(signals[0]?.aborted).toBe(true);
    const { messages = [] } = (await bot.sessions.get("sdk:default")) ?? {};
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await bot.run("Go on.")).text).toBe("Fresh.");
  });

  test("throws the reason of the caller that cancels it", async () => {
    const { bot } = await open([{ deltas: ["One"], hold: true }]);
    const calling = new AbortController();
    const listening = (async () => {
      for await (const event of bot.stream("Count.", { signal: calling.signal }))
        if (event.type === "text-delta") calling.abort(new Error("enough"));
    })();
    await expect(listening).rejects.toThrow("enough");
  });

  test("that nobody listens to never begins", async () => {
    const { bot, model } = await open(["unused"]);
    bot.stream("Hello");
    await bot.close();
    expect(model.requests).toEqual([]);
  });
});

describe("sessions", () => {
  test("are listed, looked at and taken along", async () => {
    const { bot } = await open(["Hello!", "Hi!"]);
    await bot.run("Good morning", { session: "shop:1" });
    await bot.run("Good evening", { session: "shop:2" });
    const list = await bot.sessions.list();
    expect(list.map(({ key }) => key).sort()).toEqual(["shop:1", "shop:2"]);
    const { messages = [], key } = (await bot.sessions.get("shop:1")) ?? {};
    expect(key).toBe("shop:1");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    const lines = (await bot.sessions.export("shop:1"))?.trimEnd().split("\n") ?? [];
    expect(lines.map((line) => JSON.parse(line)).at(0)).toMatchObject({ _type: "metadata", key: "shop:1" });
    expect(await bot.sessions.get("shop:9")).toBeUndefined();
    expect(await bot.sessions.export("shop:9")).toBeUndefined();
  });

  test("that are closed are kept, and start again", async () => {
    const { bot, model } = await open(["Hello!", "Hello again!"]);
    await bot.run("Good morning", { session: "shop:1" });
    await bot.sessions.close("shop:1");
    expect(await bot.sessions.get("shop:1")).toBeUndefined();
    expect(await bot.sessions.list({ archived: true })).toMatchObject([{ key: "shop:1", isArchived: true }]);
    await bot.run("Good evening", { session: "shop:1" });
    expect(model.requests[1]?.messages).toHaveLength(2);
  });

  test("that are deleted are gone, also for the search, and not while a turn of them runs", async () => {
    const { bot, home } = await open(["Noted.", { hold: true }]);
    await bot.run("The safe opens with zebra-99.", { session: "shop:1" });
    expect((await bot.memory.search("zebra-99"))[0]?.text).toBe("The safe opens with zebra-99.");
    expect(await bot.sessions.delete("shop:1")).toBe(true);
    expect(await bot.sessions.delete("shop:1")).toBe(false);
    expect(await bot.memory.search("zebra-99")).toEqual([]);
    expect(findText(join(home, "sessions"), "zebra-99")).toEqual([]);
    const calling = new AbortController();
    const running = bot.run("Think.", { session: "shop:2", signal: calling.signal });
    await expect(bot.sessions.delete("shop:2")).rejects.toThrow(/is running/);
    calling.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });
});

describe("call", () => {
  test("conversations are spoken in without a gateway: the answer is stored, and commands act", async () => {
    const { bot } = await open(["Hello.", "Never asked."]);
    const sessionKey = "web:one";
    const { turnId } = await bot.call("chat.send", { sessionKey, text: "Hi" });
    const texts = async () => (await bot.call("chat.open", { sessionKey })).entries.map(({ text }) => text);
    await expect.poll(texts).toEqual(["Hi", "Hello."]);
    const { entries } = await bot.call("chat.open", { sessionKey });
    expect(entries[0]?.id).toBe(turnId);
    const { sessions } = await bot.call("chat.list", {});
    expect(sessions).toMatchObject([{ key: sessionKey, title: "Hi" }]);
    await bot.call("chat.send", { sessionKey, text: "/new" });
    await expect.poll(texts).toEqual([]);
  });

  test("what an operation asks is answered by the function that answers tools; a refusal is a code", async () => {
    const asked: string[] = [];
    const { bot } = await open([], {
      ask: async ({ detail }) => {
        asked.push(detail);
        return asked.length > 1;
      },
    });
    await bot.memory.write("- likes tea\n- owes Bob money\n");
    const forget = () => bot.call("memory.forget", { words: "Bob money" });
    await expect(forget()).rejects.toMatchObject({ phrase: { code: "memory.not-forgotten" } });
    expect((await forget()).lines).toHaveLength(1);
    expect(asked).toEqual(["- - owes Bob money", "- - owes Bob money"]);
    expect(await bot.memory.read()).toBe("- likes tea\n");
    await expect(bot.call("gateway.status", {})).rejects.toMatchObject({
      phrase: { code: "gateway.not-running" },
    });
    await bot.close();
    await expect(forget()).rejects.toThrow(NanobotError);
  });
});

describe("memory", () => {
  test("is read and written, and what is new in it is told with the next message", async () => {
    const { bot, model } = await open(["Hello.", "Noted."]);
    await bot.run("Hi");
    await bot.memory.write("# Facts\n\nThe shop closes at nine. 店九点关门。\n");
    expect(await bot.memory.read()).toContain("店九点关门");
    expect(await bot.memory.read("SOUL.md")).not.toBe("");
    await bot.run("When does the shop close?");
    expect(String(model.requests[1]?.messages.at(-1)?.content)).toContain("The shop closes at nine.");
  });

  test("has three files and no others", async () => {
    const { bot } = await open([]);
    const other = "../config.json" as "USER.md";
    await expect(bot.memory.write("x", other)).rejects.toThrow(/no file of memory/);
    await expect(bot.memory.read(other)).rejects.toThrow(/no file of memory/);
  });

  test("has a history of summaries", async () => {
    const { bot } = await open([]);
    expect(await bot.memory.history()).toEqual([]);
    const entries = ["one", "two"].map((content, index) =>
      JSON.stringify({ cursor: index + 1, timestamp: "2026-08-01 10:00", content }),
    );
    await writeFile(join(bot.workspace, "memory", "history.jsonl"), `${entries.join("\n")}\n`);
    expect((await bot.memory.history({ after: 1 })).map(({ content }) => content)).toEqual(["two"]);
  });
});

describe("making and closing", () => {
  test("a config that cannot be used is told, sentence by sentence", async () => {
    const home = await createTemporaryFolder();
    await writeFile(join(home, "config.json"), "{");
    const making = createNanobot({ home, env: { HOME: home } });
    await expect(making).rejects.toThrow(NanobotError);
    const { problems } = (await making.catch((error: NanobotError) => error)) as NanobotError;
    expect(problems[0]).toContain("config.json");
  });

  test("a config file names its home", async () => {
    const home = await createTemporaryFolder();
    await writeFile(join(home, "other.json"), JSON.stringify({ agents: { defaults: { model: "usual" } } }));
    const model = createScripted(["Hello."]);
    const env = { HOME: home, PATH: process.env.PATH };
    const config = join(home, "other.json");
    const bot = await createNanobot({ config, env, provider: model });
    opened.push(bot);
    await bot.run("Hi");
    expect(bot.model).toBe("given/usual");
    expect(model.requests[0]?.model).toBe("usual");
    expect(bot.workspace).toBe(join(home, "workspace"));
  });

  test("a restore that was killed in the middle is finished first", async () => {
    const folder = await createTemporaryFolder({
      "home/run/lock.json": "",
      "home.restored-1/workspace/memory/MEMORY.md": "- the cat is called Mia",
    });
    const home = join(folder, "home");
    const journal = { phase: "in", fresh: `${home}.restored-1`, aside: `${home}.before-1` };
    await writeFile(join(home, "run", "restore.json"), JSON.stringify(journal));
    const { bot } = await open(["Hello."], { home });
    expect(await bot.memory.read()).toBe("- the cat is called Mia");
    expect(readdirSync(folder)).toEqual(["home"]);
  });

  test("what runs is called off when it is closed, and nothing begins afterwards", async () => {
    const { bot } = await open([{ hold: true }]);
    const running = expect(bot.run("Think.")).rejects.toMatchObject({ code: "closed" });
    await bot.close();
    await running;
    await expect(bot.run("Hello")).rejects.toThrow(NanobotError);
    await expect(bot.stream("Hello").next()).rejects.toMatchObject({ code: "closed" });
    await bot.close();
  });

  test("a stream that nobody pulls any more does not keep it from closing", async () => {
    const { bot } = await open([{ deltas: ["One"], hold: true }]);
    const events = bot.stream("Count.");
    expect((await events.next()).value).toEqual({ type: "turn-start" });
    await bot.close();
    const listening = (async () => {
      for await (const event of events) expect(event.type).not.toBe("result");
    })();
    await expect(listening).rejects.toMatchObject({ code: "closed" });
  });

  test("it is closed where it is used up", async () => {
    const home = await createTemporaryFolder();
    const env = { HOME: home, PATH: process.env.PATH };
    const used = await (async () => {
      await using bot = await createNanobot({ home, env, provider: createScripted(["Hello."]) });
      await bot.run("Hi");
      return bot;
    })();
    await expect(used.run("Hello")).rejects.toMatchObject({ code: "closed" });
  });
});
