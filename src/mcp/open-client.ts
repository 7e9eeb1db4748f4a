// One conversation with a server, from the handshake on. The protocol library is loaded here only. Also answers what a
// server asks of us: a question to a person, the workspace as its root; everything else is refused.

import { pathToFileURL } from "node:url";
import type {
  Client,
  ElicitRequestParams,
  ElicitResult,
  JSONRPCRequest,
  RequestOptions,
  Transport,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { untilAborted } from "../lib/abort.ts";
import { systemClock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import type { Log } from "../lib/log.ts";
import { readVersion } from "../lib/package-root.ts";
import { toPlainLine } from "../lib/text.ts";
import type { ServerAuth } from "./oauth/server-auth.ts";
import { ServerError, toStatusError } from "./problem.ts";
import { largestMessage, ProcessTransport, toMegabytes } from "./process-transport.ts";
import type { Target } from "./target.ts";

type HttpTransport = InstanceType<Library["StreamableHTTPClientTransport"]>;

const goodbyeMs = 300;

interface OpenOptions {
  server: string;
  target: Target;
  workspace: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  signal: AbortSignal;
  log: Log;
  /** Absent where the server cannot ask to be signed in to. */
  createAuth?(library: Library, signal: AbortSignal): Promise<ServerAuth>;
  /** The server asked something of the model, and was refused. */
  onDeclined(what: string): void;
  /** The server asks the person in whose turn it works. */
  onElicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>;
  onListChanged(): void;
  /** The connection ended without our doing. */
  onLost(failure: ServerError): void;
}

export interface OpenedClient {
  /** Rejects with a ServerError, or as the signal says. */
  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>>;
  offers(what: "tools" | "resources" | "prompts"): boolean;
  /** The newer protocol has no ping. */
  canPing: boolean;
  /** Arguments may go along as headers. */
  takesHeaders: boolean;
  close(): Promise<void>;
}

/** One attempt to connect, and what comes of it. */
interface Connection {
  library: Library;
  client: Client;
  transport: Transport;
  /** Ends all requests: the library leaves some of them open when it is closed while it connects. */
  ending: AbortController;
  /** The last request that failed on its way. */
  network: { failure?: ServerError };
  auth: ServerAuth | undefined;
}

const anyResult = z.looseObject({});

/** Rejects with a ServerError. */
export async function openClient(options: OpenOptions): Promise<OpenedClient> {
  const library = await import("@modelcontextprotocol/client");
  // Over HTTP an unknown request does no harm; some programs end when they get one before `initialize`.
  if (options.target.kind === "http") return shakeHands(library, options, "auto");
  try {
    return await shakeHands(library, options, "legacy");
  } catch (error) {
    // A server of the newer protocol alone answers, but does not know `initialize`.
    if (!(error instanceof ServerError) || error.answer === undefined) throw error;
    return shakeHands(library, options, "auto");
  }
}

async function shakeHands(
  library: Library,
  options: OpenOptions,
  mode: "legacy" | "auto",
): Promise<OpenedClient> {
  const { server, timeoutMs, signal, log, onListChanged, onElicit } = options;
  const ending = new AbortController();
  const network: Connection["network"] = {};
  const auth = await options.createAuth?.(library, ending.signal);
  const watch = (fetch: OpenOptions["fetch"]) => watchFetch(fetch, ending.signal, network);
  const transport = createTransport(library, options, watch, auth);
  const onChanged = { autoRefresh: false, debounceMs: 500, onChanged: onListChanged };
  const client = new library.Client(
    { name: "nanobot", version: readVersion() },
    {
      versionNegotiation: { mode },
      capabilities: { elicitation: { form: {}, url: {} } },
      listChanged: { tools: onChanged, prompts: onChanged, resources: onChanged },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
    onElicit(params, mcpReq.signal),
  );
  client.fallbackRequestHandler = (request) => answer(request, options);
  client.onerror = (error) =>
    log.debug("mcp-server-error", { server, reason: toPlainLine(error.message, 300) });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const connecting = client.connect(transport, { timeout: timeoutMs });
    await untilAborted(connecting, AbortSignal.any([signal, limit]));
  } catch (error) {
    await transport.close();
    ending.abort();
    signal.throwIfAborted();
    if (limit.aborted) throw new ServerError({ kind: "no-answer", seconds: timeoutMs / 1000 });
    throw describeLoss(await explainFailure(error, { library, network, auth }, server), transport);
  }
  return toOpened({ library, client, transport, ending, network, auth }, options);
}

function toOpened(connection: Connection, { onLost, server, target }: OpenOptions): OpenedClient {
  const { client, transport, ending } = connection;
  let isOurs = false;
  client.onclose = () => {
    if (!isOurs) onLost(describeLoss(new ServerError({ kind: "ended" }), transport));
  };
  return {
    canPing: client.getProtocolEra() === "legacy",
    takesHeaders: client.getProtocolEra() === "modern" && target.kind === "http",
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
    async request(method, params, options) {
      // The library has no code for it.
      if (client.transport === undefined) throw new ServerError({ kind: "ended" }, { isUnsent: true });
      try {
        return await client.request({ method, params }, anyResult, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        throw await explainFailure(error, connection, server);
      }
    },
    async close() {
      isOurs = true;
      if ("terminateSession" in transport) await sayGoodbye(transport as HttpTransport);
      await transport.close();
      ending.abort();
    },
  };
}

/** So that a server over HTTP need not keep the session. Whether it cares is not waited for. */
async function sayGoodbye(transport: HttpTransport): Promise<void> {
  const goodbye = transport.terminateSession().catch(() => {});
  const isSaid = new AbortController();
  await Promise.race([goodbye, systemClock.sleep(goodbyeMs, isSaid.signal).catch(() => {})]);
  isSaid.abort();
}

/** A process that has ended has more to say about it than the library. */
function describeLoss(failure: ServerError, transport: Transport): ServerError {
  return failure.problem.kind === "ended" && transport instanceof ProcessTransport
    ? transport.failure
    : failure;
}

function createTransport(
  library: Library,
  { target, fetch }: OpenOptions,
  watch: (fetch: OpenOptions["fetch"]) => OpenOptions["fetch"],
  auth?: ServerAuth,
): Transport {
  if (target.kind === "stdio") return new ProcessTransport(target);
  // The library follows redirects within the origin only, so that headers never go elsewhere.
  const requestInit = { headers: target.headers };
  const bounded = createBoundedFetch(watch(fetch));
  const options = { requestInit, fetch: bounded, ...(auth && { authProvider: auth }) };
  return target.kind === "http"
    ? new library.StreamableHTTPClientTransport(target.url, options)
    : new library.SSEClientTransport(target.url, {
        ...options,
        fetch: refuseStatus(bounded, auth !== undefined),
      });
}

/** Ends with the connection. What fails on its way is a ServerError. */
function watchFetch(
  fetch: OpenOptions["fetch"],
  ending: AbortSignal,
  network: Connection["network"],
): OpenOptions["fetch"] {
  return async (url, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, ending]) : ending;
    try {
      return await fetch(url, { ...init, signal });
    } catch (error) {
      network.failure = toNetworkError(error);
      throw network.failure ?? error;
    }
  };
}

/** Of a message in the older protocol, whose status the library puts into a sentence. */
function refuseStatus(fetch: BoundedFetch, canSignIn: boolean): BoundedFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== "POST" || response.ok || (canSignIn && response.status === 401)) return response;
    await response.body?.cancel();
    throw toStatusError(response.status);
  };
}

