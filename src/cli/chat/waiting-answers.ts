// Answers of jobs that were made in the terminal: they wait in the outbox of the home until a chat is open.
import type { Reached } from "../../app/reach-control.ts";
import type { OutboundPart } from "../../bus/types.ts";
import type { Clock } from "../../lib/clock.ts";
import { HomeLockedError } from "../../lib/home-lock.ts";
import type { Log } from "../../lib/log.ts";
import { ControlError } from "../../server/control.ts";

export interface WaitingAnswersOptions {
  /** Of the terminal. */
  channel: string;
  /** Undefined while nothing was ever sent from this home. */
  reach(): Promise<Reached | undefined>;
  show(part: OutboundPart): Promise<unknown>;
  clock: Clock;
  log: Log;
}

const lookEveryMs = 3_000;

/** Shows each once, in whichever chat is first, until the signal aborts. */
export async function showWaitingAnswers(options: WaitingAnswersOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await look(options, isFirst);
    } catch (error) {
      // The gateway has just ended, or somebody else is at work: the next look will tell.
      if (!(error instanceof ControlError || error instanceof HomeLockedError)) throw error;
      log.debug("outbox-not-seen", { error });
    }
    await clock.sleep(lookEveryMs, signal).catch(() => {});
  }
}

async function look({ channel, reach, show }: WaitingAnswersOptions, isFirst: boolean): Promise<void> {
  const { control, isServed } = (await reach()) ?? {};
  // Without a gateway no more can come.
  if (control === undefined || !(isServed || isFirst)) return;
  for (const { part } of await control.listOutbox({})) {
    // Whoever takes it away has it: another chat may be open, too.
    const isOurs = part.channel === channel && (await control.dropOutbox({ id: part.id }));
    if (isOurs) await show({ ...part, wasStreamed: false });
  }
}
