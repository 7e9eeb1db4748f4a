// A chain of models: when one fails and another may do better, the next is asked, unless text was already shown.
// Which errors may be handed on is decided in provider-error.ts.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { attempt } from "./attempt.ts";
import { allowsFallback, toPhrase } from "./provider-error.ts";
import type { ModelReply, ModelRequest, ModelSettings, Provider } from "./types.ts";
import { withBreaker } from "./with-breaker.ts";

export interface Candidate {
  /** For people, such as `openrouter/claude-sonnet`. */
  name: string;
  /** With its own retries, which come before any fallback. */
  provider: Provider;
  /** Replace those of the request; absent: the request's own are meant for it. */
  settings?: ModelSettings;
}

export interface FallbackOptions {
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
  const spared = withBreaker(primary.provider, primary.name, clock);
  const chain = others.length === 0 ? [primary] : [{ ...primary, provider: spared }, ...others];
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
          yield { type: "reply-end", reply: withFailuresTold(reply, failures) };
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

function withFailuresTold(reply: ModelReply, failures: Failure[]): ModelReply {
  if (reply.error === undefined || failures.length < 2) return reply;
  return { ...reply, error: { ...reply.error, phrase: phrase("model.all-failed", { failures }) } };
}