/** None of these is offered to servers; some ask all the same. */
async function answer(request: JSONRPCRequest, { workspace, onDeclined }: OpenOptions) {
  switch (request.method) {
    case "roots/list":
      return { roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }] };
    case "sampling/createMessage":
      onDeclined("wanted to ask the model itself");
      throw Object.assign(new Error("The user does not let servers ask the model."), { code: -1 });
    default:
      throw Object.assign(new Error("Method not found"), { code: -32601 });
  }
}

type BoundedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Bounds the size of a body, or of one event of a stream that may last for days. */
function createBoundedFetch(fetch: BoundedFetch, limit = largestMessage): BoundedFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(countBytes(limit, isEvents));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function countBytes(limit: number, isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isEvents ? findEventEnd(chunk) : -1;
      size = end === -1 ? size + chunk.length : chunk.length - end;
      if (size > limit)
        controller.error(new ServerError({ kind: "too-large", megabytes: toMegabytes(limit) }));
      else controller.enqueue(chunk);
    },
  });
}

/** Where the last blank line of a chunk is, which ends an event; one that is cut in two by chunks is found later. */
function findEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf("\n\n"), bytes.lastIndexOf("\r\n\r\n"), bytes.lastIndexOf("\r\r"));
}

type Library = typeof import("@modelcontextprotocol/client");

/** What the token was refused for is known to its keeper. */
async function explainFailure(
  error: unknown,
  { library, network, auth }: Pick<Connection, "library" | "network" | "auth">,
  server: string,
): Promise<ServerError> {
  if (auth !== undefined && error instanceof library.InsufficientScopeError)
    return auth.needsScope(error.requiredScope);
  const failure = toServerError(error, library, network.failure);
  const { problem } = failure;
  const isRefused = problem.kind === "refused" && problem.status === 401;
  return isRefused && auth !== undefined ? new ServerError({ kind: "sign-in", server }) : failure;
}

/** A request that failed with one of these never left. */
const neverConnected = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"];

/** `network` is the last failure of a request: of an event stream that fails, the library keeps only the text. */
function toServerError(error: unknown, library: Library, network?: ServerError): ServerError {
  const { SdkError, SdkErrorCode, SdkHttpError, SseError, ProtocolError } = library;
  if (error instanceof ServerError) return error;
  if (error instanceof SdkHttpError) return toStatusError(error.status);
  if (error instanceof SseError && error.code !== undefined) return toStatusError(error.code);
  if (error instanceof SseError && network !== undefined) return network;
  if (error instanceof ProtocolError)
    return new ServerError({ kind: "failed", reason: error.message }, { answer: error.message });
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return new ServerError({ kind: "no-answer" });
    if (error.code === SdkErrorCode.ConnectionClosed) return new ServerError({ kind: "ended" });
    if (error.code === SdkErrorCode.NotConnected)
      return new ServerError({ kind: "ended" }, { isUnsent: true });
    if (error.cause instanceof ServerError) return error.cause;
  }
  return new ServerError({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
}

/** Why a request failed on its way, where the system says so. */
function toNetworkError(error: unknown): ServerError | undefined {
  // Node's fetch keeps the reason in the cause.
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isRecord(cause) || typeof cause.code !== "string") return undefined;
  const { code: errno } = cause;
  return new ServerError({ kind: "unreachable", errno }, { isUnsent: neverConnected.includes(errno) });
}
