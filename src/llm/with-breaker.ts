// Spares a model that failed several times in a row: for a while it is not asked at all, then one call may try.
// Remembers two facts about the model, for as long as the wrapped provider lives.
import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { allowsFallback, toFailedEnd } from "./provider-error.ts";
import type { ModelReply, Provider } from "./types.ts";

const mostFailures = 3;
const restMs = 60_000;

/** `name` is the model's, for the error. */
export function withBreaker(provider: Provider, name: string, clock: Clock): Provider {
  let failures = 0;
  let restsUntil = 0;

  function settle(reply: ModelReply | undefined): void {
    // Aborted: nothing was learnt, and the next call may try.
    restsUntil = reply === undefined ? 0 : clock.elapsed() + restMs;
    if (reply !== undefined) failures = reply.error && allowsFallback(reply.error) ? failures + 1 : 0;
  }

  return {
    async *stream(request, signal) {
      const restLeft = restsUntil - clock.elapsed();
      if (failures >= mostFailures && restLeft > 0) {
        const said = phrase("model.paused", { name, seconds: Math.ceil(restLeft / 1000) });
        yield toFailedEnd(request, { kind: "overloaded", host: name, phrase: said });
        return;
      }
      // Other calls wait for what this one learns.
      restsUntil = clock.elapsed() + restMs;
      let reply: ModelReply | undefined;
      try {
        for await (const event of provider.stream(request, signal)) {
          if (event.type === "reply-end") reply = event.reply;
          yield event;
        }
      } finally {
        settle(reply);
      }
    },
  };
}
