// `nanobot agent`: one question and its answer with -m or a pipe, otherwise a chat.
import type { TurnOutcome } from "../agent/job.ts";
import type { App } from "../app/build-app.ts";
import { resolveHome } from "../config/home.ts";
import { systemClock } from "../lib/clock.ts";
import { neutralise } from "../lib/visible-text.ts";
import { defaultSession, describeFailure, describeOutcome, toExitCode } from "./agent-report.ts";
import { askOnce } from "./ask-once.ts";
import { CommandFailure } from "./command-failure.ts";
import type { AgentOptions } from "./command-line.ts";
import { openApp } from "./open-app.ts";
import { readPipedText } from "./piped-text.ts";
import { takeMedia } from "./take-media.ts";
import type { CommandContext, Terminal } from "./terminal.ts";
import { createScreen, createView } from "./turn-screen.ts";

/** What was piped beside a message may come from anywhere; what was piped alone is the message. */
interface GivenText {
  text: string;
  labels?: string[];
  ownWords?: string;
}

interface OneShot extends CommandContext {
  app: App;
  given: GivenText;
  media: string[];
  sessionKey: string;
  isJson: boolean;
}

export async function runAgent(options: AgentOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const message = readMessage(options, context);
  const opening = openApp({ options, terminal, paths, canAsk: terminal.isInteractive });
  // Both are under way: when one fails, the other must not be left as an unhandled failure.
  const [given, app] = await settleBoth(message, opening);
  const sessionKey = options.session || defaultSession;
  try {
    if (given === undefined) {
      const { runChat } = await import("./chat/chat.ts");
      return await runChat({ app, terminal, paths, sessionKey, signal });
    }
    const place = {
      workspace: app.workspace,
      folder: paths.media,
      clock: systemClock,
      words: terminal.words,
    };
    const media = await takeMedia(options.media ?? [], place);
    return await answerOnce({ ...context, app, given, media, sessionKey, isJson: options.json === true });
  } finally {
    await app.close();
  }
}

async function settleBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

/** The message with what was piped; undefined asks for a chat. */
async function readMessage(
  { message, media, json }: AgentOptions,
  { terminal, signal }: CommandContext,
): Promise<GivenText | undefined> {
  const { words, stderr, sideStyle, isStdinTerminal } = terminal;
  const hasMessage = message !== undefined && message.trim() !== "";
  if (isStdinTerminal) {
    if (hasMessage) return { text: message };
    const wantsAnswer = message !== undefined || media !== undefined || json === true;
    if (!wantsAnswer && terminal.isInteractive) return undefined;
    throw new CommandFailure(words.failure.noMessage, 2);
  }
  const say = (sentence: string) => stderr.write(`${sideStyle.quiet(sentence)}\n`);
  const piped = (await readPipedText({ stdin: terminal.stdin, hasMessage, words, say, signal })).trim();
  const text = [hasMessage ? message : "", piped].filter((part) => part !== "").join("\n\n");
  if (text === "") throw new CommandFailure(words.failure.noMessage, 2);
  return hasMessage && piped !== "" ? { text, labels: ["pipe"], ownWords: message } : { text };
}

async function answerOnce(oneShot: OneShot): Promise<number> {
  const { app, terminal, given, media, sessionKey, signal, isJson } = oneShot;
  const screen = createScreen(terminal);
  const hintLength = app.loaded.config.agents.defaults.toolHintMaxLength;
  const isStreaming = terminal.stdout.isTTY === true && !isJson;
  const view = createView(terminal, { screen, hintLength, streamsAnswers: isStreaming });
  screen.busy(terminal.words.chat.thinking);
  const outcome = await app.loop.processDirect({
    ...given,
    sessionKey,
    media,
    signal,
    onEvent: (body) => view.show(body),
    ...(terminal.isInteractive && {
      ask: (request, stop) => askOnce(request, { terminal, screen, signal: stop }),
    }),
  });
  screen.idle();
  if (isJson) terminal.stdout.write(describeOutcome(outcome));
  else if (!isStreaming || outcome.kind === "command") view.showWhole(outcome.text);
  if (!isJson) explainEnd(outcome, terminal);
  return toExitCode(outcome.stop);
}

/** Why there is no answer, or not a whole one. */
function explainEnd({ stop, error }: TurnOutcome, { stderr, words, sideStyle }: Terminal): void {
  if (error !== undefined) stderr.write(`${sideStyle.bad(neutralise(describeFailure(error, words)))}\n`);
  else if (stop === "cancelled") stderr.write(`${sideStyle.quiet(words.failure.interrupted)}\n`);
}
