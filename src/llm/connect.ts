// From a chosen model to something that can be asked. Each protocol is loaded only when it is used.
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Connection } from "./host.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { Provider } from "./types.ts";

export interface ConnectOptions {
  /** One that goes through the configured proxy. */
  fetch: typeof globalThis.fetch;
  clock?: Clock;
  /** The model that needs no host; it lives outside of this room. */
  createOffline(): Promise<Provider>;
}

export async function createProvider(choice: ModelChoice, options: ConnectOptions): Promise<Provider> {
  const { host, access } = choice;
  const { clock = systemClock, fetch, createOffline } = options;
  const connection: Connection = { ...access, host, baseUrl: access.baseUrl ?? "", fetch };
  switch (host.protocol) {
    case "openai-chat": {
      const { createOpenAIChat } = await import("./openai-chat.ts");
      return createOpenAIChat(connection);
    }
    case "anthropic-messages": {
      const { createAnthropicMessages } = await import("./anthropic-messages.ts");
      return createAnthropicMessages(connection);
    }
    case "offline":
      return createOffline();
    case "scripted":
      return createFromScript(access.script ?? "", clock);
  }
}

/** A script that cannot be used is told in every reply, like a host that cannot be reached. */
async function createFromScript(path: string, clock: Clock): Promise<Provider> {
  const { readScript } = await import("./script-file.ts");
  const { createScripted } = await import("./scripted.ts");
  const parsed = await readScript(path);
  if (parsed.ok) return createScripted(parsed.script, clock);
  const message = `The script ${path} cannot be used: ${parsed.problems.join("; ")}. Correct it, or providers.scripted.script.`;
  return createScripted({ steps: [{ error: { kind: "invalid-request", message } }], loop: true });
}
