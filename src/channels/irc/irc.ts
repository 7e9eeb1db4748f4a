// IRC. A server keeps nothing for those who are away and numbers nothing: what is said while the connection is lost is
// lost. That a server has taken our lines is known by a ping behind them.
import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  type ChannelUpdate,
  SendError,
} from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { isNamed, withoutName } from "../mention.ts";
import { runTextSocket, type TextSocket } from "../text-socket.ts";
import { type IrcLine, isSameName, nickOf, readLine, toLines } from "./line.ts";

const schema = z.object({
  host: z.string().min(1).describe("Server, such as irc.libera.chat"),
  port: z.int().min(1).max(65_535).default(6697).describe("Port of the server"),
  tls: z.boolean().default(true).describe("Encrypted connection; needed for servers elsewhere"),
  certificate: z.string().optional().describe("File with the certificate of a server with a private one"),
  nick: z
    .string()
    .regex(/^[A-Za-z[\]\\`_^{|}][\w[\]\\`^{|}-]*$/)
    .default("nanobot")
    .describe("Name of the assistant"),
  password: z.string().optional().describe("Password of the account (SASL) or of the server"),
  account: z.string().optional().describe("Account at the network's services; the password belongs to it"),
  channels: z.array(z.string()).default([]).describe("Rooms to join, such as #team"),
  linePause: z.number().min(0).max(60).default(1).describe("Seconds between lines, after the first four"),
  accountsOnly: z
    .boolean()
    .default(false)
    .describe("Hear only people who are signed in at the network, by their account"),
});

export type IrcConfig = z.infer<typeof schema>;

const platform = "IRC";
/** Of 512, without our own name, the target and the line's end. */
const mostBytes = 380;
const mostLine = 16_384;
/** Servers drop those who say more at once. */
const burstLines = 4;
const refusals = ["401", "403", "404", "407", "411", "412", "531"];

// biome-ignore lint/suspicious/noControlCharactersInRegex: IRC marks actions by them.
const action = /^\u0001ACTION (.*)\u0001$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: IRC marks colours and weight by them.
const colours = /\u0003\d{0,2}(?:,\d{1,2})?|[\u0002\u000f\u0016\u001d\u001f]/g;

export const irc = defineChannel<IrcConfig>({
  schema,
  create: (config, context) => new Irc(config, context),
  check: (config, context, signal) => new Irc(config, context).check(signal),
});

interface Waiting {
  target: string;
  refusal: string | undefined;
  resolve(): void;
  reject(reason: unknown): void;
}

class Irc implements Channel {
  readonly name = "irc";
  readonly capabilities: Channel["capabilities"];
  readonly #config: IrcConfig;
  readonly #context: ChannelContext;
  #connection: Connection | undefined;

  constructor(config: IrcConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.capabilities = {
      format: "plain",
      maxTextLength: 1_500,
      markup: "plain",
      streaming: "none",
      media: false,
      typing: false,
      // Anyone can take a name; an account is checked by the network.
      canAsk: config.accountsOnly,
    };
  }

