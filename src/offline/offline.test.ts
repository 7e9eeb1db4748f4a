import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { collectEvents, modelRequest, replyOf, textOf } from "../../test/support/model-request.ts";
import { runtimeContextTag } from "../context/runtime-context.ts";
import type { ContentPart, Message, ModelRequest } from "../llm/types.ts";
import { createOffline } from "./offline.ts";

const clock = createFakeClock();
const model = createOffline({ clock, version: "1.2.3" });
const toolNames = ["read_file", "write_file", "edit_file", "list_dir", "glob", "grep", "exec"];
const tools = toolNames.map((name) => ({ name, description: "", parameters: {} }));
const context = `\n\n${runtimeContextTag}\nCurrent Time: 2026-11-15 09:30 (Sunday) (Asia/Shanghai)\nChannel: cli\n[/Runtime Context]`;

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
  return ask([{ role: "user", content: text + context }, ...steps]);
}

describe("the words of the offline model", () => {
  it("say what it is and how to connect a real one, in the language of the message", async () => {
    for (const words of ["hi", "Hello there!", "who are you?", "what can you do", "help", "Are you an AI?"]) {
      expect(await say(words)).toMatch(/1\.2\.3[\s\S]*offline model[\s\S]*nanobot onboard[\s\S]*Ollama/);
    }
    for (const words of ["你好", "你好呀！", "你是谁？", "你能做什么？", "帮助", "请问你叫什么"]) {
      expect(await say(words)).toMatch(/1\.2\.3[\s\S]*离线模型[\s\S]*nanobot onboard[\s\S]*Ollama/);
    }
  });

  it.each([
    ["tell me a joke", /did not understand[\s\S]*nanobot onboard/],
    ["write a poem about the sea", /did not understand/],
    ["show me the weather", /did not understand/],
    ["run a marathon with me", /did not understand/],
    ["search the web for cats", /did not understand/],
    ["讲个笑话", /没能理解[\s\S]*nanobot onboard/],
    ["看看今天的天气", /没能理解/],
    ["remember what I said?", /did not understand/],
    ["how do I connect a model?", /^To talk with a real model/],
    ["怎么接入模型？", /^想接入真正的模型/],
    ["thanks!", /welcome/],
    ["谢谢你！", /不客气/],
    ["bye", /Goodbye/],
    ["再见", /再见/],
  ])("answer %j", async (words, expected) => {
    expect(await say(words)).toMatch(expected);
  });

  it("tell the time of the runtime context, and name the day in the user's language", async () => {
    expect(await say("what time is it?")).toBe("It is 2026-11-15 09:30 (Sunday) (Asia/Shanghai).");
    expect(await say("现在几点了？")).toBe("现在是 2026-11-15 09:30 (星期日) (Asia/Shanghai)。");
  });

  it("tell the time by the clock where there is no runtime context", async () => {
    const { message } = await ask([{ role: "user", content: "今天星期几" }]);
    expect(message.content).toMatch(/^现在是 2026-08-01 \d\d:\d\d。$/);
  });
});

