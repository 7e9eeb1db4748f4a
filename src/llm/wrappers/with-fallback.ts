// A chain of models: when one fails and another may do better, the next is asked, unless text was already shown.
// Which errors allow that is decided in provider-error.ts.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { Clock } from "../../lib/clock.ts";
import { allowsFallback, toFailedEnd, toPhrase } from "../errors/provider-error.ts";
import type { ModelReply, ModelRequest, ModelSettings, Provider } from "../types.ts";
import { attempt } from "./with-retry.ts";

export interface Candidate {
  /** For people, such as `openrouter/claude-sonnet`. */
  name: string;
  /** With its retries, which come before any fallback. */
  provider: Provider;
  /** Replace those of the request; absent: those of the request apply. */
  settings?: ModelSettings;
}

interface FallbackOptions {
  /** The primary first. */
  candidates: readonly [Candidate, ...Candidate[]];
  clock: Clock;
}

interface Failure {
  name: string;
  failure: Phrase;
}

export function withFallback({ candidates: [primary, ...others], clock }: FallbackOptions): Provider {
  if (others.length === 0 && primary.settings === undefined) return primary.provider;
  const guarded = withBreaker(primary.provider, primary.name, clock);
  const chain = others.length === 0 ? [primary] : [{ ...primary, provider: guarded }, ...others];
  return {
    async *stream(request, signal) {
      const failures: Failure[] = [];
      for (const [index, { name, provider, settings }] of chain.entries()) {
        const { reply, hasText, hasShown } = yield* attempt(
          provider,
          withSettings(request, settings),
          signal,
        );
        const next = chain[index + 1];
        if (reply.error !== undefined) failures.push({ name, failure: toPhrase(reply.error) });
        if (reply.error === undefined || hasText || !allowsFallback(reply.error) || next === undefined) {
          yield { type: "reply-end", reply: withAllFailures(reply, failures) };
          return;
        }
        if (hasShown) yield { type: "text-reset" };
        const reason = toPhrase(reply.error);
        yield { type: "notice", notice: { kind: "fallback", from: name, to: next.name, reason } };
      }
    },
  };
}

/** A temperature or effort that the candidate does not set is not inherited: another model may reject it. */
function withSettings(request: ModelRequest, settings: ModelSettings | undefined): ModelRequest {
  if (settings === undefined) return request;
  const { temperature: _, reasoningEffort: __, ...rest } = request;
  return { ...rest, ...settings };
}

function withAllFailures(reply: ModelReply, failures: Failure[]): ModelReply {
  if (reply.error === undefined || failures.length < 2) return reply;
  return { ...reply, error: { ...reply.error, phrase: phrase("model.all-failed", { failures }) } };
}

const mostFailures = 3;
const restMs = 60_000;

/** A model that failed several times in a row is not called for a while; then one call may try. */
function withBreaker(provider: Provider, name: string, clock: Clock): Provider {
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
        const paused = phrase("model.paused", { name, seconds: Math.ceil(restLeft / 1000) });
        yield toFailedEnd(request, { kind: "overloaded", host: name, phrase: paused });
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
