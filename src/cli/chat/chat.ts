// The chat in the terminal: the channel, the loop and the bus between them, until the person leaves.
import { terminalOrigin } from "../../agent/direct.ts";
import type { App } from "../../app/build-app.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { Channel } from "../../bus/channel.ts";
import type { HomePaths } from "../../config/home.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { Terminal } from "../terminal.ts";
import { createScreen, createView } from "../turn-screen.ts";
import { CollapsedText } from "./collapsed-text.ts";
import { HistoryFile } from "./history-file.ts";
import { TerminalChannel } from "./terminal-channel.ts";
import { showWaitingAnswers } from "./waiting-answers.ts";

export interface ChatOptions {
  app: App;
  terminal: Terminal;
  paths: HomePaths;
  sessionKey: string;
  /** The process is told to end. */
  signal: AbortSignal;
}

/** Resolves with the exit code when the person has left. */
export async function runChat({ app, terminal, paths, sessionKey, signal }: ChatOptions): Promise<number> {
  const { words, sideStyle } = terminal;
  const history = new HistoryFile(paths.terminalHistory, systemClock);
  const screen = createScreen(terminal);
  const hintLength = app.loaded.config.agents.defaults.toolHintMaxLength;
  const channel = new TerminalChannel({
    input: terminal.stdin,
    output: terminal.stderr,
    screen,
    view: createView(terminal, { screen, hintLength, streamsAnswers: true }),
    collapsed: new CollapsedText(words),
    words,
    style: sideStyle,
    clock: systemClock,
    ids: createIds(),
    origin: terminalOrigin,
    sessionKey,
    history: await loadHistory(history, app.log),
    onTyped: (text) =>
      void history.append(text).catch((error) => app.log.warn("history-not-kept", { error })),
  });
  screen.line(sideStyle.bold(words.chat.greeting(readVersion(), app.model.settings.model, app.model.host)));
  screen.line(sideStyle.quiet(words.chat.hint));
  const farewell = await serve(app, channel, { signal, home: paths.home });
  return farewell === "interrupted" ? 130 : 0;
}

/** Without its history a chat is less pleasant, but a chat. */
async function loadHistory(history: HistoryFile, log: Log): Promise<string[]> {
  try {
    return await history.load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    log.warn("history-not-read", { error });
    return [];
  }
}

async function serve(
  app: App,
  channel: TerminalChannel,
  { signal, home }: { signal: AbortSignal; home: string },
) {
  const { bus, loop } = app;
  const ending = new AbortController();
  const stop = AbortSignal.any([ending.signal, signal]);
  const unsubscribe = bus.onLive((event) => channel.showLive(event));
  const waiting = showWaitingAnswers({ app, home, channel, clock: systemClock }, stop);
  const working = [loop.run(stop), deliver(bus, channel, stop), waiting];
  const chatting = channel.start({ publish: (message) => bus.publishInbound(message) }, stop);
  try {
    await Promise.race([chatting, ...working]);
    return await channel.farewell;
  } finally {
    ending.abort();
    await chatting;
    unsubscribe();
    await Promise.all(working);
  }
}

/** Hands the outbox to the channel, part by part, until the signal aborts. */
async function deliver(bus: MessageBus, channel: Channel, signal: AbortSignal): Promise<void> {
  for (;;) {
    const part = await bus.takeOutbound(channel.name, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    if (part === undefined) return;
    await bus.markSent(part.id, await channel.send(part));
  }
}
