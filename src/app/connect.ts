// From a chosen model to something that can be asked. Each protocol is loaded only when it is used.
import type { Connection, WireFetch } from "../llm/host.ts";
import type { ModelChoice } from "../llm/model-choice.ts";
import type { Provider } from "../llm/types.ts";

export interface ConnectOptions {
  /** One that goes through the configured proxy. */
  fetch: WireFetch;
  /** The models that need no host; they live outside of this room. */
  createLocal(choice: ModelChoice): Promise<Provider>;
}

export async function createProvider(choice: ModelChoice, options: ConnectOptions): Promise<Provider> {
  const { host, access } = choice;
  const connection: Connection = { ...access, host, baseUrl: access.baseUrl ?? "", fetch: options.fetch };
  switch (host.protocol) {
    case "openai-chat": {
      const { createOpenAIChat } = await import("../llm/openai-chat.ts");
      return createOpenAIChat(connection);
    }
    case "anthropic-messages": {
      const { createAnthropicMessages } = await import("../llm/anthropic-messages.ts");
      return createAnthropicMessages(connection);
    }
    case "offline":
    case "scripted":
      return options.createLocal(choice);
  }
}
