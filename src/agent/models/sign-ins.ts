// Subscriptions that the owner has signed in with: signing in, tokens that are refreshed before they end, and models behind
// them. One attempt a host at a time.
import { createServer } from "node:http";
import { createFetch } from "../../guards/proxy-fetch.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { classifyThrown, toConnectionFacts, toFailedEnd } from "../../llm/errors/provider-error.ts";
import type { ModelConnection } from "../../llm/hosts/host.ts";
import {
  type BrowserSignIn,
  type MethodParts,
  SignInError,
  type SignInMethod,
  type Tokens,
} from "../../llm/sign-in/sign-in.ts";
import type { Provider, ProviderError } from "../../llm/types.ts";
import { attempt } from "../../llm/wrappers/with-retry.ts";
import { SignInStore } from "../../storage/config/sign-in-store.ts";
import type { HomePaths } from "../../storage/home.ts";

interface SignInsParts extends Pick<MethodParts, "issuer" | "port"> {
  store: SignInStore;
  clock: Clock;
  env: NodeJS.ProcessEnv;
}

export interface BegunSignIn {
  /** To be opened in a browser. */
  url: string;
  /** To be typed there; absent where the page leads back here. */
  code?: string;
  expiresAt: number;
}

/** Done, or why not. */
export type SignInOutcome = { ok: true } | { ok: false; reason: string };

/** A token that ends sooner is refreshed first. */
const leastMs = 5 * 60_000;
const browserMs = 10 * 60_000;
const requestMs = 30_000;

export function openSignIns({
  paths,
  clock,
  env,
}: Pick<SignInsParts, "clock" | "env"> & { paths: HomePaths }): SignIns {
  return new SignIns({ store: new SignInStore({ paths, clock }), clock, env });
}

