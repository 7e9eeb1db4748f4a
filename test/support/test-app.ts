// The whole assistant on a temporary home, with a scripted model and everything else real.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppOptions, buildApp } from "../../src/app/build-app.ts";
import type { Notice } from "../../src/bus/live.ts";
import { createWords } from "../../src/i18n/words.ts";
import { untilAborted } from "../../src/lib/abort.ts";
import { type CodeScript, createScripted, type ScriptedProvider } from "../../src/llm/scripted.ts";
import type { ModelRequest, Provider } from "../../src/llm/types.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { withFacts } from "./app-facts.ts";

export interface TestApp extends ReturnType<typeof withFacts<App>> {
  provider: ScriptedProvider;
  home: string;
  /** Another assistant on the same home, as after a restart. */
  restart(script: CodeScript, more?: TestAppOptions): Promise<TestApp>;
}

export interface TestAppOptions extends Partial<Omit<AppOptions, "provider" | "paths">> {
  /** What is told before the model answers. */
  noticeBefore?(request: ModelRequest): Notice | undefined;
  /** The model answers a request only when this resolves. */
  waitBefore?(request: ModelRequest): Promise<unknown>;
}

const opened = new Set<TestApp>();
const homes = new Set<string>();

export async function createTestApp(
  script: CodeScript,
  { config, ...options }: TestAppOptions & { config?: unknown } = {},
): Promise<TestApp> {
  const home = await mkdtemp(join(tmpdir(), "nanobot-app-"));
  homes.add(home);
  if (config !== undefined) await writeFile(join(home, "config.json"), JSON.stringify(config));
  return openTestApp(home, script, options);
}

async function openTestApp(
  home: string,
  script: CodeScript,
  { waitBefore, noticeBefore, ...options }: TestAppOptions,
): Promise<TestApp> {
  const provider = createScripted(script);
  const patient: Provider = {
    async *stream(request, signal) {
      const notice = noticeBefore?.(request);
      if (notice !== undefined) yield { type: "notice", notice };
      // Like a host that keeps silent: a call that is aborted ends.
      await untilAborted(Promise.resolve(waitBefore?.(request)), signal);
      yield* provider.stream(request, signal);
    },
  };
  // What is recalled depends on how fast a thread is: only tests whose config asks for it want that.
  const recall = { NANOBOT_MEMORY__AUTO_RECALL: "false" };
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH, ...recall };
  const paths = resolveHome({ env });
  const built = await buildApp({ paths, env, words: createWords("english"), ...options, provider: patient });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const restart = (next: CodeScript, more = {}) => openTestApp(home, next, { ...options, ...more });
  const app: TestApp = { ...withFacts(built.app), provider, home, restart };
  opened.add(app);
  return app;
}

/** For afterEach: ends every assistant that a test made and removes its home. */
export async function closeTestApps(): Promise<void> {
  for (const app of opened) await app.close();
  for (const home of homes) await rm(home, { recursive: true, force: true });
  opened.clear();
  homes.clear();
}
