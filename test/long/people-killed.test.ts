// Two people and a group on a gateway that is killed while it archives what they said: every prompt, every file, every
// search and every export holds what belongs to one of them alone, and no summary is lost or written twice.
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ignoreMissing } from "../../src/storage/files/plain-file.ts";
import { sentence } from "../support/english.ts";
import { eventually } from "../support/eventually.ts";
import type { FakeModelReply, FakeModelRequest } from "../support/fake-model.ts";
import { startFakeTelegram } from "../support/fake-telegram.ts";
import { type GatewayProgram, startGatewayProgram } from "../support/gateway-program.ts";
import { nanobot } from "../support/run-program.ts";
import { runProgram } from "../support/start-program.ts";

const places = {
  owner: { chat: { id: 1, type: "private" }, from: 1, secret: "amberkestrel", root: "." },
  guest: { chat: { id: 2, type: "private" }, from: 2, secret: "cobaltheron", root: "people/telegram-2" },
  group: { chat: { id: -10, type: "group" }, from: 2, secret: "violetegret", root: "groups/telegram--10" },
};
type Name = keyof typeof places;
const names = Object.keys(places) as Name[];

const secretsIn = (text: string): Name[] => names.filter((name) => text.includes(places[name].secret));

/** What a subagent is asked to do. */
const errand = "Look up my code word";

/** Summaries and subagents wait for it; everything else is answered at once. */
let mayEnd: Promise<void> = Promise.resolve();

function isSummary({ messages }: FakeModelRequest): boolean {
  return textOf(messages.at(-1)?.content).includes("Call no tools.");
}

/** Summarises by the code words that were said, and does what a message asks: `do <tool> <arguments>`. */
function answer(request: FakeModelRequest): FakeModelReply {
  const said = request.messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  if (isSummary(request)) {
    // The first of a message: what is recalled is behind it.
    const words = said.flatMap((text) => /My code word is (\w+ round \d)/.exec(text)?.[1] ?? []);
    return { text: `Code words: ${words.join(", ")}.`, waitFor: mayEnd };
  }
  const last = request.messages.at(-1);
  if (last?.role === "user" && textOf(last.content).startsWith(errand))
    return { toolCalls: [{ name: "memory_search", arguments: { query: "code word" } }], waitFor: mayEnd };
  const [, name = "", args = "{}"] = /\bdo (\w+) (\{.*?\})/.exec(textOf(last?.content)) ?? [];
  if (last?.role !== "user" || name === "") return { text: "Noted." };
  return { toolCalls: [{ name, arguments: JSON.parse(args) }] };
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

type Telegram = Awaited<ReturnType<typeof startFakeTelegram>>;

class Scene {
  readonly telegram: Telegram;
  readonly gateway: GatewayProgram;
  #updates = 0;

  constructor(telegram: Telegram, gateway: GatewayProgram) {
    this.telegram = telegram;
    this.gateway = gateway;
  }

  /** Said in a place, to the assistant; resolves with the next message there. */
  async say(name: Name, text: string, from = places[name].from): Promise<string> {
    const { chat } = places[name];
    const isIn = ({ chatId }: { chatId: string }) => chatId === String(chat.id);
    const before = this.telegram.messages.filter(isIn).length;
    const isCommand = text.startsWith("/");
    const toBot = isCommand ? text.replace(/^\/\S+/, "$&@nano_bot") : `@nano_bot ${text}`;
    this.telegram.say(chat.type === "group" ? toBot : text, {
      message_id: 10_000 + ++this.#updates,
      chat,
      from: { is_bot: false, id: from, first_name: "P" },
    });
    await this.telegram.waitFor(() => this.telegram.messages.filter(isIn).length > before);
    return this.telegram.messages.filter(isIn).at(-1)?.text ?? "";
  }

  /** Nothing more comes that was said before: a part that was sent when the gateway died may come once more. */
  async restart(): Promise<void> {
    await this.gateway.start();
    await eventually(async () => (await this.gateway.client.call("gateway.status", {})).waiting).toBe(0);
  }

  confide(name: Name, round: number): Promise<string> {
    const words = `${places[name].secret} round ${round}`;
    return this.say(name, `My code word is ${words}. ${"Please keep it in mind. ".repeat(10)}`);
  }

  root(name: Name): string {
    return join(this.gateway.workspace, places[name].root);
  }

  async archived(name: Name): Promise<string[]> {
    const path = join(this.root(name), "memory/history.jsonl");
    const text = (await readFile(path, "utf8").catch(ignoreMissing)) ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line).content));
  }

  /** Every conversation of these rounds is archived for whose it was, once. */
  async untilArchived(rounds: number): Promise<void> {
    for (const name of names) {
      const all = Array.from(
        { length: rounds },
        (_, round) => `Code words: ${places[name].secret} round ${round + 1}.`,
      );
      await eventually(() => this.archived(name)).toEqual(all);
    }
  }

  /** As 0.1.0 did it: the first summary of one is in the history of the other, too. */
  async mix(from: Name, to: Name): Promise<void> {
    const [first = "{}"] = (await readFile(join(this.root(from), "memory/history.jsonl"), "utf8")).split(
      "\n",
    );
    const entry = JSON.stringify({ ...JSON.parse(first), cursor: 90 });
    await appendFile(join(this.root(to), "memory/history.jsonl"), `${entry}\n`);
    await rm(join(this.gateway.workspace, ".nanobot/memory-sorted"), { force: true });
  }

  summaries(): number {
    return this.gateway.model.requests.filter(isSummary).length;
  }
}

