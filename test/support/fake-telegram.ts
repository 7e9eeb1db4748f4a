// Telegram's Bot API on loopback, as far as the channel speaks it: long polls with offsets, sending, editing, files,
// and the ways in which the real one fails.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeMessage {
  id: number;
  chatId: string;
  text: string;
  edits: number;
  method: string;
  parameters: Record<string, unknown>;
  /** When it came, in milliseconds. */
  at: number;
}

type Failure = { code: number; description: string; retryAfter?: number } | "disconnect" | "garbage";
type Parameters = Record<string, unknown>;

export async function startFakeTelegram(): Promise<FakeTelegram> {
  const fake = new FakeTelegram();
  await fake.listen();
  return fake;
}

export class FakeTelegram implements AsyncDisposable {
  readonly token = "123:abc";
  /** What was sent, as a person would see it now. */
  readonly messages: FakeMessage[] = [];
  /** Methods in the order in which they were called, without polls. */
  readonly calls: string[] = [];
  /** Where updates are sent to instead of being asked for. */
  webhook: Parameters | undefined;
  /** How often updates were asked for. */
  polls = 0;
  /** Updates that were acknowledged by a later poll. */
  readonly acknowledged = new Set<number>();
  readonly files = new Map<string, Uint8Array>();
  /** Of files whose connection breaks after what there is of them. */
  readonly tornFiles = new Set<string>();
  /** Nothing can be sent or edited: connections end without an answer. */
  isRefusing = false;
  /** How often that happened. */
  refused = 0;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));
  readonly #updates: Array<Parameters & { update_id: number }> = [];
  readonly #failures = new Map<string, Failure[]>();
  readonly #waiting = new Set<() => void>();

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** By Ann, in private, unless the message says otherwise. */
  say(text: string, message: Parameters = {}): number {
    const from = { id: 42, is_bot: false, first_name: "Ann", username: "ann" };
    const chat = { id: 42, type: "private" };
    const id = 500 + this.#updates.length;
    return this.push({ message: { message_id: id, date: 0, from, chat, text, ...message } });
  }

  push(update: Parameters): number {
    const id = 1000 + this.#updates.length;
    this.#updates.push({ update_id: id, ...update });
    this.#changed();
    return id;
  }

  /** The next calls of a method fail like this, one each. */
  failNext(method: string, ...failures: Failure[]): void {
    this.#failures.set(method, [...(this.#failures.get(method) ?? []), ...failures]);
  }

  async waitFor(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#nextChange();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #changed(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  async #nextChange(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await promise;
    this.#waiting.delete(resolve);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, bot, method = "", ...path] = (request.url ?? "").split("/");
    const parameters = await readParameters(request);
    if (bot === "file") return this.#serveFile(decodeURIComponent(path.join("/")), response);
    if (method !== "getUpdates") this.calls.push(method);
    const failure = this.#failures.get(method)?.shift();
    if (bot !== `bot${this.token}`) fail(response, { code: 401, description: "Unauthorized" });
    else if (failure !== undefined) fail(response, failure);
    else if (this.isRefusing && /^(send|edit)/.test(method)) this.#refuse(method, response);
    else if (method === "getUpdates") await this.#poll(parameters, response);
    else this.#handle(method, parameters, response);
    this.#changed();
  }

  #refuse(method: string, response: ServerResponse): void {
    if (method === "sendMessage") this.refused += 1;
    fail(response, "disconnect");
  }

  #serveFile(path: string, response: ServerResponse): void {
    const file = this.files.get(path);
    response.statusCode = file === undefined ? 404 : 200;
    if (file === undefined || !this.tornFiles.has(path)) {
      response.end(file);
      return;
    }
    response.setHeader("content-length", 2 * file.length);
    response.write(file, () => response.destroy());
  }

  async #poll({ offset = 0, timeout = 0, limit = 100 }: Parameters, response: ServerResponse): Promise<void> {
    this.polls += 1;
    const description = "Conflict: can't use getUpdates method while webhook is active";
    if (this.webhook !== undefined) return fail(response, { code: 409, description });
    for (const { update_id: id } of this.#updates) if (id < Number(offset)) this.acknowledged.add(id);
    this.#changed();
    const pending = () => this.#updates.filter(({ update_id: id }) => !this.acknowledged.has(id));
    response.once("close", () => this.#changed());
    const isOver = () => Number(timeout) === 0 || response.destroyed;
    while (pending().length === 0 && !isOver()) await this.#nextChange();
    if (!response.destroyed) answer(response, pending().slice(0, Number(limit)));
  }

  #handle(method: string, parameters: Parameters, response: ServerResponse): void {
    const { chat_id: chatId, file_id: file } = parameters;
    if (method === "getMe") answer(response, { id: 1, is_bot: true, first_name: "N", username: "nano_bot" });
    else if (method === "setWebhook") this.#setWebhook(parameters, response);
    else if (method === "deleteWebhook") this.#setWebhook(undefined, response);
    else if (method === "getFile") answer(response, { file_id: file, file_path: file });
    else if (method === "editMessageText") this.#edit(parameters, response);
    else if (!method.startsWith("send") || method === "sendChatAction") answer(response, true);
    else answer(response, { message_id: this.#keep(method, parameters), chat: { id: chatId } });
  }

  #setWebhook(webhook: Parameters | undefined, response: ServerResponse): void {
    this.webhook = webhook;
    answer(response, true);
  }

  #keep(method: string, parameters: Parameters): number {
    const id = this.messages.length + 1;
    const { chat_id: chatId, text = "" } = parameters;
    const message = { id, chatId: String(chatId), text: String(text), edits: 0, method, parameters };
    this.messages.push({ ...message, at: performance.now() });
    return id;
  }

  #edit(parameters: Parameters, response: ServerResponse): void {
    const text = String(parameters.text);
    const message = this.messages.find(({ id }) => id === Number(parameters.message_id));
    const code = 400;
    if (message === undefined)
      fail(response, { code, description: "Bad Request: message to edit not found" });
    else if (message.text === text)
      fail(response, { code, description: "Bad Request: message is not modified" });
    else {
      Object.assign(message, { text, edits: message.edits + 1, parameters });
      answer(response, { message_id: message.id });
    }
  }
}

async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  if (request.headers["content-type"]?.includes("json") === true)
    return JSON.parse(body || "{}") as Parameters;
  const chat = /name="chat_id"\r\n\r\n([^\r]*)/.exec(body)?.[1];
  const name = /filename="?([^"\r;]*)/.exec(body)?.[1];
  return { chat_id: chat, text: `[file ${name}]` };
}

function answer(response: ServerResponse, result: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ok: true, result }));
}

function fail(response: ServerResponse, failure: Failure): void {
  if (failure === "disconnect") response.socket?.destroy();
  else if (failure === "garbage") response.end("<html>Bad Gateway</html>");
  else {
    const { code, description, retryAfter } = failure;
    response.statusCode = code;
    const parameters = retryAfter === undefined ? {} : { retry_after: retryAfter };
    response.end(JSON.stringify({ ok: false, error_code: code, description, parameters }));
  }
}
