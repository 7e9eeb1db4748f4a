// What slash commands of one session may do, put together from what the loop has.
import type { Origin } from "../bus/types.ts";
import { speakTo } from "../i18n/words.ts";
import type { CommandContext } from "./commands.ts";
import type { AgentLoopOptions } from "./loop-options.ts";
import { openSaid, toUpkept } from "./open-session.ts";

export interface CommandGround {
  sessionKey: string;
  origin: Origin;
  signal?: AbortSignal;
  ask: CommandContext["ask"];
  /** Ends what runs, waits and works beside the session; how many. */
  stop(): Promise<number>;
  /** Only what works beside its turns. */
  stopBeside(): Promise<number>;
}

export function toCommandContext(options: AgentLoopOptions, ground: CommandGround): CommandContext {
  const { sessionKey, origin, signal, ask, stop } = ground;
  return {
    words: speakTo(origin, options.words),
    sessionKey,
    origin,
    ...(signal && { signal }),
    ask,
    answers: options.answers(sessionKey, origin),
    closeSession: () => closeSession(options, ground),
    compact: (focus) => compact(options, ground, focus),
    stop,
  };
}

/** The file is kept under another name, and what was said in it is archived in the background. */
async function closeSession({ turns, onClosed }: AgentLoopOptions, ground: CommandGround): Promise<void> {
  await ground.stopBeside();
  const release = await turns.lock.acquire(`session ${ground.sessionKey}`);
  try {
    await turns.upkeep.endConversation(turns.sessions, await openSaid(turns, ground));
    onClosed?.(ground.sessionKey);
  } finally {
    release();
  }
}

async function compact(
  { turns }: AgentLoopOptions,
  ground: CommandGround,
  focus: string,
): ReturnType<CommandContext["compact"]> {
  const release = await turns.lock.acquire(`session ${ground.sessionKey}`);
  try {
    const session = await openSaid(turns, ground);
    return await turns.upkeep.compact(await toUpkept(turns, session), focus);
  } finally {
    release();
  }
}