async function openScene(): Promise<Scene> {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const { token, url: apiBase } = telegram;
  const rules = { owners: ["1"], allowFrom: ["2"], groupPolicy: "mention" };
  const channel = { enabled: true, token, apiBase, ...rules, streaming: false, reactEmoji: "" };
  const gateway = await startGatewayProgram({
    answer,
    env: { NANOBOT_AGENTS__DEFAULTS__MAX_CONCURRENT_SUBAGENTS: "3" },
    config: {
      channels: { collectMs: 0, sendToolHints: false, telegram: channel },
      memory: { autoRecall: true },
    },
  });
  const scene = new Scene(telegram, gateway);
  // So that a prompt with the wrong memory is seen at once.
  for (const name of names) {
    await mkdir(join(scene.root(name), "memory"), { recursive: true });
    await writeFile(join(scene.root(name), "memory/MEMORY.md"), `- Remembered: ${places[name].secret}\n`);
  }
  return scene;
}

/** Whose each file of the home is, by what is in it. Databases are common to all and searched with a scope. */
async function findMixed(home: string, workspace: string): Promise<string[]> {
  const mixed: string[] = [];
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.db(-\w+)?$/.test(entry.name)) continue;
    const secrets = secretsIn(await readFile(path, "utf8"));
    const place = relative(workspace, path);
    const whose = names.find((name) => name !== "owner" && place.startsWith(places[name].root)) ?? "owner";
    const isIn = !place.startsWith("..");
    const isRight = isIn ? secrets.every((name) => name === whose) : secrets.length <= 1;
    if (!isRight) mixed.push(`${relative(home, path)}: ${secrets.join(", ")}`);
  }
  return mixed;
}

