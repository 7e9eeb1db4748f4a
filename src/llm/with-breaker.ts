// Spares a model that failed several times in a row: for a while it is not asked at all, then one call may try.
// Remembers three facts about the model, for as long as the wrapped provider lives.
import type { Clock } from "../lib/clock.ts";
import { allowsFallback } from "./provider-error.ts";
import type { ModelEvent, ModelReply, ModelRequest, ProviderWrapper } from "./types.ts";

export interface BreakerOptions {
  clock: Clock;
  /** The model's name, for the error. */
  name: string;
  /** Failures in a row after which it rests. */
  mostFailures?: number;
  restMs?: number;
}

export function withBreaker({
  clock,
  name,
  mostFailures = 3,
  restMs = 60_000,
}: BreakerOptions): ProviderWrapper {
  let failures = 0;
  let restsUntil = 0;
  let isTried = false;

  function settle(reply: ModelReply | undefined): void {
    // Aborted: nothing was learnt.
    if (reply === undefined) return;
    const hasFailed = reply.error !== undefined && allowsFallback(reply.error);
    failures = hasFailed ? failures + 1 : 0;
    if (failures >= mostFailures) restsUntil = clock.elapsed() + restMs;
  }

  return (provider) => ({
    async *stream(request, signal) {
      const isTrial = failures >= mostFailures;
      const restLeft = restsUntil - clock.elapsed();
      if (isTrial && (restLeft > 0 || isTried)) {
        yield toResting(request, name, restLeft);
        return;
      }
      if (isTrial) isTried = true;
      let reply: ModelReply | undefined;
      try {
        for await (const event of provider.stream(request, signal)) {
          if (event.type === "reply-end") reply = event.reply;
          yield event;
        }
      } finally {
        if (isTrial) isTried = false;
        settle(reply);
      }
    },
  });
}

function toResting({ model }: ModelRequest, name: string, restLeft: number): ModelEvent {
  const wait = restLeft > 0 ? `for ${Math.ceil(restLeft / 1000)} s` : "while one call tries it again";
  const message = `${name} failed several times in a row and is left alone ${wait}.`;
  return {
    type: "reply-end",
    reply: {
      message: { role: "assistant", content: null },
      stop: "error",
      model,
      error: { kind: "overloaded", message, host: name },
    },
  };
}
