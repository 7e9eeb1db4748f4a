import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { words } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { cases } from "../../test/support/long-form.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../test/support/model-request.ts";
import { runtimeContextTag } from "../context/runtime-context.ts";
import { createWords } from "../i18n/words.ts";
import type { ContentPart, Message, ModelRequest } from "../llm/types.ts";
import { createOffline } from "./offline.ts";

const { demo } = words;
const { demo: demoZh } = createWords("chinese");
const model = createOffline({ clock: createFakeClock() });
const toolNames = ["read_file", "edit_file", "list_dir", "cron"];
const tools = toolNames.map((name) => ({ name, description: "", parameters: {} }));
const facts = "Current Time: 2026-11-15 09:30 (Sunday) (Asia/Shanghai)";
const toContext = (channel: string) =>
  `\n\n${runtimeContextTag}\n${facts}\nChannel: ${channel}\n[/Runtime Context]`;
const context = toContext("web");

async function ask(messages: Message[], changes: Partial<ModelRequest> = {}) {
  return replyOf(await collectEvents(model, modelRequest({ messages, tools, ...changes })));
}

async function say(text: string, changes: Partial<ModelRequest> = {}): Promise<string> {
  return (await ask([{ role: "user", content: text + context }], changes)).message.content ?? "";
}

/** The call that the words lead to, as `name {arguments}`. */
async function callFor(text: string): Promise<string> {
  const { message } = await ask([{ role: "user", content: text + context }]);
  const call = message.tool_calls?.[0];
  return call === undefined ? `says: ${message.content}` : `${call.function.name} ${call.function.arguments}`;
}

/** The words and then what the tools answered to the calls, one after the other. */
async function answerAfter(text: string, ...results: Array<[name: string, content: string | ContentPart[]]>) {
  const steps = results.flatMap(([name, content], index): Message[] => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${index}`, type: "function", function: { name, arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${index}`, name, content },
  ]);
  return (await ask([{ role: "user", content: text + context }, ...steps])).message;
}

describe("the words of the demo", () => {
  it("say that it is one, in the language of the message", async () => {
    for (const text of ["hi", "Hello there!", "who are you?", "what can you do", "help", "Are you an AI?"])
      expect(await say(text)).toBe(demo.intro);
    for (const text of ["你好", "你好呀！", "你是谁？", "你能做什么？", "帮助", "请问你叫什么"])
      expect(await say(text)).toBe(demoZh.intro);
  });

  it.each([
    ["tell me a joke", demo.notUnderstood],
    ["write a poem about the sea", demo.notUnderstood],
    ["show me the weather", demo.notUnderstood],
    ["run a marathon with me", demo.notUnderstood],
    ["search the web for cats", demo.notUnderstood],
    ["讲个笑话", demoZh.notUnderstood],
    ["看看今天的天气", demoZh.notUnderstood],
    ["what would a model add?", `${demo.tour}\n\n${demo.connectOnPage}`],
    ["take the tour", `${demo.tour}\n\n${demo.connectOnPage}`],
    ["接入模型后能做什么？", `${demoZh.tour}\n\n${demoZh.connectOnPage}`],
    ["how do I connect a model?", demo.connectOnPage],
    ["怎么接入模型？", demoZh.connectOnPage],
    ["thanks!", demo.welcome],
    ["谢谢你！", demoZh.welcome],
    ["bye", demo.goodbye],
    ["再见", demoZh.goodbye],
    ["what time is it?", demo.time("2026-11-15 09:30 (Sunday) (Asia/Shanghai)")],
    ["现在几点了？", demoZh.time("2026-11-15 09:30 (星期日) (Asia/Shanghai)")],
  ])("answer %j", async (text, expected) => {
    expect(await say(text)).toBe(expected);
  });

  it("name three examples and the command that connects a model where there are no buttons", async () => {
    for (const [text, said] of [
      ["tell me a joke", demo],
      ["讲个笑话", demoZh],
    ] as const) {
      const { message } = await ask([{ role: "user", content: text + toContext("cli") }]);
      const examples = said.examples.filter((example) => message.content?.includes(`- ${example}\n`));
      expect(message.content?.startsWith(said.notUnderstood)).toBe(true);
      expect(examples).toHaveLength(3);
      expect(message.content).toContain("nanobot onboard");
    }
  });

  it("tell the time by the clock where there is no runtime context", async () => {
    const { message } = await ask([{ role: "user", content: "今天星期几" }]);
    expect(message.content).toMatch(/2026-08-01 \d\d:\d\d/);
  });
});

