// `nanobot agent`: one question and its answer with -m or a pipe, otherwise a chat. Both go to the gateway of the home if
// one runs, and to an assistant of this process otherwise.

import { findGateway } from "../../api/gateway/gateway-file.ts";
import { systemClock } from "../../lib/clock.ts";
import { keepEngineMemorySmall } from "../../lib/process/engine-memory.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import type { AgentOptions } from "../command-line/options.ts";
import { defaultSession } from "../command-line/options.ts";
import { openApp } from "../open-app.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { takeMedia } from "../terminal/media-files.ts";
import { readPipedText } from "../terminal/piped-text.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { type Asked, answerOnce } from "./answer-once.ts";

export interface AgentCall {
  options: AgentOptions;
  context: CommandContext;
  paths: HomePaths;
  sessionKey: string;
  canDraw: boolean;
  /** Undefined asks for a chat. */
  message: Promise<Asked["given"] | undefined>;
}

export async function runAgent(options: AgentOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const message = readMessage(options, context);
  // It is under way while others are: when they fail, it must not be left as an unhandled failure.
  message.catch(() => {});
  const canDraw = terminal.canDraw && options.plain !== true;
  const call = { options, context, paths, message, canDraw, sessionKey: options.session || defaultSession };
  // Of another workspace than the gateway's.
  const isApart = options.workspace !== undefined;
  const gateway = isApart ? undefined : await findGateway(paths.run);
  if (gateway === undefined) return runHere(call);
  const { runAttached } = await import("./attached.ts");
  return runAttached(call, gateway);
}

async function runHere({ options, context, paths, message, ...call }: AgentCall): Promise<number> {
  const { terminal, signal } = context;
  const { words } = terminal;
  using _memory = keepEngineMemorySmall("one-turn");
  const opening = openApp({
    options,
    terminal,
    paths,
    canAsk: terminal.isInteractive,
    isOnce: options.message !== undefined,
  });
  await Promise.allSettled([message, opening]);
  const [given, app] = [await message, await opening];
  const { environment, loaded } = app.storage;
  try {
    if (given === undefined) {
      const { runChat } = await import("../chat/chat.ts");
      const { connectHere } = await import("../chat/chat-port.ts");
      const chat = { ...call, terminal, paths, loaded, log: environment.log };
      return await runChat({ ...chat, connection: connectHere(app) }, signal);
    }
    const place = {
      workspace: environment.workspace,
      folder: paths.terminalMedia,
      clock: systemClock,
      words,
    };
    const media = await takeMedia(options.media ?? [], place);
    const hintLength = loaded.config.agents.defaults.toolHintMaxLength;
    const answerOptions = { ...call, ...context, given, hintLength, isJson: options.json === true };
    return await answerOnce(answerOptions, ({ show: onEvent, ask }) =>
      app.loop.processDirect({ ...given, sessionKey: call.sessionKey, media, signal, onEvent, ask }),
    );
  } finally {
    await app.close();
  }
}

/** The message with what was piped; undefined asks for a chat. */
async function readMessage(
  { message, media, json }: AgentOptions,
  { terminal, signal }: CommandContext,
): Promise<Asked["given"] | undefined> {
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
