// Polls what pages show while someone looks, and tells viewers of changes that no operation made.

import type { GatewayControl } from "../../api/gateway/gateway.ts";
import type { OpenedState } from "../../api/home/open-state.ts";
import type { PersonMemory } from "../../api/memory/person-memory.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import type { Topic } from "../protocol.ts";
import type { EventHub } from "./event-hub.ts";

const pollEveryMs = 3_000;

export interface WatchOptions {
  hub: EventHub;
  clock: Clock;
  signal: AbortSignal;
  log: Log;
  /** What a page about the topic rests on, as something that JSON can hold. */
  pollers: Partial<Record<Topic, () => Promise<unknown>>>;
}

/** Until the signal aborts. Polls only while a viewer is connected. */
export async function watchTopics({ hub, clock, signal, log, pollers }: WatchOptions): Promise<void> {
  const seen = new Map<string, string>();
  while (!signal.aborted) {
    await clock.sleep(pollEveryMs, signal).catch(() => {});
    if (signal.aborted) return;
    if (!hub.isHeard) {
      // The next viewer may have asked before we poll: everything counts as changed then.
      seen.clear();
      continue;
    }
    for (const [topic, poll] of Object.entries(pollers) as Array<[Topic, () => Promise<unknown>]>) {
      // What cannot be read now, such as a file that is damaged, is tried again at the next poll.
      const now = await poll().then(JSON.stringify, (error: unknown) => {
        log.debug("not-polled", { topic, error });
        return `${error}`;
      });
      if (seen.get(topic) === now) continue;
      seen.set(topic, now);
      hub.publish({ type: "changed", topic });
    }
  }
}

interface PolledParts {
  /** The owner's. */
  memory: Pick<PersonMemory, "files">;
  skills: SkillsLoader;
  state: Pick<OpenedState, "cron" | "goals" | "bus" | "pairing">;
  status: GatewayControl["status"];
}

/** What the pages show. */
export function createPollers({ memory, skills, state, status }: PolledParts): WatchOptions["pollers"] {
  const { files } = memory;
  return {
    memory: () => files.list(),
    async jobs() {
      const jobs = await state.cron.listAll({ withFinished: true });
      const rows = jobs.map(({ raw: _, runs, ...job }) => [job, runs.length, runs.at(-1)]);
      return [rows, await state.goals.listAll()];
    },
    async skills() {
      const entries = (await skills.survey()).list();
      return entries.map(({ name, hash, available, isAllowed }) => [name, hash, available, isAllowed]);
    },
    async channels() {
      const { channels } = await status();
      return [
        // The time when one was last alive is sent by the minute.
        channels.map(({ aliveAt = 0, ...health }) => [health, Math.floor(aliveAt / 60_000)]),
        state.bus.outbox.list().map(({ part, state: sending, attempts }) => [part.id, sending, attempts]),
        await state.pairing.listPending(),
        await state.pairing.list(),
      ];
    },
  };
}
