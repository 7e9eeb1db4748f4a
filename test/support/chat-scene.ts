// A gateway process with everything around it that a campaign needs: a fake platform with as many chats as are wanted,
// a model on loopback, and a home of its own. Needs no test runner.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CampaignChannel, type CampaignPlatform, createCampaignPlatform } from "./campaign-platform.ts";
import { FakeTelegram } from "./fake-telegram.ts";
import { listStrays } from "./leftovers.ts";
import { type ReplyData, toOpenAIEvents } from "./model-wire.ts";
import { SmallDisk } from "./small-disk.ts";

/** A limit for what never ends. */
const strayPatienceMs = 60_000;

export interface WireMessage {
  role: string;
  content: string | null | Array<{ text?: string }>;
  tool_calls?: Array<{ function: { arguments: string } }>;
}

export interface ChatSceneOptions {
  /** The program and its first arguments. */
  program: string[];
  /** Chats, each with an owner; they have the numbers from 0. */
  chats: number;
  /** Over that of the scene, key by key at the top. */
  config?: Record<string, unknown>;
  /** Of `channels`. */
  channels?: Record<string, unknown>;
  /** The platform that people speak on; Telegram by default. */
  channel?: CampaignChannel;
  /** Of the block of that channel. */
  telegram?: Record<string, unknown>;
  /** The home is on a small disk of its own. */
  hasDisk?: boolean;
  /** Lays down a home that is there already, instead of a new one with the config above. */
  setUp?(home: string, addresses: SceneAddresses): Promise<void>;
  reply(
    messages: readonly WireMessage[],
    request: { hasTools: boolean; characters: number },
  ): ReplyData | Promise<ReplyData>;
}

/** What a config names. */
export interface SceneAddresses {
  model: string;
  telegram: string;
}

const firstChat = 1_000;

export class ChatScene implements AsyncDisposable {
  readonly telegram = new FakeTelegram();
  readonly platform: CampaignPlatform;
  readonly #options: ChatSceneOptions;
  readonly #model: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { messages, tools = [] } = JSON.parse(body) as { messages: WireMessage[]; tools?: unknown[] };
      const reply = await this.#options.reply(messages, {
        hasTools: tools.length > 0,
        characters: body.length,
      });
      response.setHeader("content-type", "text/event-stream");
      response.end(toOpenAIEvents(reply));
    });
  });
  #disk: SmallDisk | undefined;
  #home = "";
  #child: ChildProcess | undefined;

  private constructor(options: ChatSceneOptions) {
    this.#options = options;
    this.platform = createCampaignPlatform(options.channel ?? "telegram", this.telegram);
  }

  static async open(options: ChatSceneOptions): Promise<ChatScene> {
    const scene = new ChatScene(options);
    await scene.platform.listen();
    await new Promise<void>((resolve) => scene.#model.listen(0, "127.0.0.1", resolve));
    if (options.hasDisk === true) scene.#disk = await SmallDisk.mount();
    scene.#home = scene.#disk?.path ?? (await mkdtemp(join(tmpdir(), "nanobot-chats-")));
    await mkdir(scene.see("workspace"), { recursive: true });
    if (options.setUp !== undefined) await options.setUp(scene.see(), scene.addresses);
    else await writeFile(scene.see("config.json"), JSON.stringify(scene.#toConfig(), null, 2));
    return scene;
  }

  get disk(): SmallDisk | undefined {
    return this.#disk;
  }

  /** For the program. */
  get home(): string {
    return this.#home;
  }

  get addresses(): SceneAddresses {
    const { port } = this.#model.address() as AddressInfo;
    const telegram = (this.#options.channel ?? "telegram") === "telegram" ? this.telegram.url : "";
    return { model: `http://127.0.0.1:${port}/v1`, telegram };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether it has ended on its own, or was ended. */
  get hasEnded(): boolean {
    return this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** `around` is a command line that runs it, such as one of strace. */
  start({ around = [], env = {} }: { around?: string[]; env?: NodeJS.ProcessEnv } = {}): void {
    const argv = [...around, ...this.#options.program, "gateway"];
    const [file = "", ...args] = this.#disk?.enter(argv) ?? argv;
    const all = { ...process.env, NANOBOT_HOME: this.#home, HOME: this.#home, ...env };
    this.#child = spawn(file, args, { env: all, stdio: "ignore" });
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.hasEnded) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  async untilPolling(patienceMs: number): Promise<void> {
    const before = this.platform.looks();
    await until(() => this.platform.looks() > before, patienceMs);
  }

  ask(chat: number, text: string): void {
    this.platform.say(firstChat + chat, text);
  }

  /** What was sent to a chat, oldest first. */
  toldIn(chat: number): string[] {
    const id = this.toId(chat);
    return this.platform
      .told()
      .filter(({ chatId }) => chatId === id)
      .map(({ text }) => text);
  }

  toId(chat: number): string {
    return this.platform.chatId(firstChat + chat);
  }

  toNumber(chatId: string): number {
    return Number(chatId) - firstChat;
  }

  /** A file of the home, for this process. */
  see(...path: string[]): string {
    const whole = join(this.#home, ...path);
    return this.#disk?.seenFromOutside(whole) ?? whole;
  }

  /** What the commands of the model have written, line by line. */
  async readEffects(): Promise<string[]> {
    const text = await readFile(this.see("workspace", effectsFile), "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.platform[Symbol.asyncDispose]();
    this.#model.closeAllConnections();
    await new Promise((resolve) => this.#model.close(resolve));
    // Commands that ran in the sandbox die with it, but a moment later.
    await until(() => listStrays(this.#home).length === 0, strayPatienceMs);
    if (this.#disk === undefined) await rm(this.#home, { recursive: true, force: true });
    else await this.#disk.unmount();
  }

  #toConfig(): Record<string, unknown> {
    const { chats, config, channels, telegram, channel = "telegram" } = this.#options;
    const { model } = this.addresses;
    return {
      agents: { defaults: { model: "mine/m" } },
      providers: { mine: { apiBase: model, apiKey: "k" } },
      tools: { approval: "off", exec: { sandbox: "off" } },
      gateway: { port: 0 },
      budget: { day: { tokens: 0 } },
      ...config,
      channels: {
        ...channels,
        [channel]: {
          enabled: true,
          ...this.platform.block(),
          owners: Array.from({ length: chats }, (_, chat) => this.platform.ownerId(firstChat + chat)),
          ...telegram,
        },
      },
    };
  }
}

const effectsFile = "effects.txt";

/** A call whose effect is a line that `readEffects` finds. */
export function toEffect(line: string, file = effectsFile): ReplyData["calls"][number] {
  return { name: "exec", arguments: { command: `echo ${line} >> ${file}` } };
}

export function textOf(content: WireMessage["content"] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("\n");
}

export async function until(condition: () => boolean, patienceMs: number): Promise<void> {
  for (const end = performance.now() + patienceMs; !condition() && performance.now() < end; ) await sleep(20);
}

/** The same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
