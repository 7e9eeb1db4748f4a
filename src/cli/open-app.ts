// Builds the app for a command: its problems become a failure, its warnings lines on stderr.
import { type App, buildApp } from "../app/build-app.ts";
import { neutralise, revealLine } from "../lib/visible-text.ts";
import { hasConfig } from "../storage/config/config-file.ts";
import type { HomePaths } from "../storage/home.ts";
import type { GlobalOptions } from "./command-line/options.ts";
import { CommandFailure } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

export interface OpenAppOptions {
  options: GlobalOptions;
  terminal: Terminal;
  paths: HomePaths;
  /** A person can answer questions of tools. */
  canAsk: boolean;
  /** For one answer, after which the program ends. */
  isOnce?: boolean;
}

export async function openApp({ options, terminal, paths, canAsk, isOnce }: OpenAppOptions): Promise<App> {
  const { env, words, stderr, sideStyle } = terminal;
  const warn = (sentences: string[]) => {
    for (const sentence of sentences) stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
  };
  if (options.config !== undefined && !hasConfig(paths)) warn([words.failure.configMissing(paths.config)]);
  const built = await buildApp({
    paths,
    env,
    words,
    ...(options.workspace !== undefined && { workspace: options.workspace }),
    ...(options.verbose === true && { echoLog: (line: string) => stderr.write(line) }),
    canAsk: () => canAsk,
    ...(isOnce && {
      isOnce,
      onServerWait: (names) => warn([words.mcp.waiting(names.map(revealLine).join(", "))]),
    }),
    onLockWait: (holder) =>
      warn([words.chat.lockWaiting(holder === undefined ? "?" : `${holder.pid}, ${holder.purpose}`)]),
  });
  if (built.ok) {
    warn(built.app.warnings);
    return built.app;
  }
  warn(built.warnings);
  throw new CommandFailure(neutralise(built.problems.join("\n")));
}
