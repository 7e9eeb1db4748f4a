// A gateway with an owner, a guest, a group that the guest is a member of, and strangers, who have talked, written and
// planned before. For the access matrix.
import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { vi } from "vitest";
import type { ScriptStep } from "../../src/llm/scripted.ts";
import type { ModelRequest } from "../../src/llm/types.ts";
import { Routes } from "../../src/server/http/routes.ts";
import { ignoreMissing } from "../../src/storage/files/plain-file.ts";
import { startFakeTelegram } from "./fake-telegram.ts";
import { createTestGateway, type TestGateway } from "./test-gateway.ts";
import { openWebClient, type WebClient } from "./web-client.ts";

/** What a person has, under names that another person may try. */
export interface Things {
  sessionKey: string;
  /** Of the first message there. */
  entryId: string;
  /** Another conversation, which was removed. */
  undo: string;
  fileId: string;
  /** A change of the memory. */
  version: string;
  /** Of what would be forgotten. */
  digest: string;
}

/** What only an owner has. */
export interface OwnersThings {
  job: string;
  /** Of another chat. */
  otherJob: string;
  removedJob: string;
  /** Of strangers who wait. */
  codes: string[];
  stages: string[];
  skillHash: string;
}

export type Chat =
  | "owner"
  | "guest"
  | "group"
  | "ownerInGroup"
  | "nobody"
  | "nobodyInGroup"
  | "stranger11"
  | "stranger12";

export interface AccessScene extends AsyncDisposable {
  gateway: TestGateway;
  /** `GET /health`, as the program has added them. */
  routes: string[];
  owner: WebClient;
  guest: WebClient;
  owners: Things & OwnersThings;
  guests: Things;
  /** The group's where it has something of its own, otherwise the owner's. */
  groups: Things & OwnersThings;
  /** Resolves with the next message in that chat. */
  say(chat: Chat, text: string): Promise<string>;
  /** Said without waiting. */
  mutter(chat: Chat, text: string): void;
  toldIn(chat: Chat): string[];
  /** Of its session. */
  keyOf(chat: Chat): string;
  /** What the owner would miss, by its place. */
  readOwnersState(): Promise<Record<string, string>>;
  apiKey: string;
  /** Must be in no refusal. */
  secrets: string[];
  /** Before the gateway ends: it would leave its staged skills behind. */
  tidy(): Promise<void>;
}

/** In everything that is the owner's. */
const word = "zebrafinch";
/** Said, and not written down. */
const said = "quetzal";
const apiKey = `api-${word}`;
const guestId = 2;
const guestPerson = `telegram-${guestId}`;
const group = { id: -10, type: "group", title: "Choir" };
const inPrivate = (id: number) => ({ from: { id, first_name: `P${id}` }, chat: { id, type: "private" } });
const chats: Record<Chat, { from: { id: number; first_name: string }; chat: { id: number; type: string } }> =
  {
    owner: inPrivate(1),
    guest: inPrivate(guestId),
    group: { ...inPrivate(guestId), chat: group },
    ownerInGroup: { ...inPrivate(1), chat: group },
    nobody: inPrivate(7),
    nobodyInGroup: { ...inPrivate(7), chat: group },
    stranger11: inPrivate(11),
    stranger12: inPrivate(12),
  };
const skill = (name: string) =>
  `---\nname: ${name}\ndescription: How ${name} is made\n---\n# ${name}\n\nBoil water.\n`;

/** Does what the last message says, `do [[<tool>, <arguments>], ...]`. */
function puppet({ messages }: ModelRequest): ScriptStep {
  const last = messages.at(-1);
  const text = typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
  const calls =
    last?.role === "user" ? /^(?:P\d+: )?(?:@nano_bot )?do (\[.*\])$/m.exec(text ?? "")?.[1] : undefined;
  if (calls === undefined) return "Noted.";
  return {
    toolCalls: (JSON.parse(calls) as Array<[string, Record<string, unknown>]>).map(([name, args]) => ({
      name,
      arguments: args,
    })),
  };
}

