// The socket and the sign-in on a real port, with operations of the test's own and a clock that it moves.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import * as z from "zod";
import { ApiTokens } from "../../src/api/gateway/tokens.ts";
import type { Operation } from "../../src/api/operation.ts";
import { createRunner, type RunOperation } from "../../src/api/run-operation.ts";
import { createWords } from "../../src/i18n/words.ts";
import { startHttpServer } from "../../src/server/http/http-server.ts";
import { EventHub, type EventHubOptions } from "../../src/server/live/event-hub.ts";
import type { ServerFrame, Viewer } from "../../src/server/protocol.ts";
import { WebAccess, WebSessions } from "../../src/server/web/web-access.ts";
import { addWebRoutes } from "../../src/server/web/web-routes.ts";
import { openWebSocket, type SocketLimits } from "../../src/server/web/web-socket.ts";
import type { HomeLock } from "../../src/storage/home-lock.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export const owner: Viewer = { person: "owner", role: "owner" };
export const controlToken = "c".repeat(64);

export interface WebSceneOptions {
  operations?: Record<string, Pick<Operation, "run"> & Partial<Operation>>;
  limits?: Partial<SocketLimits>;
  hub?: Partial<EventHubOptions>;
  apiKey?: string;
  publicUrl?: string;
  /** Of an earlier scene, which was closed. */
  folder?: string;
}

export interface WebScene {
  url: string;
  port: number;
  folder: string;
  hub: EventHub;
  access: WebAccess;
  clock: FakeClock;
  errors: unknown[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** `nanobot-<port>=<secret>` */
  cookieFor(viewer: Viewer): Promise<string>;
  close(): Promise<void>;
}

export async function openWebScene(options: WebSceneOptions = {}): Promise<WebScene> {
  const folder = options.folder ?? (await createTemporaryFolder());
  const clock = createFakeClock();
  const hub = new EventHub({ life: `life-${Math.random()}`, now: clock.now, ...options.hub });
  const sessions = new WebSessions(join(folder, "web-sessions.json"), clock);
  const tokens = new ApiTokens(join(folder, "api-tokens.json"), clock);
  const access = new WebAccess({ sessions, tokens, clock, controlToken, apiKey: options.apiKey ?? "" });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const run = createTestRunner(options.operations ?? {});
  const { publicUrl, limits } = options;
  const reachable = publicUrl === undefined ? {} : { publicUrl };
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: true,
    ...reachable,
    words: createWords("english").gateway.address,
    onError,
    upgrade: openWebSocket({
      ...{ access, hub, clock, run, onError, words: createWords("english") },
      ask: async () => undefined,
      show() {},
      ...(limits && { limits }),
    }),
    addRoutes: (app) => void addWebRoutes(app, { access, ...reachable, addReadRoutes() {} }),
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  onTestFinished(close);
  const port = Number(new URL(server.url).port);
  const post: WebScene["post"] = (path, body, headers = {}) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const cookieFor = async (viewer: Viewer) => `nanobot-${port}=${await sessions.start(viewer)}`;
  return { url: server.url, port, folder, hub, access, clock, errors, post, cookieFor, close };
}

const noLock = {} as HomeLock;

function createTestRunner(rows: NonNullable<WebSceneOptions["operations"]>): RunOperation {
  const operations = Object.entries(rows).map(([name, row]): [string, Operation] => {
    const usual = { name, about: "", access: "owner", needs: "home", params: z.unknown() } as const;
    return [name, { ...usual, ...row }];
  });
  return createRunner({ operations: new Map(operations), services: async () => ({}) as never, lock: noLock });
}

export interface Wire {
  socket: WebSocket;
  frames: ServerFrame[];
  /** The code with which it was closed, or the status with which it was refused. */
  ended: Promise<number>;
  /** The first frame like this, also one that came before. */
  waitFor(isIt: (frame: ServerFrame) => boolean): Promise<ServerFrame>;
  send(frame: unknown): void;
}

/** Opened, or ended already; it has said nothing yet. */
export async function connect(
  { url }: WebScene,
  headers: Record<string, string>,
  { autoPong = true } = {},
): Promise<Wire> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/socket`, { headers, autoPong });
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  const looks: Array<() => void> = [];
  const ended = new Promise<number>((resolve) => {
    socket.on("close", resolve);
    socket.on("unexpected-response", (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
  });
  socket.on("error", () => {});
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)) as ServerFrame);
    for (const look of looks.splice(0)) look();
  });
  await Promise.race([new Promise((resolve) => socket.once("open", resolve)), ended]);
  return {
    socket,
    frames,
    ended,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    async waitFor(isIt) {
      for (;;) {
        const found = frames.find(isIt);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => looks.push(resolve));
      }
    },
  };
}

export const hello = { type: "hello", protocol: 1 };

/** A page of the owner's that was welcomed. */
export async function openPage(scene: WebScene, viewer = owner): Promise<Wire> {
  const wire = await connect(scene, { cookie: await scene.cookieFor(viewer), origin: scene.url });
  wire.send(hello);
  await wire.waitFor(({ type }) => type === "welcome");
  return wire;
}
