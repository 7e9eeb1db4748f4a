// `nanobot agent`: one question and its answer with -m or a pipe, otherwise a chat.
import { resolveHome } from "../config/home.ts";
import { systemClock } from "../lib/clock.ts";
import { defaultSession } from "./agent-report.ts";
import { answerOnce } from "./answer-once.ts";
import { CommandFailure } from "./command-failure.ts";
import type { AgentOptions } from "./command-line.ts";
import { openApp } from "./open-app.ts";
import { readPipedText } from "./piped-text.ts";
import { takeMedia } from "./take-media.ts";
import type { CommandContext } from "./terminal.ts";

/** What was piped beside a message may come from anywhere; what was piped alone is the message. */
export interface GivenText {
  text: string;
  labels?: string[];
  ownWords?: string;
}

export async function runAgent(options: AgentOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const { words } = terminal;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const message = readMessage(options, context);
  const opening = openApp({ options, terminal, paths, canAsk: terminal.isInteractive });
  // Both are under way: when one fails, the other must not be left as an unhandled failure.
  const [given, app] = await settleBoth(message, opening);
  const sessionKey = options.session || defaultSession;
  const canDraw = terminal.canDraw && options.plain !== true;
  const { workspace } = app;
  try {
    if (given === undefined) {
      const { runChat } = await import("./chat/chat.ts");
      const { openLocalPort } = await import("./chat/local-port.ts");
      const port = openLocalPort({ app, home: paths.home, words });
      return await runChat(
        { port, terminal, paths, loaded: app.loaded, sessionKey, canDraw, log: app.log },
        signal,
      );
    }
    const place = { workspace, folder: paths.media, clock: systemClock, words };
    const media = await takeMedia(options.media ?? [], place);
    const asked = { given, media, sessionKey, canDraw, isJson: options.json === true };
    return await answerOnce({ ...context, ...asked, app });
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
