// Three people and two groups on one gateway: whatever one of them tries, nothing of another reaches them.
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptStep } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { words } from "./support/english.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";

type Name = "owner" | "ben" | "cleo" | "choir" | "club";

interface Place {
  chat: { id: number; type: "private" | "group"; title?: string };
  /** Who speaks there by default. */
  from: { id: number; first_name: string };
  /** Of this place alone. */
  secret: string;
  root: string;
}

const owner = { id: 1, first_name: "Ann" };
const ben = { id: 2, first_name: "Ben" };
const cleo = { id: 3, first_name: "Cleo" };

const places: Record<Name, Place> = {
  owner: { chat: { id: 1, type: "private" }, from: owner, secret: "amberkestrel", root: "" },
  ben: { chat: { id: 2, type: "private" }, from: ben, secret: "cobaltheron", root: "people/telegram-2" },
  cleo: { chat: { id: 3, type: "private" }, from: cleo, secret: "crimsonibis", root: "people/telegram-3" },
  choir: {
    chat: { id: -10, type: "group", title: "Choir" },
    from: ben,
    secret: "violetegret",
    root: "groups/telegram--10",
  },
  club: {
    chat: { id: -20, type: "group", title: "Club" },
    from: cleo,
    secret: "olivestork",
    root: "groups/telegram--20",
  },
};
const names = Object.keys(places) as Name[];

let telegram: Awaited<ReturnType<typeof startFakeTelegram>>;
let gateway: TestGateway;

beforeEach(async () => {
  telegram = await startFakeTelegram();
  const { token, url: apiBase } = telegram;
  const lists = { owners: ["1"], allowFrom: ["2", "3"], groupPolicy: "mention" };
  gateway = await createTestGateway(
    { steps: [puppet], loop: true },
    {
      config: {
        channels: {
          collectMs: 0,
          sendToolHints: false,
          telegram: { enabled: true, token, apiBase, ...lists, streaming: false, reactEmoji: "" },
        },
        tools: { exec: { sandbox: "off" } },
      },
    },
  );
});

afterEach(async () => {
  await closeTestGateways();
  await telegram[Symbol.asyncDispose]();
});

/** Does what the last message says, `do <tool> <arguments>`, and answers with what came of it. */
function puppet({ messages }: ModelRequest): ScriptStep {
  const last = messages.at(-1);
  const text = typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
  if (last?.role === "tool") return `It says: ${text}`;
  const [, name = "", args = "{}"] = /\bdo (\w+) (\{.*\})/.exec(text ?? "") ?? [];
  return name === "" ? "Noted." : { toolCalls: [{ name, arguments: JSON.parse(args) }] };
}

let updates = 0;

/** Said in a place, to the assistant; resolves with the next message there. */
async function say(name: Name, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const { chat, from } = places[name];
  // The card of a change of the schedule comes after the answer.
  const isIn = ({ chatId, text: sent }: { chatId: string; text: string }) =>
    chatId === String(chat.id) && !sent.startsWith(words.reply.planned);
  const before = telegram.messages.filter(isIn).length;
  const toBot = chat.type === "group" && !text.startsWith("/") ? `@nano_bot ${text}` : text;
  telegram.say(
    chat.type === "group" && text.startsWith("/") ? text.replace(/^\/\w+/, "$&@nano_bot") : toBot,
    {
      message_id: 10_000 + ++updates,
      chat,
      from: { is_bot: false, ...from },
      ...entitiesOf(toBot),
      ...more,
    },
  );
  await telegram.waitFor(() => telegram.messages.filter(isIn).length > before);
  return telegram.messages.filter(isIn).slice(before).at(-1)?.text ?? "";
}

function entitiesOf(text: string) {
  return text.startsWith("@nano_bot")
    ? { entities: [{ type: "mention", offset: 0, length: "@nano_bot".length }] }
    : {};
}

const use = (name: Name, tool: string, args: Record<string, unknown>) =>
  say(name, `do ${tool} ${JSON.stringify(args)}`);

/** In the conversation, in a file, in the memory, in a job. */
async function confide(name: Name): Promise<void> {
  const { secret } = places[name];
  await say(name, `The code word is ${secret}.`);
  await use(name, "write_file", { path: "notes.md", content: `The code word is ${secret}.` });
  await use(name, "write_file", { path: "memory/MEMORY.md", content: `- The code word is ${secret}.` });
  await use(name, "cron", { action: "add", message: `Say the code word ${secret}`, every_seconds: 86_400 });
}