describe("two people and a group whose gateway is killed while it archives", { timeout: 120_000 }, () => {
  it("find what was theirs and nothing of one another, in prompts, files, searches and exports", async () => {
    const scene = await openScene();
    const { gateway, telegram } = scene;

    // All end their conversations; the gateway dies while the first summary is made, the others wait.
    for (const name of names) await scene.confide(name, 1);
    const held = Promise.withResolvers<void>();
    mayEnd = held.promise;
    await Promise.all(names.map((name) => scene.say(name, "/new")));
    await eventually(() => scene.summaries()).toBe(1);
    await gateway.kill();
    held.resolve();
    await scene.restart();
    await scene.untilArchived(1);

    // It dies at some moment after they were told that a new conversation begins.
    for (const name of names.toReversed()) await scene.confide(name, 2);
    await Promise.all(names.map((name) => scene.say(name, "/new")));
    await gateway.kill();
    await scene.mix("guest", "owner");
    await scene.mix("owner", "group");
    await scene.restart();
    await scene.untilArchived(2);
    const isTold = ({ chatId, text }: { chatId: string; text: string }) =>
      chatId === "1" && text.includes(sentence("home.memory-sorted", { count: 2 }));
    await eventually(() => telegram.messages.filter(isTold).length).toBe(1);

    // Others end theirs while a summary is made.
    for (const name of names) await scene.confide(name, 3);
    const before = scene.summaries();
    const again = Promise.withResolvers<void>();
    mayEnd = again.promise;
    await scene.say("owner", "/new");
    await eventually(() => scene.summaries()).toBe(before + 1);
    await Promise.all([scene.say("group", "/new"), scene.say("guest", "/new")]);
    // Nor does a new conversation wait for the summary of the old one.
    expect(await scene.say("owner", `Still ${places.owner.secret}.`)).toBe("Noted.");
    again.resolve();
    await scene.untilArchived(3);

    for (const name of names) {
      await scene.say(name, `${places[name].secret}: do memory_search {"query": "code word"}`);
      expect(await scene.say(name, "/search code word")).toContain(places[name].secret);
      for (const command of ["/why code word", "/context", "/export", "/dream-log"])
        await scene.say(name, command);
      await scene.say(name, 'do cron {"action": "list"}');
    }
    const search = await runProgram(nanobot("memory", "search", "code word"), { env: gateway.env });
    expect(secretsIn(search.stdout)).toEqual(["owner"]);

    const ended = gateway.program.ended;
    gateway.program.kill("SIGTERM");
    await ended;
    const mixed = gateway.model.requests.filter((request) => secretsIn(JSON.stringify(request)).length !== 1);
    expect(mixed).toEqual([]);
    for (const name of names) {
      const shown = telegram.messages.filter(({ chatId }) => chatId === String(places[name].chat.id));
      expect(secretsIn(JSON.stringify(shown)).filter((other) => other !== name)).toEqual([]);
    }
    expect(await findMixed(gateway.home, gateway.workspace)).toEqual([]);
    const [id = ""] = (await readdir(join(gateway.home, "sessions"))).filter((each) =>
      /^[0-9a-f]{32}$/.test(each),
    );
    expect(await readdir(join(gateway.home, "sessions", id, "pending"))).toEqual([]);
  });

  it("have subagents that go on after a kill with what belongs to the person who sent them", async () => {
    const scene = await openScene();
    const { gateway, telegram } = scene;
    for (const name of names) await scene.confide(name, 1);
    const held = Promise.withResolvers<void>();
    mayEnd = held.promise;
    const isErrand = ({ messages }: FakeModelRequest) =>
      messages.some(({ role, content }) => role === "user" && textOf(content).startsWith(errand));
    const errands = () => gateway.model.requests.filter(isErrand);
    // Guests have none. In a group the owner sends one, which has what belongs to the group.
    const senders: Name[] = ["owner", "group"];
    for (const name of senders) {
      const before = errands().length;
      const task = JSON.stringify({ task: `${errand}.`, label: "look up" });
      await scene.say(name, `${places[name].secret}: do spawn ${task}`, places.owner.from);
      await eventually(() => errands().length).toBe(before + 1);
    }
    await gateway.kill();
    held.resolve();
    const isOver = ({ text }: { text: string }) => text === "Noted.";
    const told = (name: Name) =>
      telegram.messages.filter(({ chatId }) => chatId === String(places[name].chat.id)).filter(isOver);
    const before = senders.map((name) => told(name).length);
    await scene.restart();
    for (const [index, name] of senders.entries())
      await eventually(() => told(name).length).toBeGreaterThan(before[index] ?? 0);

    const found = errands().filter(({ messages }) => messages.at(-1)?.role === "tool");
    const results = found.map(({ messages }) => secretsIn(textOf(messages.at(-1)?.content)));
    expect(results.flat().sort()).toEqual([...senders].sort());
    expect(results.every((secrets) => secrets.length === 1)).toBe(true);
    const mixed = gateway.model.requests.filter((request) => secretsIn(JSON.stringify(request)).length > 1);
    expect(mixed).toEqual([]);
    for (const name of names) {
      const shown = telegram.messages.filter(({ chatId }) => chatId === String(places[name].chat.id));
      expect(secretsIn(JSON.stringify(shown)).filter((other) => other !== name)).toEqual([]);
    }
  });
});
