// One call of a model on the way to a reply: its events go through as they come, its reply is held back for a wrapper
// to judge, together with whether a person has already seen part of it.
import type { ModelEvent, ModelReply, ModelRequest, Provider } from "./types.ts";

export interface Attempt {
  reply: ModelReply;
  /** Part of the answer itself was shown. */
  hasText: boolean;
  /** Something was shown, be it only reasoning. */
  hasShown: boolean;
}

export async function* attempt(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Attempt> {
  let hasText = false;
  let hasShown = false;
  for await (const event of provider.stream(request, signal)) {
    if (event.type === "reply-end") return { reply: event.reply, hasText, hasShown };
    if (event.type === "text-reset") hasText = hasShown = false;
    if (event.type === "text-delta") hasText = hasShown = true;
    if (event.type === "reasoning-delta") hasShown = true;
    yield event;
  }
  throw new Error("a provider ended its stream without a reply");
}
