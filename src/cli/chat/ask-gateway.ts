// One question to the gateway that runs: its events are shown, its questions are asked here, its outcome comes back whole.
import type { TurnOutcome } from "../../agent/job.ts";
import type { LiveBody } from "../../bus/live.ts";
import type { Asked, OnceSurface } from "../answer-once.ts";
import { CommandFailure } from "../command-failure.ts";
import type { SocketPort } from "./socket-port.ts";

/** It is asked once: a gateway that dies with it does not get it again. */
export async function askGateway(
  port: SocketPort,
  { given, sessionKey, media, terminal, signal }: Asked & { media: string[] },
  { show, ask }: OnceSurface,
): Promise<TurnOutcome> {
  const stop = () => void port.stop(sessionKey).catch(() => {});
  const answering = new Map<string, AbortController>();
  // Of turns that are not ours nothing is shown: ours begins when no other runs.
  let ours: string | undefined;

  async function answer({ askId, request }: LiveBody & { type: "ask-start" }): Promise<void> {
    const controller = new AbortController();
    answering.set(askId, controller);
    const given = await ask?.(request, AbortSignal.any([signal, controller.signal])).catch(() => undefined);
    if (given === undefined) return;
    const { isAllowed, scope } = given;
    await port.answer({ sessionKey, askId, isAllowed, scope });
  }

  port.listen((event) => {
    if (event.type === "lost") port.socket.abandon(new CommandFailure(terminal.words.terminal.unanswered));
    if (event.type !== "shown" || event.sessionKey !== sessionKey || event.shown.type !== "live") return;
    const { body, turnId } = event.shown;
    if (body.type === "turn-start") ours = turnId;
    if (turnId !== ours) return;
    if (body.type === "ask-start") void answer(body);
    else if (body.type === "ask-end") answering.get(body.askId)?.abort(new Error("answered elsewhere"));
    else show(body);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const files = await port.put(media);
    const wish = { sessionKey, ...given, files, canAsk: ask !== undefined };
    return await port.socket.ask("terminal.ask", wish);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
