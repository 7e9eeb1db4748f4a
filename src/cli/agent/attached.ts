// `nanobot agent` on the gateway that runs: a chat, or one question whose events are shown, whose questions are asked here,
// and whose outcome comes back whole.

import type { TurnOutcome } from "../../agent/job.ts";
import type { GatewayAddress } from "../../api/client.ts";
import type { LiveBody } from "../../bus/live.ts";
import { onAbort } from "../../lib/abort.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { connectGateway, type SocketConnection } from "../chat/chat-port.ts";
import { readConfig } from "../read-config.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { takeMedia } from "../terminal/media-files.ts";
import type { AgentCall } from "./agent-command.ts";
import { type Asked, answerOnce, type OnceSurface } from "./answer-once.ts";

/** Needs nothing of the home but its config: everything else belongs to the gateway. */
export async function runAttached(
  { options, context, paths, message, ...call }: AgentCall,
  gateway: GatewayAddress,
): Promise<number> {
  const { terminal, signal } = context;
  const { loaded } = await readConfig(options, terminal);
  const connection = await connectGateway(gateway, paths.run);
  try {
    const text = await message;
    if (text === undefined) {
      const { runChat } = await import("../chat/chat.ts");
      return await runChat({ ...call, connection, terminal, paths, loaded, log: silentLog }, signal);
    }
    const place = { folder: paths.terminalMedia, clock: systemClock, words: terminal.words };
    const media = await takeMedia(options.media ?? [], place);
    const hintLength = loaded.config.agents.defaults.toolHintMaxLength;
    const answerOptions = { ...call, ...context, given: text, hintLength, isJson: options.json === true };
    return await answerOnce(answerOptions, (surface) =>
      askGateway(connection, { ...answerOptions, media }, surface),
    );
  } finally {
    connection.close();
  }
}

/** It is asked once: a gateway that dies with it does not get it again. */
async function askGateway(
  connection: SocketConnection,
  { given, sessionKey, media, terminal, signal }: Asked & { media: string[] },
  { show, ask }: OnceSurface,
): Promise<TurnOutcome> {
  const stop = () => void connection.call("chat.stop", { sessionKey }).catch(() => {});
  const answering = new Map<string, AbortController>();
  // Of turns that are not ours nothing is shown: ours begins when no other runs.
  let ours: string | undefined;

  async function answer({ askId, question }: LiveBody & { type: "ask-start" }): Promise<void> {
    const controller = new AbortController();
    answering.set(askId, controller);
    const chosen = await ask?.(question, AbortSignal.any([signal, controller.signal])).catch(() => undefined);
    if (chosen !== undefined) await connection.call("chat.answer", { sessionKey, askId, ...chosen });
  }

  connection.listen((event) => {
    if (event.type === "lost") connection.abandon(new CommandFailure(terminal.words.terminal.unanswered));
    if (event.type !== "shown" || event.sessionKey !== sessionKey || event.shown.type !== "live") return;
    const { body, turnId } = event.shown;
    if (body.type === "turn-start") ours = turnId;
    if (turnId !== ours) return;
    if (body.type === "ask-start") void answer(body);
    else if (body.type === "ask-end") answering.get(body.askId)?.abort(new Error("answered elsewhere"));
    else show(body);
  });
  const forget = onAbort(signal, stop);
  try {
    const request = { sessionKey, ...given, paths: media, canAsk: ask !== undefined };
    return await connection.call("terminal.ask", request);
  } finally {
    forget();
  }
}