export class SignIns {
  readonly #parts: SignInsParts;
  readonly #attempts = new Map<string, { outcome: Promise<SignInOutcome>; stop: AbortController }>();

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  async isSignedIn(host: string): Promise<boolean> {
    return (await this.#parts.store.read(host)) !== undefined;
  }

  async begin(host: string, how: "device" | "browser"): Promise<BegunSignIn> {
    const method = await this.#load(host);
    this.#attempts.get(host)?.stop.abort(new SignInError("another attempt was begun"));
    const stop = new AbortController();
    const { begun, tokens } =
      how === "browser" && method.beginBrowser !== undefined
        ? await this.#waitForBrowser(method.beginBrowser(), stop.signal)
        : await this.#waitForCode(method, stop.signal);
    const outcome = tokens
      .then(async (fresh): Promise<SignInOutcome> => {
        await this.#parts.store.change(host, async () => fresh);
        return { ok: true };
      })
      .catch((error: unknown): SignInOutcome => ({ ok: false, reason: toReason(error) }));
    this.#attempts.set(host, { outcome, stop });
    return begun;
  }

  /** Undefined where it takes longer than that. */
  async outcome(host: string, patienceMs: number, signal?: AbortSignal): Promise<SignInOutcome | undefined> {
    const attempt = this.#attempts.get(host);
    if (attempt === undefined) return { ok: false, reason: "no sign-in was begun" };
    const over = new AbortController();
    const limit = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const later = this.#parts.clock.sleep(patienceMs, limit).then(() => undefined);
    try {
      return await Promise.race([attempt.outcome, later]);
    } finally {
      over.abort(new Error("it is over"));
    }
  }

  async end(host: string): Promise<void> {
    this.#attempts.get(host)?.stop.abort(new SignInError("it was ended"));
    this.#attempts.delete(host);
    await this.#parts.store.change(host, async () => undefined);
  }

  /** Refreshed by one process at a time, once. `refused`: a token that the host no longer takes. */
  async access(host: string, signal: AbortSignal, refused?: string): Promise<Tokens | undefined> {
    const { store, clock } = this.#parts;
    const isGood = (tokens: Tokens) => tokens.access !== refused && tokens.expiresAt - clock.now() > leastMs;
    const stored = await store.read(host);
    if (stored === undefined || isGood(stored)) return stored;
    const method = await this.#load(host);
    return store.change(host, async (newest) => {
      // Another process was faster, or the owner has signed out.
      if (newest === undefined || isGood(newest)) return newest;
      try {
        return await method.refresh(newest, AbortSignal.any([signal, AbortSignal.timeout(requestMs)]));
      } catch (error) {
        if (error instanceof SignInError && error.isFinal) return undefined;
        throw error;
      }
    });
  }

  /** A model whose key is the token of a subscription. */
  wrap(create: (connection: ModelConnection) => Provider, connection: ModelConnection): Provider {
    const connect = (signal: AbortSignal, refused?: string) => this.#connect(connection, signal, refused);
    return {
      async *stream(request, signal) {
        const first = await connect(signal);
        if ("kind" in first) {
          yield toFailedEnd(request, first);
          return;
        }
        const { reply } = yield* attempt(create(first.connection), request, signal);
        if (reply.error?.kind !== "authentication") {
          yield { type: "reply-end", reply };
          return;
        }
        const second = await connect(signal, first.access);
        if ("kind" in second) yield toFailedEnd(request, second);
        else yield* create(second.connection).stream(request, signal);
      },
    };
  }

  async #connect(
    connection: ModelConnection,
    signal: AbortSignal,
    refused: string | undefined,
  ): Promise<{ connection: ModelConnection; access: string } | ProviderError> {
    const { name, label } = connection.host;
    try {
      const tokens = await this.access(name, signal, refused);
      if (tokens === undefined)
        return {
          kind: "authentication",
          host: label,
          phrase: phrase("model.sign-in", { host: label, name }),
        };
      const { access } = tokens;
      const extraHeaders = { ...(await this.#load(name)).toHeaders(tokens), ...connection.extraHeaders };
      return { connection: { ...connection, apiKey: access, extraHeaders }, access };
    } catch (error) {
      signal.throwIfAborted();
      return classifyThrown(error, toConnectionFacts(connection));
    }
  }

  async #load(host: string): Promise<SignInMethod> {
    const { env, clock, issuer, port } = this.#parts;
    const parts = {
      fetch: createFetch({ env }),
      now: () => clock.now(),
      ...(issuer !== undefined && { issuer }),
      ...(port !== undefined && { port }),
    };
    if (host === "openai_codex") return (await import("../../llm/sign-in/codex.ts")).createCodexSignIn(parts);
    if (host === "github_copilot")
      return (await import("../../llm/sign-in/copilot.ts")).createCopilotSignIn(parts);
    throw new SignInError(`there is no signing in to ${host}`, { isFinal: true });
  }

  async #waitForCode(method: SignInMethod, signal: AbortSignal) {
    const { clock } = this.#parts;
    const { url, code, expiresAt, intervalMs, poll } = await method.beginDevice(
      AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    );
    const wait = async (): Promise<Tokens> => {
      while (clock.now() < expiresAt) {
        await clock.sleep(intervalMs, signal);
        const tokens = await poll(AbortSignal.any([signal, AbortSignal.timeout(requestMs)]));
        if (tokens !== undefined) return tokens;
      }
      throw new SignInError("the code has expired");
    };
    return { begun: { url, code, expiresAt }, tokens: wait() };
  }

  /** The host's page leads the browser to a port of this machine, which is open only for that. */
  async #waitForBrowser(browser: BrowserSignIn, signal: AbortSignal) {
    const expiresAt = this.#parts.clock.now() + browserMs;
    const found = Promise.withResolvers<string>();
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const code = searchParams.get("code");
      const isRight = pathname === browser.path && searchParams.get("state") === browser.state && code;
      response.writeHead(isRight ? 200 : 404, {
        "content-type": "text/plain; charset=utf-8",
        connection: "close",
      });
      const isChinese = /^\s*zh\b/i.test(request.headers["accept-language"] ?? "");
      const { closeWindow } = createWords(isChinese ? "chinese" : "english").mcp.signIn;
      response.end(isRight ? closeWindow : "");
      if (isRight) found.resolve(code);
    });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(browserMs)]);
    limit.addEventListener("abort", () => found.reject(limit.reason));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(browser.port, "127.0.0.1", resolve);
    });
    const tokens = found.promise.then((code) => browser.exchange(code, limit)).finally(() => server.close());
    return { begun: { url: browser.url, expiresAt }, tokens };
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
