// A connection to a server that speaks text over TCP: TLS from the start, or asked for on the way, and demanded of every
// server that is not on this machine. Hands over text as it comes; knows no protocol.
import { createConnection, type Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { connect as connectTls } from "node:tls";
import { ChannelError, ChannelSetupError } from "../bus/channel.ts";
import { phrase } from "../i18n/phrase.ts";
import { onAbort } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { isLoopbackHost } from "../lib/network/ip-address.ts";
import { readWithin } from "../storage/files/with-file.ts";

export interface TextSocket {
  write(text: string): void;
  /** Goes on with TLS, as the protocol has agreed. */
  encrypt(): void;
  /** No one else reads what is said. */
  isSafe(): boolean;
  /** The connection is given up for this reason. */
  fail(reason: unknown): void;
}

export interface TextSocketOptions {
  /** As people call it. */
  platform: string;
  host: string;
  port: number;
  /** TLS from the start. */
  isEncrypted: boolean;
  /** The name in the server's certificate; usually the host. */
  serverName?: string;
  /** File with the certificate of a server that no authority has signed. */
  certificate?: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  onOpen(socket: TextSocket): void;
  onText(text: string, socket: TextSocket): void;
  /** So often, to hear whether the server is still there. */
  onIdle(socket: TextSocket): void;
}

const connectMs = 15_000;
const idleMs = 50_000;
const largestCertificate = 1024 * 1024;

/** Rejects when the connection is lost; resolves when the signal aborts. */
export async function runTextSocket(options: TextSocketOptions): Promise<void> {
  const { platform, signal, certificate } = options;
  const trusted = certificate ? await readCertificate(certificate) : undefined;
  if (signal.aborted) return;
  const lost = Promise.withResolvers<void>();
  const line = new Line(options, trusted, lost.reject);
  const forget = onAbort(signal, lost.resolve);
  const over = new AbortController();
  try {
    void beat(options, line, over.signal);
    await lost.promise;
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof ChannelError
      ? error
      : new ChannelError(phrase("channels.disconnected", { platform }));
  } finally {
    forget();
    over.abort();
    line.end();
  }
}

async function beat({ clock, onIdle }: TextSocketOptions, line: Line, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(idleMs, signal).catch(() => {});
    if (signal.aborted) return;
    onIdle(line);
  }
}

async function readCertificate(path: string): Promise<string> {
  const bytes = await readWithin(path, largestCertificate).catch(() => undefined);
  if (bytes === undefined) throw new ChannelSetupError(phrase("channels.file-unreadable", { file: path }));
  return bytes.toString("utf8");
}

class Line implements TextSocket {
  readonly fail: (reason: unknown) => void;
  readonly #options: TextSocketOptions;
  readonly #trusted: string | undefined;
  #socket: Socket;
  #isEncrypted = false;

  constructor(options: TextSocketOptions, trusted: string | undefined, fail: (reason: unknown) => void) {
    const { host, port } = options;
    this.#options = options;
    this.#trusted = trusted;
    this.fail = fail;
    this.#socket = createConnection({ host, port });
    this.#socket.setTimeout(connectMs, () => fail(this.#unreachable()));
    this.#socket.once("error", () => fail(this.#unreachable()));
    this.#socket.once("close", () => fail(undefined));
    this.#socket.once("connect", () => {
      if (options.isEncrypted) this.encrypt(() => options.onOpen(this));
      else this.#listen(() => options.onOpen(this));
    });
  }

  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(text);
  }

  encrypt(then: () => void = () => {}): void {
    const { host, serverName = host } = this.#options;
    const plain = this.#socket;
    plain.removeAllListeners("data");
    this.#socket = connectTls({
      socket: plain,
      host: serverName,
      ...(!/^[\d.:]+$/.test(serverName) && { servername: serverName }),
      ...(this.#trusted !== undefined && { ca: this.#trusted }),
    });
    this.#socket.once("error", () =>
      this.fail(new ChannelError(phrase("channels.no-tls", { host: serverName }))),
    );
    this.#socket.once("close", () => this.fail(undefined));
    this.#socket.once("secureConnect", () => {
      this.#isEncrypted = true;
      this.#listen(then);
    });
  }

  isSafe(): boolean {
    return this.#isEncrypted || isLoopbackHost(this.#options.host);
  }

  end(): void {
    this.#socket.destroy();
  }

  #listen(then: () => void): void {
    const decoder = new StringDecoder("utf8");
    this.#socket.setTimeout(0);
    this.#socket.on("data", (bytes: Buffer) => this.#options.onText(decoder.write(bytes), this));
    then();
  }

  #unreachable(): ChannelError {
    return new ChannelError(phrase("channels.unreachable", { platform: this.#options.platform }));
  }
}
