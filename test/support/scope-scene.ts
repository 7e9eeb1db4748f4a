// An owner, a guest and a group at a gateway, by chat and by page, and the rule that nothing of one of them reaches another:
// no prompt, no answer, no file and no result of an operation.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { OperationName, ParamsOf, ResultOf } from "../../src/server/protocol.ts";
import { eventually } from "./eventually.ts";
import { type FakeTelegram, startFakeTelegram } from "./fake-telegram.ts";
import type { OpenScopeHome, ScopeHome } from "./scope-homes.ts";
import {
  answerAsPuppet,
  guestPerson,
  keyOf,
  type Place,
  placeNames,
  places,
  secretsIn,
} from "./scope-places.ts";
import { openWebClient, type WebClient, WebProblem } from "./web-client.ts";

/** Who can sign in to the page: an owner sees every conversation there, and speaks for themselves. */
export type Viewer = "owner" | "guest";

/** Whose a conversation is, by its session key. */
type Talks = Map<string, Place>;

export class ScopeScene implements AsyncDisposable {
  readonly home: ScopeHome;
  /** Conversations on the page. */
  readonly talks: Talks = new Map();
  /** Who has got something of their own by which way: without that a test would show nothing. */
  readonly served = new Set<string>();
  readonly #telegram: FakeTelegram;
  readonly #hold: Hold;
  #clients: Partial<Record<Viewer, WebClient>> = {};
  #updates = 0;
  #checked = 0;

  constructor(home: ScopeHome, telegram: FakeTelegram, hold: Hold) {
    this.home = home;
    this.#telegram = telegram;
    this.#hold = hold;
  }

