// What the chat in the terminal does with conversations, as operations of whatever it is connected to.
import type { Entry, OpenedSession, Shown } from "../../api/chat/wire.ts";
import type { Client, GatewayAddress } from "../../api/client.ts";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import type { ResultOf } from "../../api/index.ts";
import type { App } from "../../app/build-app.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { onAbort } from "../../lib/abort.ts";
import { createIds } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { GatewaySocket } from "../../server/gateway-socket.ts";
import type { GatewayEvent } from "../../server/protocol.ts";

export type ChatEvent =
  | { type: "shown"; sessionKey: string; shown: Shown }
  | Extract<ConnectionEvent, { type: "lost" | "back" }>;

export type PastMessage = Pick<Entry, "id" | "turn" | "role" | "text">;

export interface OpenedChat extends Pick<OpenedSession, "model" | "running"> {
  title: string;
  /** The latest of what was said. */
  past: PastMessage[];
}

export interface OutgoingMessage {
  sessionKey: string;
  text: string;
  /** Absolute paths. */
  files: string[];
  /** Sources of what in the text is not the owner's own. */
  labels: string[];
}

const mostPast = 40;
const channel = "cli";

export class ChatPort {
  readonly #connection: Connection;
  readonly #log: Pick<Log, "warn">;
  readonly #ids = createIds();
  /** Keys of conversations, the one that is looked at last. */
  readonly #opened = new Set<string>();
  #tell: (event: ChatEvent) => void = () => {};

  constructor(connection: Connection, log: Pick<Log, "warn">) {
    this.#connection = connection;
    this.#log = log;
    connection.listen((event) => {
      if (event.type === "shown") this.#show(event);
      else if (event.type === "lost" || event.type === "back") this.#tell(event);
    });
  }

  get isAttached(): boolean {
    return this.#connection.isAttached;
  }

  get call(): Connection["call"] {
    return this.#connection.call;
  }

  listen(listener: (event: ChatEvent) => void): void {
    this.#tell = listener;
  }

  async open(sessionKey: string): Promise<OpenedChat> {
    const opened = await this.call("chat.open", { sessionKey, limit: mostPast });
    this.#opened.delete(sessionKey);
    this.#opened.add(sessionKey);
    if (!this.isAttached) setImmediate(() => this.#showWaiting().catch(this.#onUnseen));
    const { session, model } = opened;
    return { title: session.title, model, past: toPast(opened), ...toRunning(opened) };
  }

  async send({ files, ...message }: OutgoingMessage): Promise<void> {
    await this.call("chat.send", { ...message, paths: files, channel });
  }

  async run(
    command: { sessionKey: string; command: string },
    signal: AbortSignal,
  ): Promise<ResultOf<"terminal.run">> {
    const runId = this.#ids.next();
    const forget = onAbort(signal, () => void this.call("terminal.cancel", { runId }).catch(() => {}));
    try {
      return await this.call("terminal.run", { ...command, runId });
    } finally {
      forget();
    }
  }

  /** The bytes of an attachment; undefined where they cannot be had. */
  readFile(url: string): Promise<Buffer | undefined> {
    return this.#connection.readFile(url);
  }

  close(): void {
    this.#connection.close();
  }

  #show(event: Extract<ChatEvent, { type: "shown" }>): void {
    const isElsewhere = !this.#opened.has(event.sessionKey);
    const isMissed = isElsewhere && !this.isAttached && event.shown.type === "aside";
    // In this process nobody else looks.
    this.#tell(isMissed ? { ...event, sessionKey: this.#current } : event);
  }

  get #current(): string {
    return [...this.#opened].at(-1) ?? "";
  }

  readonly #onUnseen = (error: unknown) => this.#log.warn("outbox-not-seen", { error });

  /** Answers of jobs that were made here wait in the outbox of the home while no gateway runs. */
  async #showWaiting(): Promise<void> {
    const { rows } = await this.call("outbox.list", {});
    for (const { part } of rows) {
      if (part.channel !== channel) continue;
      // Of several open chats, the one that removes it shows it.
      const { isDone } = await this.call("outbox.drop", { id: part.id });
      if (isDone) this.#tell({ type: "shown", sessionKey: this.#current, shown: toAside(part) });
    }
  }
}

