// What is sent to a host in scripted conversations, on all wire protocols, compared with stored bodies in
// test/fixtures/requests (first made by 0.1.0). A change here changes what every conversation costs: its commit says why.
// UPDATE_PROMPTS=1 npm test -- test/golden-requests.test.ts writes the files.
import { createHash } from "node:crypto";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { describe, it } from "vitest";
import * as z from "zod";
import type { DirectRequest } from "../src/agent/job.ts";
import { type App, buildApp } from "../src/app/build-app.ts";
import type { NewInbound, Origin } from "../src/bus/types.ts";
import { createIdentityLayer } from "../src/context/layers/identity.ts";
import { PromptFiles } from "../src/context/layers/layer.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { packageRoot } from "../src/lib/package-root.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { Heartbeat } from "../src/schedule/heartbeat.ts";
import { keepOrigin, toInbound } from "../src/schedule/scheduled-message.ts";
import { resolveHome } from "../src/storage/home.ts";
import type { Job } from "../src/storage/jobs/job.ts";
import { expectGolden } from "./support/golden.ts";
import { createPng } from "./support/images.ts";
import {
  type ReplyData,
  toAnthropicEvents,
  toOpenAIEvents,
  toResponsesEvents,
} from "./support/model-wire.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { startWireServer } from "./support/wire-server.ts";

type Protocol = "openai" | "anthropic" | "responses";

interface Scene {
  app(): App;
  say(text: string, more?: Partial<DirectRequest>): Promise<void>;
  /** A message over the bus, until its turn has ended; its id. */
  hear(message: Omit<NewInbound, "sourceKey">): Promise<string>;
  /** Writes a file of the workspace, and says where; the text is appended where the name begins with `+`. */
  write(name: string, text: string | Uint8Array): Promise<string>;
  restart(): Promise<void>;
  /** The conversation pauses. */
  wait(ms: number): void;
}

interface Conversation {
  /** In order; the last one repeats. */
  replies: ReplyData[];
  defaults?: Record<string, unknown>;
  /** Older conversations are recalled, however long that takes. */
  recalls?: true;
  tools?(scene: Scene): Tool[];
  talk(scene: Scene): Promise<void>;
}

const answer = (text: string): ReplyData => ({ text, calls: [] });
const call = (name: string, args: Record<string, unknown>, text = ""): ReplyData => ({
  text,
  calls: [{ name, arguments: args }],
});
const paragraph = (n: number) =>
  `Paragraph ${n}: the arch stands on two feet, and each foot on its own stone. `;

const inChat = (id: string, more: Partial<Origin> = {}): Origin => ({
  channel: "telegram",
  chatId: id,
  senderId: id,
  person: `telegram-${id}`,
  role: "guest",
  cause: "user",
  format: "messaging",
  ...more,
});
const ownersChat = inChat("1", { person: "owner", role: "owner" });