it("understands each of its own examples, in both languages", async () => {
  for (const { examples, tour } of [demo, demoZh])
    for (const example of examples) {
      const { message } = await ask([{ role: "user", content: example + context }]);
      const isUnderstood = message.tool_calls !== undefined || message.content?.startsWith(tour);
      expect([example, isUnderstood]).toEqual([example, true]);
    }
});

describe("the calls of the demo", () => {
  it.each([
    ["list files", 'list_dir {"path":"."}'],
    ["hello, list the files please", 'list_dir {"path":"."}'],
    ["what files do you have?", 'list_dir {"path":"."}'],
    ["could you please list the files in notes?", 'list_dir {"path":"notes"}'],
    ["what is in the folder notes?", 'list_dir {"path":"notes"}'],
    ["ls ..", 'list_dir {"path":".."}'],
    ["列出文件", 'list_dir {"path":"."}'],
    ["notes 目录里有什么？", 'list_dir {"path":"notes"}'],
    ["看看当前目录", 'list_dir {"path":"."}'],
    ["read README.md", 'read_file {"path":"README.md"}'],
    ["Please read README.md and summarise it.", 'read_file {"path":"README.md"}'],
    ['can you open "it\'s my file.txt"?', 'read_file {"path":"it\'s my file.txt"}'],
    ["read the file Makefile", 'read_file {"path":"Makefile"}'],
    ["what's in notes/a.md?", 'read_file {"path":"notes/a.md"}'],
    ["cat ../../etc/passwd", 'read_file {"path":"../../etc/passwd"}'],
    ["请帮我读一下README.md的内容。", 'read_file {"path":"README.md"}'],
    ["打开“我的 笔记.md”", 'read_file {"path":"我的 笔记.md"}'],
    ["read 笔记.md", 'read_file {"path":"笔记.md"}'],
    ["show my notes", 'read_file {"path":"notes.md"}'],
    ["看看我的笔记", 'read_file {"path":"notes.md"}'],
    ["show my shopping list", 'read_file {"path":"shopping-list.md"}'],
    ["看看购物清单", 'read_file {"path":"购物清单.md"}'],
    ["create a shopping list", 'read_file {"path":"shopping-list.md"}'],
    ["add milk and eggs to my shopping list", 'read_file {"path":"shopping-list.md"}'],
    ["把牛奶加到购物清单", 'read_file {"path":"购物清单.md"}'],
    ["remember that my cat is called Luna.", 'read_file {"path":"memory/MEMORY.md"}'],
    ["My sister is called Ana", 'read_file {"path":"memory/MEMORY.md"}'],
    ["I am allergic to nuts", 'read_file {"path":"memory/MEMORY.md"}'],
    ["记住我的猫叫露娜。", 'read_file {"path":"memory/MEMORY.md"}'],
    ["你好，帮我记一下：明天下午三点开会", 'read_file {"path":"memory/MEMORY.md"}'],
    ["我姐姐叫安娜", 'read_file {"path":"memory/MEMORY.md"}'],
    ["what is my sister's name?", 'read_file {"path":"memory/MEMORY.md"}'],
    ["where do I live?", 'read_file {"path":"memory/MEMORY.md"}'],
    ["我姐姐叫什么？", 'read_file {"path":"memory/MEMORY.md"}'],
    ["what do you remember?", 'read_file {"path":"memory/MEMORY.md"}'],
    ["你记得什么？", 'read_file {"path":"memory/MEMORY.md"}'],
    ["write a note: buy milk", 'read_file {"path":"notes.md"}'],
    ["save 'buy milk' to shopping.md", 'read_file {"path":"shopping.md"}'],
    ["create a file called a.txt with Hello World", 'read_file {"path":"a.txt"}'],
    ["写个笔记：买牛奶", 'read_file {"path":"notes.md"}'],
    ["把“买牛奶”写到 shopping.md 里", 'read_file {"path":"shopping.md"}'],
    ["新建文件 a.txt，内容：你好", 'read_file {"path":"a.txt"}'],
  ])("%s: %s", async (text, expected) => {
    expect(await callFor(text)).toBe(expected);
  });

  it("are made only with tools that it was given and may use", async () => {
    expect(await say("read README.md", { tools: [] })).toBe(demo.noTool("read_file"));
    expect(await say("读取 README.md", { toolChoice: "none" })).toBe(demoZh.noTool("read_file"));
  });

  it("carry ids that differ from step to step", async () => {
    const first = await answerAfter("remember x");
    const second = await answerAfter("remember x", ["read_file", "Not found: memory/MEMORY.md."]);

    expect(first.tool_calls?.[0]?.id).not.toBe(second.tool_calls?.[0]?.id);
  });

  it("do not depend on what is in an older turn or in the runtime context", async () => {
    const messages: Message[] = [
      { role: "user", content: "read a.md" },
      { role: "tool", tool_call_id: "c", name: "read_file", content: "1| a" },
      { role: "assistant", content: "a" },
      { role: "user", content: `tell me a joke${context.replace("Channel: web", "read a.md")}` },
    ];

    expect((await ask(messages)).message.tool_calls).toBeUndefined();
  });
});

