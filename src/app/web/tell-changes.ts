// Open pages hear of what a method has changed at once, and of what somebody else has changed soon.
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { EventHub } from "../../server/event-hub.ts";
import type { Method, MethodTable } from "../../server/methods.ts";
import type { Topic } from "../../server/protocol.ts";

/** Those that only look are named; all others tell the pages when they are done. */
export function telling<Methods>(
  methods: MethodTable<Methods>,
  onlyLook: ReadonlyArray<keyof Methods>,
  tell: () => void,
): MethodTable<Methods> {
  const rows = Object.entries(methods) as Array<[keyof Methods & string, Method<unknown, unknown>]>;
  const told = rows.map(([name, method]): [string, typeof method] => {
    if (onlyLook.includes(name)) return [name, method];
    const run: typeof method.run = async (params, caller) => {
      const result = await method.run(params, caller);
      tell();
      return result;
    };
    return [name, { ...method, run }];
  });
  return Object.fromEntries(told) as MethodTable<Methods>;
}

const lookEveryMs = 3_000;

export interface WatchOptions {
  hub: EventHub;
  clock: Clock;
  signal: AbortSignal;
  log: Log;
  /** What a page about the topic rests on, as something that JSON can hold. */
  looks: Partial<Record<Topic, () => Promise<unknown>>>;
}

/** Until the signal aborts. Looks only while somebody would hear of it. */
export async function watchTopics({ hub, clock, signal, log, looks }: WatchOptions): Promise<void> {
  const seen = new Map<string, string>();
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal).catch(() => {});
    if (signal.aborted) return;
    if (!hub.isHeard) {
      // Whoever comes next may have asked before we look: everything counts as changed then.
      seen.clear();
      continue;
    }
    for (const [topic, look] of Object.entries(looks) as Array<[Topic, () => Promise<unknown>]>) {
      // What cannot be read now, such as a file that is damaged, is tried again at the next look.
      const now = await look().then(JSON.stringify, (error: unknown) => {
        log.debug("not-looked-at", { topic, error });
        return `${error}`;
      });
      if (seen.get(topic) === now) continue;
      seen.set(topic, now);
      hub.publish({ type: "changed", topic });
    }
  }
}