const conversations: Record<string, Conversation> = {
  plain: {
    replies: [answer("Good morning."), answer("It is a bridge."), answer("好的。")],
    async talk({ say }) {
      for (const text of ["Good morning", "What is this?", "谢谢你"]) await say(text);
    },
  },
  tools: {
    replies: [
      call("list_dir", { path: "." }, "I look."),
      answer("Nothing special."),
      call("write_file", { path: "note.md", content: "笔记 one\n" }),
      call("read_file", { path: "note.md" }),
      answer("Written and read."),
      call("read_file", { path: "nowhere.md" }),
      answer("It is not there."),
    ],
    async talk({ say }) {
      for (const text of ["What is here?", "Write a note", "Read nowhere.md"]) await say(text);
    },
  },
  parallel: {
    replies: [
      {
        text: "Both at once.",
        calls: [
          { name: "read_file", arguments: { path: "a.md" } },
          { name: "read_file", arguments: { path: "b.md" } },
          { name: "read_file", arguments: {} },
        ],
      },
      answer("A and B."),
    ],
    async talk({ say, write }) {
      await write("a.md", "A\n");
      await write("b.md", "B\n");
      await say("Read a and b");
      await say("And now?");
    },
  },
  unknownTool: {
    replies: [call("no_such_tool", { x: 1 }), answer("I have no such tool.")],
    async talk({ say }) {
      await say("Use your no_such_tool");
    },
  },
  skill: {
    replies: [answer("Level."), answer("Yes.")],
    async talk({ say, write }) {
      await write(
        "skills/masonry/SKILL.md",
        "---\nname: masonry\ndescription: Cut and lay stones.\n---\n# Masonry\n\nLay it level.\n",
      );
      await say("How do I lay this? $masonry");
      await say("Sure?");
    },
  },
  edits: {
    replies: [answer("One."), answer("Two."), answer("Three.")],
    async talk({ say, write }) {
      await say("First");
      await write("+SOUL.md", "\n- Patience.\n");
      await write("memory/MEMORY.md", "# Long-term Memory\n\n- Has a cat named Luna.\n");
      await say("Second");
      await say("Third");
    },
  },
  restart: {
    replies: [answer("One."), answer("Two.")],
    async talk({ say, restart }) {
      await say("First");
      await restart();
      await say("Second");
    },
  },
  newConversation: {
    replies: [answer("One."), answer("- The user said first."), answer("Two.")],
    async talk({ say }) {
      await say("First");
      await say("/new");
      await say("Second");
    },
  },
  compact: {
    replies: [answer("One."), answer("Two."), answer("- They counted to two."), answer("Three.")],
    async talk({ say }) {
      for (const text of ["First", "Second", "/compact", "Third"]) await say(text);
    },
  },
  pause: {
    replies: [answer("One."), answer("Two.")],
    async talk({ say, write, wait }) {
      await say("First");
      await write("+SOUL.md", "\n- Patience.\n");
      wait(3 * 3_600_000);
      await say("Second");
    },
  },
  longResult: {
    replies: [call("read_file", { path: "long.md" }), answer("It is long."), answer("Yes.")],
    async talk({ say, write }) {
      await write("long.md", Array.from({ length: 3000 }, (_, n) => `${paragraph(n)}\n`).join(""));
      await say("Read long.md");
      await say("Really?");
    },
  },
  smallWindow: {
    defaults: { contextWindowTokens: 8192, maxTokens: 1024 },
    replies: [answer(paragraph(1).repeat(20)), answer(paragraph(2).repeat(20)), answer("- Talk of arches.")],
    async talk({ say }) {
      for (let n = 0; n < 8; n++) await say(`${n}: ${paragraph(n).repeat(12)}`);
    },
  },
  group: {
    replies: [answer("At nine."), answer("Ann said nine."), answer("Noted.")],
    async talk({ hear }) {
      const sessionKey = "telegram:-10";
      const place = { chatId: "-10", group: "telegram--10" };
      const ann = { sessionKey, speaker: "Ann", origin: inChat("1", { ...ownersChat, ...place }) };
      const ben = { sessionKey, speaker: "Ben", origin: inChat("2", place) };
      await hear({ ...ann, text: "When do we sing?" });
      await hear({ ...ben, text: "When did she say?" });
      await hear({ ...ann, text: "好，九点" });
    },
  },
  guest: {
    replies: [
      call("write_file", { path: "list.md", content: "milk\n" }),
      call("read_file", { path: "../../USER.md" }),
      call("exec", { command: "id" }),
      answer("Only the list."),
      answer("Milk."),
    ],
    async talk({ say }) {
      const guest = { sessionKey: "telegram:2", origin: inChat("2") };
      for (const text of ["Note milk, and who is the owner?", "What is on it?"]) await say(text, guest);
    },
  },
  attachments: {
    replies: [answer("A grey square."), answer("Four lines."), answer("Nothing.")],
    async talk({ say, write }) {
      const picture = await write("attachments/square.png", createPng(8, 8));
      const text = await write("attachments/poem.txt", "one\ntwo\n三\nfour\n");
      await say("What is this?", { media: [picture] });
      await say("And these?", { media: [text, picture, join(text, "..", "gone.pdf")] });
      await say("", { media: [text] });
    },
  },
  longMessage: {
    defaults: { contextWindowTokens: 16_384, maxTokens: 1024 },
    replies: [answer("It is about arches."), answer("Yes.")],
    async talk({ say }) {
      await say(`Read this:\n${Array.from({ length: 600 }, (_, n) => paragraph(n)).join("\n")}`);
      await say("Sure?");
    },
  },
  failedTool: {
    replies: [
      call("edit_file", { path: "plan.md", old_text: "two feets", new_text: "three feet" }),
      call("edit_file", { path: "plan.md", old_text: "two feet", new_text: "three feet" }, "Once more."),
      answer("Done."),
      answer("Three."),
    ],
    async talk({ say, write }) {
      await write("plan.md", "The arch stands on two feet.\n");
      await say("Give it three feet");
      await say("How many?");
    },
  },
  thinking: {
    defaults: { reasoningEffort: "medium" },
    replies: [
      { ...call("list_dir", { path: "skills" }), thinking: "I should look first." },
      { ...answer("Empty."), thinking: "Nothing there." },
      answer("Yes."),
    ],
    async talk({ say }) {
      for (const text of ["Which skills?", "Sure?"]) await say(text);
    },
  },
  recall: {
    recalls: true,
    replies: [answer("A nice name."), answer("Luna, you said.")],
    async talk({ say, wait }) {
      await say("My cat is called Luna, and she sleeps on the piano");
      wait(3 * 24 * 3_600_000);
      // Everything is read into the index before it is answered.
      await say("/search Luna");
      await say("Where does my cat Luna sleep?", { sessionKey: "cli:other" });
    },
  },
  subagent: {
    replies: [
      call("spawn", { task: "Count the stones of the arch", label: "stones", wait: true }),
      call("list_dir", { path: "." }),
      answer("Twelve stones."),
      answer("There are twelve."),
      answer("Yes."),
    ],
    async talk({ say }) {
      for (const text of ["How many stones?", "Sure?"]) await say(text);
    },
  },
  scheduled: {
    replies: [answer("Hello."), answer("Water the plants."), answer("All clear."), answer("Yes, at nine.")],
    async talk({ app, hear, write, wait }) {
      const { sessionKey, ...chat } = { sessionKey: "telegram:1", origin: ownersChat };
      await hear({ ...chat, sessionKey, text: "Good morning" });
      wait(3_600_000);
      const job = { id: "j", name: "plants", message: "Remind me of the plants", sessionKey };
      const place = { channel: "telegram", chatId: "1", origin: keepOrigin(ownersChat) };
      const schedule = { kind: "at", atMs: 0 };
      await hear(toInbound({ ...job, ...place, schedule } as Job, 0));
      await write("HEARTBEAT.md", "# Tasks\n- Look at the mail\n- [x] Buy milk\n");
      const heartbeat = new Heartbeat({
        ...app().storage.environment,
        intervalMs: 60_000,
        clock: systemClock,
        publish: async (message) => ({ id: await hear(message), isDuplicate: false }),
        isOpen: () => false,
        findTarget: async () => ownersChat,
      });
      await heartbeat.run();
      await hear({ ...chat, sessionKey, text: "Was there something?" });
    },
  },
  undo: {
    replies: [
      call("write_file", { path: "poem.md", content: "Roses are red\n" }),
      answer("Written."),
      call("read_file", { path: "poem.md" }),
      answer("It is gone."),
    ],
    async talk({ say }) {
      for (const text of ["Write a poem", "/undo", "Read the poem"]) await say(text);
    },
  },
  injected: {
    replies: [call("ring", {}), answer("Red, then."), answer("Yes.")],
    tools: ({ app }) => [
      defineTool({
        name: "ring",
        description: "Rings.",
        parameters: z.object({}),
        async execute(_, { sessionKey, origin }) {
          await app().messaging.bus.publishInbound({
            sourceKey: "ring",
            sessionKey,
            origin,
            text: "Make it red",
          });
          await nextTick();
          return { content: "It rang." };
        },
      }) as Tool,
    ],
    async talk({ hear }) {
      const chat = { sessionKey: "telegram:1", origin: ownersChat };
      await hear({ ...chat, text: "Paint the door" });
      await hear({ ...chat, text: "Sure?" });
    },
  },
};

