// The OpenAI Responses protocol: the request body is a pure function of the request and the host. Nothing is kept at the
// host: the whole conversation goes along, reasoning encrypted. Images are already loaded.
import { type Host, type ModelConnection, toModelQuirks } from "../hosts/host.ts";
import type { ModelRequest, Provider } from "../types.ts";
import { createWireProvider, type WireProtocol } from "../wire/wire-provider.ts";
import { toInstructions, toItems } from "./items.ts";
import { createResponseBuilder } from "./stream.ts";

const responses: WireProtocol = {
  toRequest: (request, { host, apiKey }) => ({
    path: "/responses",
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: toResponsesBody(request, host),
  }),
  createBuilder: (request) => createResponseBuilder(request),
};

export function createOpenAIResponses(connection: ModelConnection): Provider {
  return createWireProvider(responses, connection);
}

export function toResponsesBody(request: ModelRequest, host: Host): Record<string, unknown> {
  const { model, maxTokens, temperature, tools = [], reasoningEffort: effort } = request;
  const quirks = toModelQuirks(host, model);
  const reasons = quirks.maxCompletionTokens === true;
  return {
    model,
    instructions: toInstructions(request.messages),
    input: toItems(request.messages),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function",
        name,
        description,
        parameters,
        strict: false,
      })),
      ...(request.toolChoice === "none" && { tool_choice: "none" }),
    }),
    ...(!quirks.noOutputLimit && { max_output_tokens: maxTokens }),
    ...(temperature !== undefined && !quirks.rejectsTemperature && { temperature }),
    ...(reasons && effort !== undefined && effort !== "adaptive" && { reasoning: { effort } }),
    // Other models answer 400: "Encrypted content is not supported with this model."
    ...(reasons && { include: ["reasoning.encrypted_content"] }),
    store: false,
    stream: true,
  };
}