/** Of Telegram's HTML. */
function toPlainText(html: string): string {
  const characters: Record<string, string> = { quot: '"', amp: "&", lt: "<", gt: ">" };
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(\w+);/g, (whole, name) => characters[name] ?? whole);
}

export async function openAccessScene(): Promise<AccessScene> {
  const telegram = await startFakeTelegram();
  const { token, url: apiBase } = telegram;
  const lists = { owners: ["1"], allowFrom: [String(guestId)], groupPolicy: "mention" };
  const added = vi.spyOn(Routes.prototype, "add");
  const gateway = await createTestGateway(
    { steps: [puppet], loop: true },
    {
      onRestart() {},
      config: {
        api: { apiKey },
        channels: {
          collectMs: 0,
          sendToolHints: false,
          telegram: { enabled: true, token, apiBase, ...lists, streaming: false, reactEmoji: "" },
        },
        tools: { approval: "auto", exec: { sandbox: "off" }, web: { enable: false } },
      },
    },
  );
  const routes = added.mock.calls.map(([method, path]) => `${method} ${path}`);
  added.mockRestore();
  let updates = 0;
  const keyOf = (chat: Chat) => `telegram:${chats[chat].chat.id}`;
  const toldIn = (chat: Chat) => {
    const id = String(chats[chat].chat.id);
    return telegram.messages.filter(({ chatId }) => chatId === id).map(({ text }) => toPlainText(text));
  };
  const mutter = (chat: Chat, text: string) => {
    const isGroup = chats[chat].chat.type === "group";
    const isCommand = text.startsWith("/");
    const addressed = isCommand ? text.replace(/^\/[\w-]+/, "$&@nano_bot") : `@nano_bot ${text}`;
    telegram.say(isGroup ? addressed : text, {
      message_id: 10_000 + ++updates,
      chat: chats[chat].chat,
      from: { is_bot: false, ...chats[chat].from },
      ...(isGroup && !isCommand && { entities: [{ type: "mention", offset: 0, length: 9 }] }),
    });
  };
  const say = async (chat: Chat, text: string) => {
    const before = toldIn(chat).length;
    mutter(chat, text);
    await telegram.waitFor(() => toldIn(chat).length > before);
    return toldIn(chat)[before] ?? "";
  };
  const owner = await openWebClient(gateway);
  const guest = await openWebClient(gateway, { person: guestPerson, role: "guest" });
  const owners = { ...(await settleIn(owner, "web:", word)), ...(await plan(gateway, owner, say)) };
  const guests = await settleIn(guest, `web:${guestPerson}:`, "robin");
  await say("group", "We sing at nine");
  const groupKey = keyOf("group");
  const { entries } = await owner.ask("chat.open", { sessionKey: groupKey });
  const entryId = entries[0]?.id ?? "";
  return {
    gateway,
    routes,
    owner,
    guest,
    owners,
    guests,
    groups: { ...owners, sessionKey: groupKey, entryId },
    say,
    mutter,
    toldIn,
    keyOf,
    readOwnersState: () => readOwnersState(gateway.home),
    apiKey,
    secrets: [word, apiKey, token, gateway.address.token, gateway.home, owner.cookie.split("=")[1] ?? ""],
    async tidy() {
      for (const stage of owners.stages) await owner.ask("skills.discard", { stage });
    },
    [Symbol.asyncDispose]: () => telegram[Symbol.asyncDispose](),
  };
}