interface Rendering {
  /** Without what differs from run to run. */
  clean(text: string): string;
  /** Long texts are otherwise cut: system text and tools are the same in most conversations. */
  showsAll: boolean;
}

/** Requests of one conversation as text: each message once, where it was first sent, named by its hash. */
function render(bodies: Array<Record<string, unknown>>, { clean, showsAll }: Rendering): string {
  const known = new Map<string, string>();
  const name = (kind: string, value: unknown): string => {
    const text = clean(JSON.stringify(value));
    const id = known.get(text);
    if (id !== undefined) return id;
    const next = `${kind}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
    known.set(text, next);
    const isShown = showsAll || text.length < 2_000;
    lines.push(`  ${next} = ${isShown ? text : `${text.slice(0, 200)}... (${text.length} characters)`}`);
    return next;
  };
  const lines: string[] = [];
  for (const [
    index,
    { instructions, input, messages = input, tools, system = instructions, ...rest },
  ] of bodies.entries()) {
    lines.push(`request ${index + 1}`);
    const sent = (messages as unknown[]).map((message) => name("message", message));
    lines.push(`  messages ${sent.join(" ")}`);
    if (system !== undefined) lines.push(`  system ${name("system", system)}`);
    if (tools !== undefined) lines.push(`  tools ${name("tools", tools)}`);
    lines.push(`  ${clean(JSON.stringify(rest))}`);
  }
  return lines.join("\n");
}

/** For a clock whose limits never come. */
async function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

async function converse(name: string, protocol: Protocol): Promise<string> {
  const conversation = conversations[name] as Conversation;
  const home = await createTemporaryFolder();
  const toEvents = { openai: toOpenAIEvents, anthropic: toAnthropicEvents, responses: toResponsesEvents }[
    protocol
  ];
  const isResponses = protocol === "responses";
  await using server = await startWireServer(
    ...conversation.replies.map((reply) => ({ chunks: toEvents(reply) })),
  );
  const [provider, apiBase] =
    protocol === "anthropic" ? ["anthropic", server.url] : ["loopback", `${server.url}/v1`];
  await writeFile(
    join(home, "config.json"),
    JSON.stringify({
      providers: { [provider]: { apiBase, apiKey: "k", ...(isResponses && { apiType: "responses" }) } },
      agents: {
        defaults: {
          provider,
          model: isResponses ? "gpt-5-test" : "claude-test",
          timezone: "Asia/Shanghai",
          ...conversation.defaults,
        },
      },
      memory: { autoRecall: conversation.recalls === true },
    }),
  );
  let now = Date.UTC(2026, 10, 15, 8, 30);
  const env = { HOME: home, NANOBOT_HOME: home, PATH: "/nowhere" };
  const runtime = { platform: "linux", architecture: "x64", version: "v24.0.0" } as const;
  const open = async (): Promise<App> => {
    const built = await buildApp({
      paths: resolveHome({ env }),
      env,
      words: createWords("english"),
      clock: { ...systemClock, now: () => now, ...(conversation.recalls && { sleep: untilAborted }) },
      ...(conversation.tools && { tools: conversation.tools(scene) }),
      context: { identity: createIdentityLayer(new PromptFiles(), runtime) },
    });
    if (!built.ok) throw new Error(built.problems.join("\n"));
    return built.app;
  };
  const scene: Scene = {
    app: () => app,
    async say(text, more) {
      await app.loop.processDirect({ sessionKey: "cli:direct", text, ...more });
    },
    async hear(message) {
      const ended = new Set<string>();
      const stop = new AbortController();
      const over = Promise.withResolvers<void>();
      let turn: string | undefined;
      const unsubscribe = app.messaging.bus.onLive(({ turnId, body }) => {
        if (body.type === "turn-end") ended.add(turnId);
        if (turn !== undefined && ended.has(turn)) over.resolve();
      });
      const running = app.loop.run(stop.signal, { drainMs: 60_000 });
      turn = (await app.messaging.bus.publishInbound({ ...message, sourceKey: String(++heard) })).id;
      await over.promise;
      unsubscribe();
      stop.abort();
      await running;
      return turn;
    },
    async write(name, text) {
      const path = join(workspace, name.replace("+", ""));
      await mkdir(join(path, ".."), { recursive: true });
      await (name.startsWith("+") ? appendFile : writeFile)(path, text);
      return path;
    },
    async restart() {
      await app.close();
      app = await open();
    },
    wait(ms) {
      now += ms;
    },
  };
  let heard = 0;
  let app = await open();
  const { workspace } = app.storage.environment;
  await conversation.talk(scene);
  await app.close();
  await rm(home, { recursive: true, force: true });
  const ids = new Map<string, string>();
  const clean = (text: string) =>
    text
      .replaceAll(workspace, "<workspace>")
      .replaceAll(home, "<home>")
      .replaceAll(packageRoot, "<package>")
      .replaceAll(/(?<![0-9a-z])[0-9a-z]{14}(?=[.:_)])/g, (id) => {
        if (!ids.has(id)) ids.set(id, `<id-${ids.size + 1}>`);
        return ids.get(id) ?? id;
      });
  return render(
    server.requests.map(({ json }) => json),
    { clean, showsAll: name === "plain" },
  );
}

it.each(["plain", "tools", "parallel", "thinking"])(
  "what is sent over Responses in the conversation %s",
  async (name) => {
    await expectGolden(`requests/${name}.responses.txt`, await converse(name, "responses"));
  },
);

describe.each(["openai", "anthropic"] as const)("what is sent over %s", (protocol) => {
  it.each(Object.keys(conversations))("in the conversation %s", async (name) => {
    await expectGolden(`requests/${name}.${protocol}.txt`, await converse(name, protocol));
  });
});