describe("answers from memory", () => {
  const memory = [
    "# Long-term Memory",
    "",
    "- my sister is called Ana",
    "- my cat is called Luna",
    "- My sister lives in Rome",
    "- I live in Lisbon",
    "- My name is Bob.",
    "- 我姐姐叫安娜",
    "- 我住在上海",
  ];
  const stored = memory.map((line, index) => `${index + 1}| ${line}`).join("\n");

  it.each([
    ["what is my sister's name?", "Your sister is called Ana."],
    ["What's my cat's name?", "Your cat is called Luna."],
    ["do you know where my sister lives?", "Your sister lives in Rome."],
    ["where do I live?", "You live in Lisbon."],
    ["what is my name?", "Your name is Bob."],
    ["who is Luna?", "Your cat is called Luna."],
    ["我姐姐叫什么？", "你姐姐叫安娜。"],
    ["安娜是谁？", "你姐姐叫安娜。"],
    ["我住在哪里？", "你住在上海。"],
    ["what is my dog's name?", demo.unknown],
    ["我哥哥叫什么？", demoZh.unknown],
  ])("%s", async (text, expected) => {
    expect((await answerAfter(text, ["read_file", stored])).content).toBe(expected);
  });

  it("say everything that it remembers", async () => {
    const all = await answerAfter("what do you remember?", ["read_file", stored]);
    expect(all.content).toContain(`${demo.memories}\n\n- Your sister is called Ana.\n`);
    const none = await answerAfter("你记得什么？", ["read_file", "Not found: memory/MEMORY.md."]);
    expect(none.content).toBe(demoZh.noMemories);
  });
});

