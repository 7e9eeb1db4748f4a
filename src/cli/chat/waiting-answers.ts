// Answers of jobs that were made in the terminal: they wait in the outbox of the home until a chat is open.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../app/build-app.ts";
import type { Channel } from "../../bus/channel.ts";
import type { Clock } from "../../lib/clock.ts";
import { HomeLockedError } from "../../lib/home-lock.ts";
import { ControlError } from "../../server/control.ts";

export interface WaitingAnswersOptions {
  app: Pick<App, "reach" | "log">;
  home: string;
  /** The terminal. */
  channel: Pick<Channel, "name" | "send">;
  clock: Clock;
}

const lookEveryMs = 3_000;

/** Shows each once, in whichever chat is first, until the signal aborts. */
export async function showWaitingAnswers(options: WaitingAnswersOptions, signal: AbortSignal): Promise<void> {
  const { app, clock } = options;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await look(options, isFirst);
    } catch (error) {
      // The gateway has just ended, or somebody else is at work: the next look will tell.
      if (!(error instanceof ControlError || error instanceof HomeLockedError)) throw error;
      app.log.debug("outbox-not-seen", { error });
    }
    await clock.sleep(lookEveryMs, signal).catch(() => {});
  }
}

async function look({ app, home, channel }: WaitingAnswersOptions, isFirst: boolean): Promise<void> {
  if (!existsSync(join(home, "state.db"))) return;
  const { control, isServed } = await app.reach();
  // Without a gateway no more can come.
  if (!isServed && !isFirst) return;
  for (const { part } of await control.listOutbox({})) {
    // Whoever takes it away has it: another chat may be open, too.
    const isOurs = part.channel === channel.name && (await control.dropOutbox({ id: part.id }));
    if (isOurs) await channel.send({ ...part, wasStreamed: false });
  }
}
