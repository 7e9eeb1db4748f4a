// One conversation with a server, from the handshake on. The protocol library is loaded here and nowhere else. What a
// server may ask of us is answered here too: the workspace as its root, and a polite no to everything else.
import { pathToFileURL } from "node:url";
import type { Client, JSONRPCRequest, Transport } from "@modelcontextprotocol/client";
import { untilAborted } from "../lib/abort.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { readVersion } from "../lib/package-root.ts";
import { toPlainLine } from "../lib/text.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { ServerError, toServerError } from "./problem.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { Target } from "./target.ts";

type Library = typeof import("@modelcontextprotocol/client");
type HttpTransport = InstanceType<Library["StreamableHTTPClientTransport"]>;

const goodbyeMs = 300;

export interface OpenOptions {
  server: string;
  target: Target;
  workspace: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  signal: AbortSignal;
  log: Log;
  /** The server wanted something of the user or the model, and was refused. */
  onDeclined(what: string): void;
  onListChanged(): void;
  /** The connection ended without our doing. */
  onLost(failure: ServerError): void;
}

export interface OpenedClient {
  client: Client;
  close(): Promise<void>;
}

/** Rejects with a ServerError. */
export async function openClient(options: OpenOptions): Promise<OpenedClient> {
  const library = await import("@modelcontextprotocol/client");
  try {
    return await shakeHands(library, options, "legacy");
  } catch (error) {
    // A server of the newer protocol alone answers, but does not know `initialize`.
    if (!(error instanceof ServerError) || !error.wasAnswered) throw error;
    return shakeHands(library, options, "auto");
  }
}

async function shakeHands(
  library: Library,
  options: OpenOptions,
  mode: "legacy" | "auto",
): Promise<OpenedClient> {
  const { server, timeoutMs, signal, log, onListChanged } = options;
  // Of all requests: the library leaves some of them open when it is closed while it connects.
  const ending = new AbortController();
  const transport = createTransport(library, options, ending.signal);
  const onChanged = { autoRefresh: false, debounceMs: 500, onChanged: onListChanged };
  const client = new library.Client(
    { name: "nanobot", version: readVersion() },
    {
      versionNegotiation: { mode },
      listChanged: { tools: onChanged, prompts: onChanged, resources: onChanged },
    },
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
    if (limit.aborted) throw new ServerError("noAnswer", String(timeoutMs / 1000));
    throw describeLoss(error, transport);
  }
  return toOpened({ client, transport, ending }, options);
}

function toOpened(
  { client, transport, ending }: { client: Client; transport: Transport; ending: AbortController },
  { onLost }: OpenOptions,
): OpenedClient {
  let isOurs = false;
  client.onclose = () => {
    if (!isOurs) onLost(describeLoss(new ServerError("ended"), transport));
  };
  return {
    client,
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
function describeLoss(error: unknown, transport: Transport): ServerError {
  const failure = toServerError(error);
  return failure.problem.kind === "ended" && transport instanceof ProcessTransport
    ? transport.failure
    : failure;
}

function createTransport(library: Library, { target, fetch }: OpenOptions, ending: AbortSignal): Transport {
  if (target.kind === "stdio") return new ProcessTransport(target);
  // The library follows redirects within the origin only, so that headers never go elsewhere.
  const options = {
    requestInit: { headers: target.headers },
    fetch: createBoundedFetch(withEnd(fetch, ending)),
  };
  return target.kind === "http"
    ? new library.StreamableHTTPClientTransport(target.url, options)
    : new library.SSEClientTransport(target.url, options);
}

function withEnd(fetch: OpenOptions["fetch"], ending: AbortSignal): OpenOptions["fetch"] {
  return (url, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, ending]) : ending;
    return fetch(url, { ...init, signal });
  };
}

/** None of these is offered to servers; some ask all the same. */
async function answer(request: JSONRPCRequest, { workspace, onDeclined }: OpenOptions) {
  switch (request.method) {
    case "roots/list":
      return { roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }] };
    case "elicitation/create":
      onDeclined(`asked the user: ${readMessage(request.params)}`);
      return { action: "decline" };
    case "sampling/createMessage":
      onDeclined("wanted to ask the model itself");
      throw Object.assign(new Error("The user does not let servers ask the model."), { code: -1 });
    default:
      throw Object.assign(new Error("Method not found"), { code: -32601 });
  }
}

function readMessage(params: JSONRPCRequest["params"]): string {
  const { message } = (params ?? {}) as { message?: unknown };
  return toPlainLine(typeof message === "string" ? message : "something", 200);
}
