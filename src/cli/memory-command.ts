// `nanobot memory search`: what was ever said and written here, found by words. Needs no model.
import { describeFound } from "../agent/describe-found.ts";
import { buildRecall } from "../app/build-recall.ts";
import { resolveHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { tellProblems } from "../config/problem.ts";
import { systemClock } from "../lib/clock.ts";
import { createHomeLock } from "../lib/home-lock.ts";
import { silentLog } from "../lib/log.ts";
import { neutralise } from "../lib/visible-text.ts";
import type { Recall } from "../recall/recall.ts";
import { SessionStore } from "../session/store.ts";
import { CommandFailure } from "./command-failure.ts";
import type { MemoryOptions } from "./command-line.ts";
import { MarkdownStream } from "./draw/markdown.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export async function runMemory(
  options: MemoryOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { words, stdout, style } = terminal;
  const query = options.words.join(" ");
  if (query.trim() === "") throw new CommandFailure(words.memory.needsWords("nanobot memory search"), 2);
  const recall = await openRecall(options, terminal);
  try {
    const result = await recall.search({ query, scope: "owner" }, signal);
    const markdown = new MarkdownStream({ style, columns: () => stdout.columns ?? 120 });
    const text =
      options.json === true
        ? JSON.stringify(result)
        : markdown.write(`${describeFound(result, words)}\n`) + markdown.end();
    stdout.write(`${text.trimEnd()}\n`);
    return 0;
  } finally {
    await recall.close();
  }
}

async function openRecall(options: MemoryOptions, { env, words }: Terminal): Promise<Recall> {
  const paths = resolveHome({ env, configPath: options.config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  const ground = { workspace: loaded.config.agents.defaults.workspace, clock: systemClock, log: silentLog };
  const lock = createHomeLock({ home: paths.home, clock: systemClock });
  const sessions = await SessionStore.open({ ...ground, root: paths.sessions, lock });
  return buildRecall({ ...ground, paths, loaded, env }, sessions.folder);
}
