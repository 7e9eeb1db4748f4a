// Routes on Node's own HTTP server: what a request asks for, and what its answer is made of. Not the web's Request and
// Response: they load all of `fetch`, a sixth of a start and 10 MB.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** With names in lower case. */
export type AnswerHeaders = Record<string, string>;

export interface Answer {
  status: number;
  headers: AnswerHeaders;
  body?: string | Uint8Array | Readable;
}

/** `sent`: the handler has written to the connection itself. Undefined leaves the request to the next route. */
export type Handled = Answer | "sent" | undefined;
export type Handler = (context: Context) => Handled | Promise<Handled>;

/** One request, and how it is answered. */
export class Context {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Aborted when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /** The path that the server is mounted at, without a slash at its end; "" for the root. */
  readonly base: string;
  /** Below the base, without the query; undefined for what is no address. */
  readonly path: string | undefined;
  /** Of the route that is asked. */
  params: Record<string, string> = {};
  /** Headers of every response. */
  headers: AnswerHeaders = {};

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, mount?: string) {
    const left = new AbortController();
    this.base = leaveMount(incoming, mount);
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.signal = left.signal;
    this.path = readPath(incoming.url ?? "");
    outgoing.on("error", () => {}).on("close", () => outgoing.writableFinished || left.abort());
  }

  /** A header of the request. One that was sent twice is both, so that neither is taken for the only one. */
  header(name: string): string | undefined {
    const { headers, headersDistinct } = this.incoming;
    return name === "cookie" ? headers.cookie : headersDistinct[name.toLowerCase()]?.join(", ");
  }

  json(value: unknown, status = 200): Answer {
    return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
  }

  html(body: string, headers: AnswerHeaders = {}): Answer {
    return { status: 200, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, body };
  }
}

interface Route {
  method: string;
  pattern: RegExp;
  handler: Handler;
}

/** Asked in the order in which they were added. */
export class Routes {
  readonly #routes: Route[] = [];

  /** `path`: `:name` is one part of it, `*` all that follows. */
  add(method: "GET" | "POST" | "ALL", path: string, handler: Handler): void {
    const pattern = path.replace(/\/?\*$/, "(?:/.*)?").replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
    this.#routes.push({ method, pattern: new RegExp(`^${pattern}$`), handler });
  }

  get(path: string, handler: Handler): void {
    this.add("GET", path, handler);
  }

  post(path: string, handler: Handler): void {
    this.add("POST", path, handler);
  }

  all(path: string, handler: Handler): void {
    this.add("ALL", path, handler);
  }

  async answer(context: Context): Promise<Handled> {
    const { incoming, path } = context;
    if (path === undefined) return undefined;
    const asked = incoming.method === "HEAD" ? "GET" : incoming.method;
    for (const { method, pattern, handler } of this.#routes) {
      const match = method === "ALL" || method === asked ? pattern.exec(path) : null;
      if (match === null) continue;
      context.params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]),
      );
      const answer = await handler(context);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }
}

/** What follows sees the address below the mount. */
export function leaveMount(incoming: IncomingMessage, mount: string | undefined): string {
  const { url = "" } = incoming;
  if (mount === undefined || !url.startsWith(`${mount}/`)) return "";
  incoming.url = url.slice(mount.length);
  return mount;
}

/** Proxies send whole addresses. */
function readPath(address: string): string | undefined {
  if (!address.startsWith("/")) return URL.canParse(address) ? new URL(address).pathname : undefined;
  return address.replace(/[?#].*$/s, "");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

export class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > mostBytes) throw new BodyTooLarge(describe(mostBytes));
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays, for the answer to what is too large.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > mostBytes) throw new BodyTooLarge(describe(mostBytes));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function describe(mostBytes: number): string {
  return `The body is larger than ${Math.round(mostBytes / 1024 / 1024)} MB. Send less.`;
}