describe("the calls of the offline model", () => {
  it.each([
    ["list files", 'list_dir {"path":"."}'],
    ["hello, list the files please", 'list_dir {"path":"."}'],
    ["could you please list the files in notes?", 'list_dir {"path":"notes"}'],
    ["what is in the folder notes?", 'list_dir {"path":"notes"}'],
    ['list the folder "my notes"', 'list_dir {"path":"my notes"}'],
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
    ["search for milk", 'grep {"pattern":"milk","path":".","output_mode":"content"}'],
    [
      'search for "foo(bar)" in src',
      'grep {"pattern":"foo\\\\(bar\\\\)","path":"src","output_mode":"content"}',
    ],
    ["在 notes 目录里搜索 牛奶", 'grep {"pattern":"牛奶","path":"notes","output_mode":"content"}'],
    ["find files *.md", 'glob {"pattern":"*.md"}'],
    ["find all files named report", 'glob {"pattern":"**/*report*"}'],
    ["查找文件 *.md", 'glob {"pattern":"*.md"}'],
    ["run date", 'exec {"command":"date"}'],
    ["run `rm -rf build`", 'exec {"command":"rm -rf build"}'],
    ["$ echo hi!", 'exec {"command":"echo hi!"}'],
    ["运行 git status", 'exec {"command":"git status"}'],
    ["执行 `ls -la`", 'exec {"command":"ls -la"}'],
    ["remember that my cat is called Luna.", 'read_file {"path":"memory/MEMORY.md"}'],
    ["记住我的猫叫露娜。", 'read_file {"path":"memory/MEMORY.md"}'],
    ["what do you remember?", 'read_file {"path":"memory/MEMORY.md"}'],
    ["你记得什么？", 'read_file {"path":"memory/MEMORY.md"}'],
    ["write a note: buy milk", 'read_file {"path":"notes.md"}'],
    ["save 'buy milk' to shopping.md", 'read_file {"path":"shopping.md"}'],
    ["create a file called a.txt with Hello World", 'read_file {"path":"a.txt"}'],
    ["写个笔记：买牛奶", 'read_file {"path":"notes.md"}'],
    ["把“买牛奶”写到 shopping.md 里", 'read_file {"path":"shopping.md"}'],
    ["新建文件 a.txt，内容：你好", 'read_file {"path":"a.txt"}'],
  ])("%s: %s", async (words, expected) => {
    expect(await callFor(words)).toBe(expected);
  });

  it("are made only with tools that it was given and may use", async () => {
    expect(await say("read README.md", { tools: [] })).toContain("I need the tool `read_file`");
    expect(await say("读取 README.md", { toolChoice: "none" })).toContain("这需要工具 `read_file`");
  });

  it("carry ids that differ from step to step", async () => {
    const first = await answerAfter("remember x");
    const second = await answerAfter("remember x", ["read_file", "Not found: memory/MEMORY.md."]);

    expect(first.message.tool_calls?.[0]?.id).not.toBe(second.message.tool_calls?.[0]?.id);
  });

  it("do not depend on what stands in an older turn or in the runtime context", async () => {
    const messages: Message[] = [
      { role: "user", content: "read a.md" },
      { role: "tool", tool_call_id: "c", name: "read_file", content: "1| a" },
      { role: "assistant", content: "a" },
      { role: "user", content: `tell me a joke${context.replace("Channel: cli", "run `rm -rf /`")}` },
    ];

    expect((await ask(messages)).message.content).toMatch(/did not understand/);
  });
});

