// The chat in the terminal: on the gateway of the home if one runs, otherwise on an assistant of its own; drawn where
// the terminal can draw, as plain lines elsewhere.
import type { HomePaths } from "../../config/home.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { readVersion } from "../../lib/package-root.ts";
import { PlainView } from "../draw/plain-view.ts";
import { loadTuiLibrary } from "../draw/tui-library.ts";
import { surveyProtection } from "../protection-status.ts";
import { takeMedia } from "../take-media.ts";
import type { Terminal } from "../terminal.ts";
import type { ChatPort } from "./chat-port.ts";
import { HistoryFile } from "./history-file.ts";
import { runPlainChat } from "./plain-chat.ts";

export interface ChatOptions {
  port: ChatPort;
  terminal: Terminal;
  paths: HomePaths;
  loaded: LoadedConfig;
  sessionKey: string;
  canDraw: boolean;
  log: Pick<Log, "warn">;
}

/** Resolves with the exit code when the person has left. */
export async function runChat(options: ChatOptions, signal: AbortSignal): Promise<number> {
  const { paths, port, log } = options;
  const history = new HistoryFile(paths.terminalHistory, systemClock);
  const onTyped = (text: string) =>
    void history.append(text).catch((error) => log.warn("history-not-kept", { error }));
  const chatting = options.canDraw
    ? drawChat({ ...options, history: await loadHistory(history, log), onTyped }, signal)
    : runPlainChat({ ...options, view: createPlainView(options), onTyped }, signal);
  try {
    return (await chatting) === "interrupted" ? 130 : 0;
  } finally {
    await port.close();
  }
}

function createPlainView({ terminal, loaded }: ChatOptions): PlainView {
  const { stdout, stderr, words, sideStyle: style } = terminal;
  const hintLength = loaded.config.agents.defaults.toolHintMaxLength;
  return new PlainView({ stdout, stderr, words, style, hintLength, streamsAnswers: true });
}

interface DrawnChat extends ChatOptions {
  history: string[];
  onTyped(text: string): void;
}

async function drawChat(options: DrawnChat, signal: AbortSignal) {
  const { terminal, paths, loaded } = options;
  const { stdout, words, style, env } = terminal;
  const { workspace, toolHintMaxLength: hintLength } = loaded.config.agents.defaults;
  const [library, { TuiChat }] = await Promise.all([loadTuiLibrary(), import("./tui-chat.ts")]);
  stdout.write(`${style.bold(`nanobot ${readVersion()}`)}\n${style.quiet(words.terminal.hint)}\n`);
  const place = { workspace, folder: paths.media, clock: systemClock, words };
  const chat = new TuiChat({
    ...options,
    library,
    words,
    style,
    clock: systemClock,
    hintLength,
    isSandboxed: surveyProtection(loaded, env).sandbox?.isContained,
    folders: [process.cwd(), workspace],
    mediaFolder: paths.media,
    takeFiles: (files) => takeMedia(files, place),
  });
  return chat.run(signal);
}

/** Without its history a chat is less pleasant, but a chat. */
async function loadHistory(history: HistoryFile, log: ChatOptions["log"]): Promise<string[]> {
  try {
    return await history.load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    log.warn("history-not-read", { error });
    return [];
  }
}
