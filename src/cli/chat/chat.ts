// The chat in the terminal: the channel, the loop and the bus between them, until the person leaves.
import type { App } from "../../app/build-app.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { Channel } from "../../bus/channel.ts";
import type { HomePaths } from "../../config/home.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { readVersion } from "../../lib/package-root.ts";
import { Screen } from "../draw/screen.ts";
import { TurnView } from "../draw/turn-view.ts";
import type { Terminal } from "../terminal.ts";
import { CollapsedText } from "./collapsed-text.ts";
import { HistoryFile } from "./history-file.ts";
import { TerminalChannel } from "./terminal-channel.ts";

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
    view: createView(terminal, { screen, hintLength, drawsAnswers: true }),
    collapsed: new CollapsedText(words),
    words,
    style: sideStyle,
    clock: systemClock,
    ids: createIds(),
    sessionKey,
    history: await history.load(),
    onTyped: (text) =>
      void history.append(text).catch((error) => app.log.warn("history-not-kept", { error })),
  });
  screen.line(sideStyle.bold(words.chat.greeting(readVersion(), app.model.settings.model, app.model.host)));
  screen.line(sideStyle.quiet(words.chat.hint));
  const farewell = await serve(app, channel, signal);
  return farewell === "interrupted" ? 130 : 0;
}

async function serve({ bus, loop }: App, channel: TerminalChannel, signal: AbortSignal) {
  const ending = new AbortController();
  const stop = AbortSignal.any([ending.signal, signal]);
  const unsubscribe = bus.onLive((event) => channel.showLive(event));
  const working = [loop.run(stop), deliver(bus, channel, stop)];
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

export function createScreen({ stdout, stderr, words }: Terminal): Screen {
  return new Screen({ stdout, stderr, clock: systemClock, spinnerHint: words.chat.ctrlCStops });
}

export interface ViewOptions {
  screen: Screen;
  hintLength: number;
  drawsAnswers: boolean;
}

export function createView({ stderr, style, sideStyle, words }: Terminal, options: ViewOptions): TurnView {
  const { screen, hintLength, drawsAnswers } = options;
  const answerStyle = drawsAnswers ? style : undefined;
  return new TurnView({
    screen,
    words,
    answerStyle,
    style: sideStyle,
    showsTools: stderr.isTTY === true,
    hintLength,
  });
}