describe("what the offline model makes of results", () => {
  it("shows a file without its line numbers, fenced so that nothing in it can break out", async () => {
    const { message } = await answerAfter("read a.md", [
      "read_file",
      "1| # Hi\n2| ```\n3| x\n(End of file: 3 lines.)",
    ]);

    expect(message.content).toBe("`a.md`:\n\n````\n# Hi\n```\nx\n````");
  });

  it.each([
    [
      "read a.md",
      "read_file",
      "Not found: a.md. Use list_dir or glob to find it.",
      /did not work.*Not found: a\.md/,
    ],
    ["读取 a.md", "read_file", "a.md leads outside the workspace.", /没有成功.*leads outside/],
    ["read a.md", "read_file", "(Empty file: a.md)", /^`a\.md` is empty\.$/],
    ["list files", "list_dir", "a.md\nnotes/", /^In the workspace:\n\n```\na\.md\nnotes\/\n```$/],
    ["列出文件", "list_dir", "(Folder . is empty.)", /^里面是空的。$/],
    [
      "list nope",
      "list_dir",
      "Not found: nope. Use list_dir or glob.",
      /^The tool `list_dir` answers: Not found/,
    ],
    ["search for x", "grep", "Nothing in . matches x.", /^I found nothing\.$/],
    ["run date", "exec", "Sun Nov 15\n\nExit code: 0", /^`date` says:\n\n```\nSun Nov 15/],
    ["run `rm x`", "exec", "Refused: nobody is there to be asked.", /^That did not work.*Refused/],
    ["what do you remember", "read_file", "1| # Memory\n2| \n3| - likes tea", /```\n- likes tea\n```/],
    ["what do you remember", "read_file", "1| # Memory\n2| ", /^Nothing yet\.$/],
    ["你记得什么", "read_file", "Not found: memory/MEMORY.md.", /^还什么都没有记。$/],
    ["what do you remember", "read_file", "Permission denied: memory.", /did not work/],
  ])("%s, %s: %j", async (words, name, result, expected) => {
    expect((await answerAfter(words, [name, result])).message.content).toMatch(expected);
  });

  it("says that it cannot look at an image", async () => {
    const parts: ContentPart[] = [
      { type: "text", text: "Image a.png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
    ];

    expect((await answerAfter("read a.png", ["read_file", parts])).message.content).toMatch(/is an image/);
  });

  it("adds a fact after the last line, held by as many lines as make the place unique", async () => {
    const file = "1| - a\n2| - b\n3| - a\n4| \n(End of file: 4 lines.)";
    const { message } = await answerAfter("remember I like tea", ["read_file", file]);

    expect(JSON.parse(message.tool_calls?.[0]?.function.arguments ?? "")).toEqual({
      path: "memory/MEMORY.md",
      old_text: "- b\n- a",
      new_text: "- b\n- a\n- I like tea",
    });
  });

  it("reads a long memory to its end before it adds to it", async () => {
    const part = "1| - a\n(Showing lines 1-1 of 2. Use offset=2 to continue.)";
    const more = await answerAfter("remember tea", ["read_file", part]);
    expect(more.message.tool_calls?.[0]?.function.arguments).toBe('{"path":"memory/MEMORY.md","offset":2}');

    const whole = await answerAfter(
      "remember tea",
      ["read_file", part],
      ["read_file", "2| - b\n(End of file: 2 lines.)"],
    );
    expect(whole.message.tool_calls?.[0]?.function.arguments).toContain('"new_text":"- b\\n- tea"');
  });

  it("does not add what is already there, and tells a failure as such", async () => {
    const known = await answerAfter("remember tea", ["read_file", "1| - tea"]);
    expect(known.message.content).toBe("That is already written there.");

    const failed = await answerAfter(
      "记住茶",
      ["read_file", "1| x"],
      ["edit_file", "Permission denied: MEMORY.md."],
    );
    expect(failed.message.content).toMatch(/没有成功.*Permission denied/);
  });
});

describe("the offline model as a provider", () => {
  it("streams in small pieces and estimates its usage", async () => {
    const events = await collectEvents(
      model,
      modelRequest({ messages: [{ role: "user", content: "help" }] }),
    );
    const reply = replyOf(events);

    expect(events.length).toBeGreaterThan(10);
    expect(textOf(events)).toBe(reply.message.content);
    expect(reply).toMatchObject({ stop: "stop", model: "test-model", usage: { cached: 0 } });
    expect(reply.usage?.input).toBeGreaterThan(0);
    expect(reply.usage?.output).toBeGreaterThan(50);
  });

  it("stops between two pieces when it is aborted", async () => {
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of model.stream(modelRequest(), controller.signal)) controller.abort("stop");
    })();

    await expect(reading).rejects.toBe("stop");
  });

  it.each([
    ["", /no words/],
    ["   \n\t ", /no words/],
    ["😀👍", /did not understand/],
    ["？？？！！！", /did not understand/],
    ["こんにちは、世界", /did not understand/],
    ["x".repeat(1_000_000), /long message \(1000000 characters\)/],
    ["读".repeat(1_000_000), /这条消息很长/],
    ["read ".repeat(200_000), /long message/],
    ["\u0000\ud800 \u2028", /did not understand/],
  ])("keeps its head at odd words (%#)", async (words, expected) => {
    expect(await say(words)).toMatch(expected);
  });

  it("goes on in the language of before when a message is in none", async () => {
    const messages: Message[] = [
      { role: "user", content: `你好${context}` },
      { role: "assistant", content: "你好" },
      { role: "user", content: `😀${context}` },
    ];

    expect((await ask(messages)).message.content).toMatch(/没能理解/);
  });

  it("ends any conversation with one reply, and calls only tools that it was given", async () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc
        .tuple(
          fc.constantFrom(
            "read ",
            "list ",
            "remember ",
            "run ",
            "search for ",
            "note: ",
            "把",
            "打开",
            "运行 ",
            "在",
          ),
          fc.string({ unit: "grapheme", maxLength: 40 }),
          fc.constantFrom("", " in x", "写到 a.md", "?", "目录", context),
        )
        .map((parts) => parts.join("")),
    );
    const content = fc.oneof(
      words,
      words.map((text): ContentPart[] => [{ type: "text", text }]),
      fc.constant<ContentPart[]>([]),
    );
    const message = fc.oneof(
      content.map((text): Message => ({ role: "user", content: text })),
      words.map((text): Message => ({ role: "assistant", content: text })),
      words.map((text): Message => ({ role: "system", content: text })),
      fc
        .tuple(fc.constantFrom(...toolNames, "?"), content)
        .map(([name, text]): Message => ({ role: "tool", tool_call_id: "c", name, content: text })),
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
      { numRuns: 500 },
    );
  });
});
