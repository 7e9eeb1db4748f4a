// From a chosen model to something that can be asked. Each protocol is loaded only when it is used.
import { type Clock, systemClock } from "../lib/clock.ts";
import { readVersion } from "../lib/package-root.ts";
import type { Connection } from "./host.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { Provider } from "./types.ts";

export interface ConnectOptions {
  /** One that goes through the configured proxy. */
  fetch: typeof globalThis.fetch;
  clock?: Clock;
}

export async function createProvider(choice: ModelChoice, options: ConnectOptions): Promise<Provider> {
  const { clock = systemClock } = options;
  switch (choice.host.protocol) {
    case "openai-chat": {
      const { createOpenAIChat } = await import("./openai-chat.ts");
      return createOpenAIChat(toConnection(choice, options));
    }
    case "anthropic-messages": {
      const { createAnthropicMessages } = await import("./anthropic-messages.ts");
      return createAnthropicMessages(toConnection(choice, options));
    }
    case "offline": {
      const { createOffline } = await import("./offline/offline.ts");
      return createOffline({ clock, version: readVersion() });
    }
    case "scripted":
      return createFromScript(choice.access.script ?? "", clock);
  }
}

export function toConnection({ host, access }: ModelChoice, { fetch }: ConnectOptions): Connection {
  const { baseUrl = "", apiKey, extraHeaders, extraBody, extraQuery } = access;
  return { host, baseUrl, apiKey, extraHeaders, extraBody, extraQuery, fetch };
}

/** A script that cannot be used is told in every reply, like a host that cannot be reached. */
async function createFromScript(path: string, clock: Clock): Promise<Provider> {
  const [{ readScript }, { createScripted }] = await Promise.all([
    import("./script-file.ts"),
    import("./scripted.ts"),
  ]);
  const parsed = await readScript(path);
  if (parsed.ok) return createScripted(parsed.script, clock);
  const message = `The script ${path} cannot be used: ${parsed.problems.join("; ")}. Correct it, or providers.scripted.script.`;
  return createScripted({ steps: [{ error: { kind: "invalid-request", message } }], loop: true });
}