  /** Resolves with what comes next in that chat. */
  async say(place: Place, text: string, from: number = places[place].from): Promise<string> {
    const before = this.#toldIn(place).length;
    this.#mutter(place, text, from);
    await eventually(() => this.#toldIn(place).length).toBeGreaterThan(before);
    await this.settle();
    const told = this.#toldIn(place).slice(before).join("\n");
    this.expectOnly(place, text.replaceAll(/[^a-z/_ ]/g, ""), told);
    return told;
  }

  /** The model does something in that chat. */
  use(place: Place, tool: string, args: object, from?: number): Promise<string> {
    return this.say(place, `${places[place].secret}: do ${tool} ${JSON.stringify(args)}`, from);
  }

  /** On the page; a refusal is an answer, too. Without a place what an owner sees is not looked at. */
  async ask<Name extends OperationName>(
    viewer: Viewer,
    method: Name,
    params: ParamsOf<Name>,
    place: Place | undefined = viewer === "guest" ? "guest" : undefined,
  ): Promise<ResultOf<Name> | undefined> {
    const client = await this.#clientOf(viewer);
    try {
      const result = await client.ask(method, params);
      if (place !== undefined) this.expectOnly(place, method, JSON.stringify(result));
      return result;
    } catch (error) {
      if (!(error instanceof WebProblem)) throw error;
      if (place !== undefined) this.expectOnly(place, method, JSON.stringify(error.problem));
      return undefined;
    }
  }

  /** About a conversation on the page: nobody but an owner gets one of another. */
  async askAbout<Name extends OperationName>(
    viewer: Viewer,
    place: Place,
    ...[method, params]: [Name, ParamsOf<Name>]
  ): Promise<ResultOf<Name> | undefined> {
    const result = await this.ask(viewer, method, params, viewer === "guest" ? "guest" : place);
    if (result !== undefined && viewer === "guest" && place !== "guest")
      throw new Error(`${method} gives a guest what is of ${place}: ${JSON.stringify(result)}`);
    return result;
  }

  /** In a conversation of the page, until it is answered. */
  async write(viewer: Viewer, sessionKey: string, text: string, files: string[] = []): Promise<void> {
    const sent = await this.ask(viewer, "chat.send", { sessionKey, text, files });
    if (sent === undefined) return;
    const { events } = await this.#clientOf(viewer);
    await eventually(() =>
      events.some(
        ({ event }) =>
          event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === sent.turnId,
      ),
    ).toBe(true);
  }

  /** A stranger writes, and is told a code. */
  async knock(id: number): Promise<void> {
    const chat = { id, type: "private" };
    const isIn = ({ chatId }: { chatId: string }) => chatId === String(id);
    const from = { is_bot: false, id, first_name: "S" };
    this.#telegram.say("Hello", { message_id: 10_000 + ++this.#updates, chat, from });
    await eventually(() => this.#telegram.messages.some(isIn)).toBe(true);
  }

  /** Runs a job and waits for what is told in its chat. */
  async runJob(viewer: Viewer, id: string, place: Place): Promise<void> {
    const before = this.#toldIn(place).length;
    if ((await this.ask(viewer, "jobs.run", { id })) === undefined) return;
    await eventually(() => this.#toldIn(place).length).toBeGreaterThan(before);
  }

  async restart(): Promise<void> {
    this.check();
    await this.#leavePage();
    await this.home.restart();
    await this.settle();
  }

  /** While the model answers this, if it is asked. */
  async killDuring(place: Place, text: string): Promise<void> {
    const [asked, told] = [this.home.requests.length, this.#toldIn(place).length];
    const release = this.#hold.take();
    this.#mutter(place, text, places[place].from);
    await eventually(() => this.home.requests.length > asked || this.#toldIn(place).length > told).toBe(true);
    this.check();
    await this.#leavePage();
    await this.home.kill();
    release();
    await this.settle();
  }

  /** Nothing is answered, archived or sent any more. */
  async settle(): Promise<void> {
    await eventually(async () => {
      const { waiting, activeTurns } = await this.home.client.call("gateway.status", {});
      return waiting + activeTurns;
    }).toBe(0);
  }

  /** Throws where something of another is found in it. */
  expectOnly(place: Place, way: string, text: string): void {
    const secrets = secretsIn(text);
    const others = secrets.filter((name) => name !== place);
    if (others.length > 0) throw new Error(`${way} of ${place} shows what is of ${others}: ${text}`);
    if (secrets.length > 0) this.served.add(`${place} ${way}`);
  }

  /** Whatever was asked, told and shown so far. */
  check(): void {
    for (const request of this.home.requests.slice(this.#checked)) {
      const text = JSON.stringify(request);
      const [first, ...more] = secretsIn(text);
      if (more.length > 0) throw new Error(`A prompt holds what is of ${first} and ${more}: ${text}`);
    }
    this.#checked = this.home.requests.length;
    for (const place of placeNames)
      for (const told of this.#toldIn(place)) this.expectOnly(place, "chat", told);
    this.expectOnly("guest", "events", JSON.stringify(this.#clients.guest?.events ?? []));
  }

  /** Databases and the list of jobs are common to all and are asked with a scope. */
  async checkFiles(): Promise<void> {
    const { home, workspace } = this.home;
    for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || isCommon.test(relative(home, path))) continue;
      const secrets = secretsIn(await readFile(path, "utf8"));
      const where = relative(workspace, path);
      const whose =
        placeNames.find((name) => name !== "owner" && where.startsWith(places[name].root)) ?? "owner";
      const isRight = where.startsWith("..") ? secrets.length <= 1 : secrets.every((name) => name === whose);
      if (!isRight) throw new Error(`${relative(home, path)} holds what is of ${secrets}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leavePage();
    await this.home[Symbol.asyncDispose]();
    await this.#telegram[Symbol.asyncDispose]();
  }

  #mutter(place: Place, text: string, from: number): void {
    const { chat } = places[place];
    const isCommand = text.startsWith("/");
    const toBot = isCommand ? text.replace(/^\/\S+/, "$&@nano_bot") : `@nano_bot ${text}`;
    this.#telegram.say(chat.type === "group" ? toBot : text, {
      message_id: 10_000 + ++this.#updates,
      chat,
      from: { is_bot: false, id: from, first_name: "P" },
    });
  }

  #toldIn(place: Place): string[] {
    const id = String(places[place].chat.id);
    return this.#telegram.messages.filter(({ chatId }) => chatId === id).map(({ text }) => text);
  }

  async #clientOf(viewer: Viewer): Promise<WebClient> {
    const who = viewer === "guest" ? ({ person: guestPerson, role: "guest" } as const) : {};
    const client = this.#clients[viewer] ?? (await openWebClient(this.home, who));
    this.#clients[viewer] = client;
    return client;
  }

  async #leavePage(): Promise<void> {
    for (const client of Object.values(this.#clients)) await client.close();
    this.#clients = {};
  }
}

const isCommon = /\.db(-\w+)?$|^workspace\/cron\//;

/** Lets the model wait. */
class Hold {
  #wait: Promise<void> | undefined;

  get wait(): Promise<void> | undefined {
    return this.#wait;
  }

  take(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wait = promise;
    return () => {
      this.#wait = undefined;
      resolve();
    };
  }
}

export async function openScopeScene(open: OpenScopeHome): Promise<ScopeScene> {
  const telegram = await startFakeTelegram();
  const { token, url: apiBase } = telegram;
  const rules = { owners: ["1"], allowFrom: ["2"], groupPolicy: "mention" };
  const channel = { enabled: true, token, apiBase, ...rules, streaming: false, reactEmoji: "" };
  const hold = new Hold();
  const home = await open({
    answer: (request) => ({ ...answerAsPuppet(request), ...(hold.wait && { waitFor: hold.wait }) }),
    config: {
      channels: { collectMs: 0, sendToolHints: false, telegram: channel },
      tools: { exec: { sandbox: "off" }, web: { enable: false } },
    },
  });
  const scene = new ScopeScene(home, telegram, hold);
  for (const place of placeNames) scene.talks.set(keyOf(place), place);
  return scene;
}