  async check(signal: AbortSignal): Promise<string> {
    const done = new AbortController();
    const inbox = { reportAlive: () => done.abort() } as ChannelInbox;
    await untilAborted(this.start(inbox, AbortSignal.any([signal, done.signal])), signal);
    return this.#config.nick;
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { host, port, tls, certificate } = this.#config;
    const connection = new Connection(this.#config, this.#context, inbox);
    this.#connection = connection;
    try {
      await runTextSocket({
        platform,
        host,
        port,
        isEncrypted: tls,
        certificate,
        clock: this.#context.clock,
        signal,
        onOpen: (socket) => connection.open(socket),
        onText: (text) => connection.read(text),
        onIdle: (socket) => socket.write("PING :idle\r\n"),
      });
    } finally {
      connection.close();
      await connection.settle();
    }
  }

  async send({ chatId, text }: OutboundPart): Promise<Sent> {
    if (this.#connection === undefined) throw disconnected();
    await this.#connection.say(chatId, toLines(text, mostBytes));
    return {};
  }
}

class Connection {
  readonly #config: IrcConfig;
  readonly #context: ChannelContext;
  readonly #inbox: ChannelInbox;
  readonly #waiting = new Map<string, Waiting>();
  readonly #over = new AbortController();
  #socket: TextSocket | undefined;
  #rest = "";
  #nick: string;
  #isReady = false;
  /** One after the other, in the order in which they came. */
  #receiving: Promise<void> = Promise.resolve();
  #saying: Promise<unknown> = Promise.resolve();

  constructor(config: IrcConfig, context: ChannelContext, inbox: ChannelInbox) {
    this.#config = config;
    this.#context = context;
    this.#inbox = inbox;
    this.#nick = config.nick;
  }

  open(socket: TextSocket): void {
    this.#socket = socket;
    const { account, password } = this.#config;
    if (!socket.isSafe()) {
      socket.fail(new ChannelSetupError(phrase("channels.insecure", { platform })));
      return;
    }
    if (password && !account) this.#write(`PASS :${password}`);
    this.#write(
      `CAP REQ :account-tag${account ? " sasl" : ""}`,
      `NICK ${this.#nick}`,
      "USER nanobot 0 * :nanobot",
    );
    if (!account) this.#write("CAP END");
  }

  read(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > mostLine) this.#socket?.fail(disconnected());
    for (const line of lines) {
      const known = readLine(line);
      if (known !== undefined) this.#handle(known);
    }
  }

  /** Resolves once the server has read it. */
  async say(target: string, lines: string[]): Promise<void> {
    if (!this.#isReady) throw disconnected();
    if (/[\s,]/.test(target))
      throw new SendError(phrase("channels.refused", { platform, quote: target }), { isPermanent: true });
    const said = this.#saying.then(() => this.#sayNow(target, lines));
    this.#saying = said.catch(() => {});
    return said;
  }

  close(): void {
    this.#isReady = false;
    this.#over.abort();
    for (const { reject } of this.#waiting.values()) reject(disconnected());
    this.#waiting.clear();
  }

  async settle(): Promise<void> {
    await this.#receiving.catch(() => {});
  }

  async #sayNow(target: string, lines: string[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      if (index >= burstLines) await this.#pause();
      this.#write(`PRIVMSG ${target} :${line}`);
    }
    const token = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!this.#isReady) throw disconnected();
    this.#waiting.set(token, { target, refusal: undefined, resolve, reject });
    this.#write(`PING :${token}`);
    return promise;
  }