describe("what the demo makes of results", () => {
  it("shows a file without its line numbers, fenced so that nothing in it can break out", async () => {
    const result = "1| # Hi\n2| ```\n3| x\n(End of file: 3 lines.)";
    const { content } = await answerAfter("read a.md", ["read_file", result]);
    expect(content).toBe("`a.md`:\n\n````\n# Hi\n```\nx\n````");
  });

  it.each([
    ["read a.md", "read_file", "Not found: a.md. Use list_dir or glob to find it.", demo.missing("`a.md`")],
    [
      "读取 a.md",
      "read_file",
      "a.md leads outside the workspace.",
      demoZh.failed("a.md leads outside the workspace."),
    ],
    ["read a.md", "read_file", "(Empty file: a.md)", demo.empty("`a.md`")],
    [
      "list files",
      "list_dir",
      "a.md\nnotes/",
      `${demo.inFolder(demo.workspace)}\n\n\`\`\`\na.md\nnotes/\n\`\`\``,
    ],
    ["列出文件", "list_dir", "(Folder . is empty.)", demoZh.emptyFolder],
    [
      "list nope",
      "list_dir",
      "Not found: nope. Use list_dir.",
      demo.failed("Not found: nope. Use list_dir."),
    ],
  ])("%s, %s: %j", async (text, name, result, expected) => {
    expect((await answerAfter(text, [name, result])).content).toBe(expected);
  });

  it("says that it cannot look at an image", async () => {
    const parts: ContentPart[] = [
      { type: "text", text: "Image a.png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
    ];

    expect((await answerAfter("read a.png", ["read_file", parts])).content).toBe(demo.image("`a.png`"));
  });

  it("adds a fact after the last line, held by as many lines as make the place unique", async () => {
    const file = "1| - a\n2| - b\n3| - a\n4| \n(End of file: 4 lines.)";
    const { tool_calls: calls } = await answerAfter("remember I like tea", ["read_file", file]);

    expect(JSON.parse(calls?.[0]?.function.arguments ?? "")).toEqual({
      path: "memory/MEMORY.md",
      old_text: "- b\n- a",
      new_text: "- b\n- a\n- I like tea",
    });
  });

  it("reads a long memory to its end before it adds to it", async () => {
    const part = "1| - a\n(Showing lines 1-1 of 2. Use offset=2 to continue.)";
    const more = await answerAfter("remember tea", ["read_file", part]);
    expect(more.tool_calls?.[0]?.function.arguments).toBe('{"path":"memory/MEMORY.md","offset":2}');

    const rest: [string, string] = ["read_file", "2| - b\n(End of file: 2 lines.)"];
    const whole = await answerAfter("remember tea", ["read_file", part], rest);
    expect(whole.tool_calls?.[0]?.function.arguments).toContain('"new_text":"- b\\n- tea"');
  });

  it("does not add what is already there, and tells a failure as such", async () => {
    const known = await answerAfter("remember tea", ["read_file", "1| - tea"]);
    expect(known.content).toBe(demo.alreadyKnown);

    const denied = "Permission denied: MEMORY.md.";
    const failed = await answerAfter("记住茶", ["read_file", "1| x"], ["edit_file", denied]);
    expect(failed.content).toBe(demoZh.failed(denied));
  });
});

describe("the demo as a provider", () => {
  it("streams in small pieces, and uses no tokens", async () => {
    const request = modelRequest({ messages: [{ role: "user", content: "help" }] });
    const events = await collectEvents(model, request);
    const reply = replyOf(events);

    expect(events.length).toBeGreaterThan(2);
    expect(textOf(events)).toBe(reply.message.content);
    expect(reply).toMatchObject({ stop: "stop", model: "test-model" });
    expect(reply.usage).toBeUndefined();
  });

  it("stops between two pieces when it is aborted", async () => {
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of model.stream(modelRequest(), controller.signal)) controller.abort("stop");
    })();

    await expect(reading).rejects.toBe("stop");
  });

  it.each([
    ["", demo.noWords],
    ["   \n\t ", demo.noWords],
    ["😀👍", demo.notUnderstood],
    ["？？？！！！", demo.notUnderstood],
    ["こんにちは、世界", demo.notUnderstood],
    ["x".repeat(1_000_000), demo.notUnderstood],
    ["读".repeat(1_000_000), demoZh.notUnderstood],
    ["read ".repeat(200_000), demo.notUnderstood],
    ["\u0000\ud800 \u2028", demo.notUnderstood],
  ])("keeps its head at odd words (%#)", async (text, expected) => {
    expect(await say(text)).toBe(expected);
  });

  it("goes on in the language of before when a message is in none", async () => {
    const messages: Message[] = [
      { role: "user", content: `你好${context}` },
      { role: "assistant", content: "你好" },
      { role: "user", content: `😀${context}` },
    ];

    expect((await ask(messages)).message.content).toBe(demoZh.notUnderstood);
  });

  it("ends any conversation with one reply, and calls only tools that it was given", async () => {
    const starts = [
      "read ",
      "list ",
      "remember ",
      "make a ",
      "what is my ",
      "note: ",
      "把",
      "打开",
      "我",
      "在",
    ];
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc
        .tuple(
          fc.constantFrom(...starts),
          fc.string({ unit: "grapheme", maxLength: 40 }),
          fc.constantFrom("", " in x", "写到 a.md", "?", "目录", " list", context),
        )
        .map((parts) => parts.join("")),
    );
    const content = fc.oneof(
      text,
      text.map((one): ContentPart[] => [{ type: "text", text: one }]),
      fc.constant<ContentPart[]>([]),
    );
    const message = fc.oneof(
      content.map((one): Message => ({ role: "user", content: one })),
      text.map((one): Message => ({ role: "assistant", content: one })),
      text.map((one): Message => ({ role: "system", content: one })),
      fc
        .tuple(fc.constantFrom(...toolNames, "?"), content)
        .map(([name, one]): Message => ({ role: "tool", tool_call_id: "c", name, content: one })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), fc.subarray(tools), async (messages, given) => {
        const events = await collectEvents(model, modelRequest({ messages, tools: given }));
        const reply = replyOf(events);

        expect(events.filter((event) => event.type === "reply-end")).toHaveLength(1);
        expect(reply.error).toBeUndefined();
        const names = (reply.message.tool_calls ?? []).map((call) => call.function.name);
        expect(given.map((tool) => tool.name)).toEqual(expect.arrayContaining(names));
        expect(names.length > 0 || (reply.message.content ?? "").trim() !== "").toBe(true);
      }),
      { numRuns: cases(500) },
    );
  });
});