function toAside({ id, turnId, text, media, kind }: OutboundPart): Shown {
  const attachments = media.map((path) => ({ name: path, url: path, isImage: false }));
  return { type: "aside", id, turnId, at: 0, kind: kind === "answer" ? "message" : kind, text, attachments };
}

/** With what was sent here meanwhile, such as what the heartbeat had to tell. */
function toPast({ entries, asides }: OpenedSession): PastMessage[] {
  const sent = asides
    .filter(({ kind }) => kind === "message")
    .map(({ id, turnId: turn, at, text }) => ({ id, turn, at, role: "assistant" as const, text }));
  return [...entries, ...sent]
    .toSorted((a, b) => a.at - b.at)
    .filter(({ role, text }) => role !== "tool" && text.trim() !== "")
    .map(({ id, turn, role, text }) => ({ id, turn, role, text }));
}

/** A question that waits is part of what happens now, also where its step has forgotten it. */
function toRunning({ running, asks }: OpenedSession): Pick<OpenedChat, "running"> {
  const bodies = running?.bodies ?? [];
  const isKnown = (askId: string) => bodies.some((body) => body.type === "ask-start" && body.askId === askId);
  const [first] = asks;
  const missing = asks
    .filter(({ askId }) => !isKnown(askId))
    .map(({ askId, question }) => ({ type: "ask-start" as const, askId, question }));
  const turnId = running?.turnId ?? first?.turnId;
  return turnId === undefined ? {} : { running: { turnId, bodies: [...bodies, ...missing] } };
}

export type ConnectionEvent =
  | GatewayEvent
  /** The gateway went away; it is looked for until it is back. */
  | { type: "lost" }
  /** It is back. `isResumed`: nothing was missed; otherwise the conversation is to be opened again. */
  | { type: "back"; isResumed: boolean };

/** An implementer must hand events to the listener in their order. */
export interface Connection {
  /** To a gateway, not to the assistant in this process. */
  isAttached: boolean;
  /** As the owner. */
  call: Client["call"];
  /** By the address of an attachment. */
  readFile(url: string): Promise<Buffer | undefined>;
  listen(listener: (event: ConnectionEvent) => void): void;
  close(): void;
}

const owner = { person: "owner", role: "owner" } as const;

export function connectHere({ clientFor, messaging }: App): Connection {
  let unlisten = () => {};
  return {
    isAttached: false,
    // A gateway may have started meanwhile: then what is not of this workspace is its business.
    call: async (...request) => (await clientFor(owner)).call(...request),
    // Only a gateway serves files.
    readFile: async () => undefined,
    listen(listener) {
      unlisten();
      const take = (_frame: unknown, event: GatewayEvent) => listener(event);
      unlisten = messaging.sockets.hub.listen({ viewer: owner, follows: new Set(), take });
    },
    close: () => unlisten(),
  };
}

export interface SocketConnection extends Connection {
  /** What was called and not answered is given up. */
  abandon(reason: Error): void;
}

export async function connectGateway(address: GatewayAddress, runFolder: string): Promise<SocketConnection> {
  let tell: (event: ConnectionEvent) => void = () => {};
  const socket = new GatewaySocket({
    find: () => findGateway(runFolder),
    onEvent: (event) => tell(event),
    onLost: () => tell({ type: "lost" }),
    onBack: (isResumed) => tell({ type: "back", isResumed }),
  });
  await socket.connect(address);
  return {
    isAttached: true,
    call: (name, params) => socket.ask(name, params),
    async readFile(url) {
      const { url: base, token } = (await findGateway(runFolder)) ?? address;
      const response = await fetch(base + url, { headers: { authorization: `Bearer ${token}` } });
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
    listen(listener) {
      tell = listener;
    },
    abandon: (reason) => socket.abandon(reason),
    close: () => socket.close(),
  };
}
