// One step: one request to the model, its deltas passed on, its reply returned.
import { addUsage } from "../lib/usage.ts";
import type { ModelReply, ModelRequest } from "../llm/types.ts";
import type { TurnEvent } from "./events.ts";
import type { RunState } from "./run-state.ts";

export async function* callModel(state: RunState): AsyncGenerator<TurnEvent, ModelReply> {
  const { signal, provider } = state.request;
  const isFurther = state.step > (state.request.firstStep ?? 0);
  if (isFurther && state.request.isFull?.() === true) await state.shrink("full");
  state.step += 1;
  state.partial.clear();
  yield { type: "step-start", ...toStep(state) };
  for await (const event of provider.stream(toModelRequest(state), signal)) {
    switch (event.type) {
      case "reply-end":
        state.usage = addUsage(state.usage, event.reply.usage);
        state.nextToolChoice = "auto";
        yield { ...toStep(state), type: "step-end", ...(event.reply.usage && { usage: event.reply.usage }) };
        return event.reply;
      case "text-delta":
        state.partial.add(event.text);
        yield event;
        break;
      case "text-reset":
        state.partial.clear();
        yield event;
        break;
      case "tool-call-delta":
      case "alive":
        break;
      default:
        yield event;
    }
  }
  throw new Error("the provider ended its stream without a reply");
}

function toModelRequest(state: RunState): ModelRequest {
  const { settings, origin, sessionKey, turnId } = state.request;
  const { toolDefinitions } = state;
  return {
    ...settings,
    messages: state.messages,
    attribution: { cause: origin.cause, sessionKey, turnId, person: origin.person },
    ...(toolDefinitions.length > 0 && { tools: toolDefinitions, toolChoice: state.nextToolChoice }),
  };
}

function toStep({ step, replyId: id }: RunState): { step: number; id: string } {
  return { step, id };
}