  async #pause(): Promise<void> {
    await this.#context.clock.sleep(this.#config.linePause * 1000, this.#over.signal).catch(() => {
      throw disconnected();
    });
  }

  #write(...lines: string[]): void {
    for (const line of lines) this.#socket?.write(`${line.replaceAll(/[\r\n\0]/g, " ")}\r\n`);
  }

  #handle(line: IrcLine): void {
    const { command, params, source } = line;
    const last = params.at(-1) ?? "";
    if (this.#isReady) this.#inbox.reportAlive();
    if (command === "PING") this.#write(`PONG :${last}`);
    else if (command === "PONG") this.#answer(last);
    else if (command === "001") this.#begin(params[0]);
    else if (command === "433" && !this.#isReady) this.#rename();
    else if (command === "NICK" && isSameName(nickOf(source), this.#nick)) this.#nick = last;
    else if (command === "PRIVMSG") this.#receive(line);
    else if (command === "CAP" || command === "AUTHENTICATE") this.#signIn(command, params);
    else if (command === "903") this.#write("CAP END");
    else if (["464", "904", "905"].includes(command)) this.#refuse("channels.irc-password");
    else if (command === "432" || command === "465") this.#refuse("channels.irc-refused", last);
    else if (command === "ERROR") this.#end(last);
    else if (refusals.includes(command)) this.#note(params[1] ?? "", last);
  }

  #signIn(command: string, params: string[]): void {
    const { account, password = "" } = this.#config;
    if (!account) return;
    const isNo = params[1] === "NAK";
    if (command === "CAP" && isNo) this.#refuse("channels.irc-password");
    else if (command === "CAP" && params[1] === "ACK") this.#write("AUTHENTICATE PLAIN");
    else if (command === "AUTHENTICATE" && params[0] === "+")
      this.#write(`AUTHENTICATE ${Buffer.from(`\0${account}\0${password}`).toString("base64")}`);
  }

  #begin(nick: string | undefined): void {
    this.#nick = nick ?? this.#nick;
    this.#isReady = true;
    this.#inbox.reportAlive();
    for (const room of this.#config.channels) this.#write(`JOIN ${room.replaceAll(/[\s,]/g, "")}`);
  }

  /** An old connection of ours may still hold the name. */
  #rename(): void {
    this.#nick = this.#nick.length < 20 ? `${this.#nick}_` : this.#config.nick;
    this.#write(`NICK ${this.#nick}`);
  }

  #refuse(code: "channels.irc-password" | "channels.irc-refused", quote = ""): void {
    const { host } = this.#config;
    const said =
      code === "channels.irc-password"
        ? phrase(code, { host })
        : phrase(code, { host, quote: this.#hide(quote) });
    this.#socket?.fail(new ChannelSetupError(said));
  }

  #end(quote: string): void {
    if (/password/i.test(quote)) this.#refuse("channels.irc-password");
    this.#socket?.fail(new ChannelError(phrase("channels.refused", { platform, quote: this.#hide(quote) })));
  }

  #hide(quote: string): string {
    const { password } = this.#config;
    return (password ? quote.replaceAll(password, "***") : quote).slice(0, 200);
  }

  /** Comes before the answer to the ping. */
  #note(target: string, quote: string): void {
    for (const waiting of this.#waiting.values())
      if (isSameName(waiting.target, target)) waiting.refusal = this.#hide(quote);
  }

  #answer(token: string): void {
    const waiting = this.#waiting.get(token);
    this.#waiting.delete(token);
    if (waiting === undefined) return;
    const { refusal: quote, resolve, reject } = waiting;
    if (quote === undefined) resolve();
    else reject(new SendError(phrase("channels.refused", { platform, quote }), { isPermanent: true }));
  }

  #receive(line: IrcLine): void {
    const update = toUpdate(line, { nick: this.#nick, accountsOnly: this.#config.accountsOnly });
    if (update === undefined) return;
    this.#receiving = this.#receiving
      .then(async () => void (await this.#inbox.receive(update)))
      .catch((error: unknown) => this.#socket?.fail(error));
  }
}

interface ReadOptions {
  nick: string;
  accountsOnly: boolean;
}

/** Undefined for what no person said to us. */
export function toUpdate(
  { tags, source, params }: IrcLine,
  { nick, accountsOnly }: ReadOptions,
): ChannelUpdate | undefined {
  const [target = "", said = ""] = params;
  const speaker = nickOf(source);
  // An action is said as well; other requests between programs are not.
  const words = said.replace(action, "* $1").replaceAll(colours, "");
  const { account, msgid } = tags;
  if (words.startsWith("\u0001") || words.trim() === "" || !source.includes("!")) return undefined;
  if (isSameName(speaker, nick) || (accountsOnly && !account)) return undefined;
  const isGroup = /^[#&+!]/.test(target);
  return {
    platformId: msgid ?? randomUUID(),
    chat: { id: isGroup ? target.toLowerCase() : speaker, isGroup },
    sender: { id: account ?? source, name: speaker },
    text: isGroup ? withoutName(words, [nick]) : words,
    ...(!account && { labels: [`irc:${speaker}`] }),
    isAddressed: !isGroup || isNamed(words, nick),
  };
}

function disconnected(): ChannelError {
  return new ChannelError(phrase("channels.disconnected", { platform }));
}
