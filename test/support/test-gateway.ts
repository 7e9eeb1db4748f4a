// A whole gateway in this process: a real port on loopback, a scripted model, everything else real.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGateway, type Gateway, type GatewayOptions } from "../../src/app/build-gateway.ts";
import { createWords } from "../../src/i18n/words.ts";
import { type CodeScript, createScripted, type ScriptedProvider } from "../../src/llm/scripted.ts";
import type { ModelRequest, Provider } from "../../src/llm/types.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { type AppFacts, withFacts } from "./app-facts.ts";

export interface TestGateway extends Omit<Gateway, "app"> {
  app: AppFacts;
  provider: ScriptedProvider;
  home: string;
  url: string;
  /** Resolves when it no longer serves. */
  ended: Promise<void>;
  /** Signals of the model's calls, in their order. */
  signals: AbortSignal[];
  /** Resolves when the model was asked this often. */
  isAsked(times: number): Promise<void>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface TestGatewayOptions extends Partial<Omit<GatewayOptions, "provider" | "paths">> {
  config?: Record<string, unknown>;
  /** Variables in addition to those that every gateway has. */
  variables?: Record<string, string>;
  /** When there is a home with its config, and nothing else. */
  beforeBuild?(home: string): Promise<void> | void;
  /** When everything is built and nothing runs yet. */
  beforeRun?(home: string): Promise<void>;
}

const opened: Array<() => Promise<void>> = [];

export async function createTestGateway(
  script: CodeScript,
  { config = {}, variables = {}, beforeBuild, beforeRun, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const home = await mkdtemp(join(tmpdir(), "nanobot-gateway-"));
  opened.push(() => rm(home, { recursive: true, force: true }));
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  await beforeBuild?.(home);
  const provider = createScripted(script);
  const watched = watch(provider);
  const env = {
    HOME: home,
    NANOBOT_HOME: home,
    PATH: process.env.PATH,
    NANOBOT_MEMORY__AUTO_RECALL: "false",
    // The script answers what people say.
    NANOBOT_AGENTS__DEFAULTS__GENERATE_TITLES: "false",
    ...variables,
  };
  const built = await buildGateway({
    paths: resolveHome({ env }),
    env,
    words: createWords("english"),
    port: 0,
    page: () => "<!doctype html><title>nanobot</title>",
    onStop() {},
    ...options,
    provider: watched.provider,
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { gateway } = built;
  await beforeRun?.(home);
  const ending = new AbortController();
  const running = gateway.run(ending.signal);
  opened.push(async () => {
    ending.abort(new Error("the test is over"));
    await running;
  });
  const { url } = gateway.address;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const { signals, isAsked } = watched;
  return {
    ...gateway,
    app: withFacts(gateway.app),
    provider,
    home,
    url,
    ended: running,
    signals,
    isAsked,
    post,
  };
}

function watch(provider: Provider) {
  const signals: AbortSignal[] = [];
  const waiting: Array<{ times: number; resolve(): void }> = [];
  return {
    signals,
    isAsked: (times: number) =>
      new Promise<void>((resolve) => {
        if (signals.length >= times) resolve();
        else waiting.push({ times, resolve });
      }),
    provider: {
      async *stream(request: ModelRequest, signal: AbortSignal) {
        signals.push(signal);
        for (const { times, resolve } of waiting) if (signals.length >= times) resolve();
        yield* provider.stream(request, signal);
      },
    },
  };
}

/** For afterEach: ends every gateway that a test made and removes its home. */
export async function closeTestGateways(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}