/** Two conversations, one of which is removed, a file and a change of the memory. */
async function settleIn(client: WebClient, prefix: string, secret: string): Promise<Things> {
  const fileId = `file-${secret}`;
  const data = Buffer.from(secret).toString("base64");
  await client.ask("file.put", { fileId, name: "a.txt", offset: 0, data, isLast: true });
  const talk = async (name: string, text: string, files: string[] = []) => {
    const sessionKey = prefix + name;
    const { turnId } = await client.ask("chat.send", { sessionKey, text, files });
    await client.waitFor(
      ({ event }) =>
        event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === turnId,
    );
    return { sessionKey, turnId };
  };
  const { sessionKey, turnId } = await talk("talk", `It is ${said}`, [fileId]);
  const gone = await talk("gone", `It is ${secret}`);
  const { undo } = await client.ask("chat.remove", { sessionKey: gone.sessionKey });
  const version = await remember(client, "memory/MEMORY.md", `- It is ${secret}\n`);
  const { digest } = await client.ask("memory.preview", { words: said });
  return { sessionKey, entryId: turnId, undo, fileId, version, digest };
}

/** The id of the change. */
async function remember(client: WebClient, path: string, text: string): Promise<string> {
  const { hash } = await client.ask("memory.read", { path });
  await client.ask("memory.save", { path, text, hash });
  const { versions } = await client.ask("memory.log", {});
  return versions[0]?.id ?? "";
}

async function plan({ app }: TestGateway, owner: WebClient, say: AccessScene["say"]): Promise<OwnersThings> {
  await writeFile(join(app.workspace, "notes.md"), `one ${word}\n`);
  const add = async (channel: string, chatId: string) => {
    const schedule = { kind: "every", everyMs: 86_400_000 } as const;
    const draft = {
      name: word,
      message: word,
      schedule,
      misfire: "once",
      chat: { channel, chatId },
    } as const;
    return (await owner.ask("jobs.add", draft)).id;
  };
  await say("owner", `It is ${word}`);
  const job = await add("telegram", "1");
  const otherJob = await add("cli", "direct");
  const { id: removedJob } = await owner.ask("jobs.remove", { id: await add("cli", "direct") });
  for (const stranger of ["stranger11", "stranger12", "nobody"] as const) await say(stranger, "Hello");
  const { pending } = await owner.ask("pairing.list", {});
  const stage = async (name: string) =>
    (await owner.ask("skills.stage", { offer: { text: skill(name) } })).staged?.stage ?? "";
  await owner.ask("skills.add", { stage: await stage("tea"), isAccepted: false });
  const { skills } = await owner.ask("skills.list", {});
  return {
    job,
    otherJob,
    removedJob,
    codes: pending.map(({ code }) => code),
    stages: [await stage("soup"), await stage("cake")],
    skillHash: skills.find(({ name }) => name === "tea")?.hash ?? "",
  };
}

/** Guests and groups change what is theirs as they talk, and what is only kept for a while changes on its own. */
const others = [
  /^workspace\/(people|groups)\//,
  /^(logs|cache|run|media|undo|tool-results)\//,
  /^sessions\/[^/]+\/prefixes\//,
  /^(state|index)\.db/,
  // Copies that follow later, and halves of what is being written.
  /\.(last-good|tmp)$/,
];

async function readOwnersState(home: string): Promise<Record<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const places = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isOthers(toPlace(home, path)));
  const states = places.sort().map(async (path): Promise<[string, string]> => {
    const status = await stat(path, { bigint: true }).catch(ignoreMissing);
    return [toPlace(home, path), `${status?.ino} ${status?.size} ${status?.mtimeNs}`];
  });
  return Object.fromEntries(await Promise.all(states));
}

function isOthers(place: string): boolean {
  // Also the note of a closed conversation, in a folder below, is named after its session.
  const [encodedKey = ""] = place.startsWith("sessions/") ? basename(place).split(".") : [];
  const sessionKey = Buffer.from(encodedKey, "base64url").toString();
  return (
    others.some((pattern) => pattern.test(place)) ||
    /^(telegram|subagent):/.test(sessionKey) ||
    sessionKey.startsWith(`web:${guestPerson}:`)
  );
}

function toPlace(home: string, path: string): string {
  return path.slice(home.length + 1).replaceAll(sep, "/");
}