/** Everything that anyone could see: what the model was sent for a place, and what was sent to its chat. */
function seenIn(name: Name): string {
  const { chat } = places[name];
  const key = `telegram:${chat.id}`;
  const requests = gateway.provider.requests.filter(({ attribution }) => attribution.sessionKey === key);
  const shown = telegram.messages.filter(({ chatId }) => chatId === String(chat.id));
  return JSON.stringify([requests, shown]);
}

async function addPythonJob(job: object): Promise<void> {
  const path = join(gateway.app.workspace, "cron", "jobs.json");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ version: 1, jobs: [job] }));
}

function secretsSeenIn(name: Name): string[] {
  const seen = seenIn(name);
  return names.filter((other) => seen.includes(places[other].secret));
}

describe("people and groups on one gateway", { timeout: 60_000 }, () => {
  it("never see what another has said, written, planned or been sent", async () => {
    for (const name of names) await confide(name);
    const workspace = gateway.app.workspace;
    const sessions = await readdir(gateway.app.sessions.folder);
    const paths = [
      ...names.map((name) => join(workspace, places[name].root, "notes.md")),
      ...names.map((name) => join(workspace, places[name].root, "memory/MEMORY.md")),
      ...sessions.map((file) => join(gateway.app.sessions.folder, file)),
      join(workspace, "cron/jobs.json"),
      join(gateway.home, "state.db"),
    ];
    for (const name of names.slice(1)) {
      for (const path of paths) await use(name, "read_file", { path });
      await use(name, "grep", { pattern: "code word", path: workspace });
      await use(name, "list_dir", { path: "../.." });
      // In a group the owner would be asked.
      if (places[name].chat.type === "private")
        await use(name, "exec", { command: `cat ${workspace}/notes.md` });
    }
    for (const name of names) {
      expect(await say(name, "/search code word")).toContain(places[name].secret);
      await use(name, "memory_search", { query: "code word" });
      expect(await use(name, "cron", { action: "list" })).toContain(places[name].secret);
      await say(name, "/why code word");
      await say(name, "/context");
      await say(name, "/dream-log");
      await say(name, "/status");
    }
    for (const name of names) expect([name, secretsSeenIn(name)]).toEqual([name, [name]]);
  });

  it("cannot undo, remove, open or send to what is another's", async () => {
    await confide("ben");
    telegram.files.set("letter", Buffer.from(`The code word is ${places.ben.secret}.`));
    await say("ben", "", { text: undefined, document: { file_id: "letter", file_name: "letter.txt" } });
    const folder = join(gateway.home, "media", "people", "telegram-2");
    const [letter = ""] = await readdir(folder);
    const jobs = await use("ben", "cron", { action: "list" });
    const [job = ""] = /\b[0-9a-f]{8}\b/.exec(jobs) ?? [];
    expect(letter).toContain("letter.txt");
    expect(job).not.toBe("");

    expect(await use("owner", "cron", { action: "remove", job_id: job })).toContain("There is no job");
    for (const name of ["cleo", "choir"] as const) {
      await use(name, "read_file", { path: join(folder, letter) });
      await use(name, "list_dir", { path: folder });
      await use(name, "cron", { action: "remove", job_id: job });
      await say(name, "/undo");
      const { chat } = places.ben;
      await use(name, "message", {
        content: "from elsewhere",
        channel: "telegram",
        chat_id: String(chat.id),
      });
      expect([name, secretsSeenIn(name)]).toEqual([name, []]);
    }
    expect(seenIn("ben")).not.toContain("from elsewhere");
    expect(await use("ben", "cron", { action: "list" })).toContain(job);
    expect(await use("ben", "read_file", { path: "notes.md" })).toContain(places.ben.secret);
    expect(await use("ben", "read_file", { path: join(folder, letter) })).toContain(places.ben.secret);
    expect(await say("ben", "/undo")).toContain(`Say the code word ${places.ben.secret}`);
    expect(await say("ben", "/undo")).toContain("MEMORY.md");
  });

  it("have separate conversations under the same session key, and no task ends one", async () => {
    await say("ben", `The code word is ${places.ben.secret}.`);
    /** Whose code words were sent to the model. */
    const sentFor = async (ask: () => Promise<unknown>): Promise<Name[]> => {
      const { length } = gateway.provider.requests;
      await ask();
      const requests = gateway.provider.requests.slice(length);
      const sent = JSON.stringify(
        requests.filter(({ attribution }) => attribution.cause !== "consolidation"),
      );
      return names.filter((name) => sent.includes(places[name].secret));
    };
    const { loop } = gateway.app;
    const fromTerminal = () =>
      loop.processDirect({ sessionKey: "telegram:2", text: `I am ${places.owner.secret}.` });
    expect(await sentFor(fromTerminal)).toEqual(["owner"]);
    const args = JSON.stringify({ path: "desk.md", content: "of the owner" });
    await loop.processDirect({ sessionKey: "telegram:2", text: `do write_file ${args}` });
    expect(await say("ben", "/undo")).not.toContain("desk.md");
    expect(existsSync(join(gateway.app.workspace, "desk.md"))).toBe(true);
    expect(await sentFor(() => say("ben", `Still ${places.ben.secret}.`))).toEqual(["ben"]);

    await say("owner", `The code word is ${places.owner.secret}.`);
    // As it comes from the Python original: nobody is named.
    const id = "water";
    await addPythonJob({
      ...{ id, name: "water", enabled: true, schedule: { kind: "every", everyMs: 86_400_000 } },
      payload: {
        kind: "agent_turn",
        message: `Water the ${places.cleo.secret}`,
        channel: "telegram",
        to: "1",
      },
    });
    const isAnswered = () => telegram.messages.filter(({ chatId }) => chatId === "1").length === 2;
    const ofTask = await sentFor(async () => {
      await gateway.client.call("jobs.run", { id });
      await telegram.waitFor(isAnswered);
    });
    expect(ofTask).toEqual(["cleo"]);
    expect(await sentFor(() => say("owner", "Which one?"))).toEqual(["owner"]);
  });

  it("read what was sent to them: a guest alone, a group together, the owner all of it", async () => {
    const send = (name: Name, letter: string) => {
      telegram.files.set(name, Buffer.from(letter));
      return say(name, "", {
        text: undefined,
        ...(name === "choir" && {
          caption: "@nano_bot",
          caption_entities: [{ type: "mention", offset: 0, length: 9 }],
        }),
        document: { file_id: name, file_name: `${name}.txt` },
      });
    };
    await send("owner", "of the owner");
    await send("ben", "of Ben");
    await send("choir", "of the choir");
    const media = join(gateway.home, "media");
    const files = await readdir(media, { recursive: true });
    const find = (name: Name) => join(media, files.find((file) => file.endsWith(`${name}.txt`)) ?? name);
    const readers: Array<[Name, Name[]]> = [
      ["owner", ["owner"]],
      ["ben", ["owner", "ben"]],
      ["choir", ["owner", "choir"]],
    ];
    for (const [whose, allowed] of readers)
      for (const name of names) {
        const isRead = (await use(name, "read_file", { path: find(whose) })).includes("1| of ");
        expect([whose, name, isRead]).toEqual([whose, name, allowed.includes(name)]);
      }
  });

  it("run nothing that the owner has not allowed, and take nobody else's word for it", async () => {
    const { workspace } = gateway.app;
    const made = join(workspace, places.choir.root, "made.txt");
    expect(await use("ben", "exec", { command: "touch made.txt" })).toMatch(/nobody is there to be asked/);
    expect(await use("choir", "exec", { command: "touch made.txt" })).toContain("touch made.txt");
    const word = (from: Place["from"], text: string) =>
      telegram.say(`@nano_bot ${text}`, {
        message_id: 10_000 + ++updates,
        chat: places.choir.chat,
        from: { is_bot: false, ...from },
        ...entitiesOf("@nano_bot"),
      });
    word(ben, "yes");
    word(cleo, "always");
    // In private the same word is about something else.
    expect(await say("owner", "yes")).toBe("Noted.");
    expect(existsSync(made)).toBe(false);
    word(owner, "yes");
    await expect.poll(() => existsSync(made)).toBe(true);
  });
});
