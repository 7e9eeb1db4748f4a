// The chat in the terminal: on the gateway of the home if one runs, otherwise on an assistant of its own; drawn where
// the terminal can draw, as plain lines elsewhere.

import type { LoadedConfig } from "../../config/load.ts";
import { toModelInput } from "../../config/model-input.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { readVersion } from "../../lib/package-root.ts";
import { nanobot } from "../../lib/program-command.ts";
import { chooseModel } from "../../llm/choice/choose-model.ts";
import type { HomePaths } from "../../storage/home.ts";
import { TerminalHistory } from "../../storage/terminal-history.ts";
import { surveyProtection } from "../care/protection.ts";
import { loadTuiLibrary } from "../draw/markdown.ts";
import { PlainView } from "../draw/plain-view.ts";
import { takeMedia } from "../terminal/media-files.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ChatPort, type Connection } from "./chat-port.ts";
import { runPlainChat } from "./plain-chat.ts";
import type { Farewell } from "./tui-chat.ts";

export interface ChatOptions {
  connection: Connection;
  terminal: Terminal;
  paths: HomePaths;
  loaded: LoadedConfig;
  sessionKey: string;
  canDraw: boolean;
  log: Pick<Log, "warn">;
}

/** Resolves with the exit code when the person has left. */
export async function runChat(options: ChatOptions, signal: AbortSignal): Promise<number> {
  const { connection, terminal, paths, loaded, log } = options;
  const { stdout, stderr, env, words, style } = terminal;
  const { workspace, toolHintMaxLength: hintLength } = loaded.config.agents.defaults;
  const history = new TerminalHistory(paths, systemClock);
  const port = new ChatPort(connection, log);
  // The gateway may have another workspace.
  const own = connection.isAttached ? {} : { workspace };
  const place = { ...own, folder: paths.terminalMedia, clock: systemClock, words };
  const chat = {
    ...options,
    port,
    words,
    style,
    hintLength,
    clock: systemClock,
    isSandboxed: surveyProtection(loaded, env).sandbox?.isContained,
    folders: [process.cwd(), workspace],
    takeFiles: (files: string[]) => takeMedia(files, place),
    onTyped: (text: string) =>
      void history.append(text).catch((error) => log.warn("history-not-kept", { error })),
  };
  try {
    if (!options.canDraw) {
      const look = { words, style: terminal.sideStyle, hintLength };
      const view = new PlainView({ ...look, stdout, stderr, streamsAnswers: true });
      return toExitCode(await runPlainChat({ ...chat, view, style: terminal.sideStyle }, signal));
    }
    const [library, { TuiChat }] = await Promise.all([loadTuiLibrary(), import("./tui-chat.ts")]);
    stdout.write(`${style.bold(`nanobot ${readVersion()}`)}\n${style.quiet(words.terminal.hint)}\n`);
    const chosen = chooseModel(toModelInput(loaded, env));
    if (chosen.ok && chosen.choice.host.protocol === "offline")
      stdout.write(`${style.warning(words.terminal.noModel(`${nanobot} onboard`))}\n`);
    const drawn = { library, mediaFolder: paths.terminalMedia, history: await history.load() };
    return toExitCode(await new TuiChat({ ...chat, ...drawn }).run(signal));
  } finally {
    port.close();
  }
}

const toExitCode = (farewell: Farewell) => (farewell === "interrupted" ? 130 : 0);
