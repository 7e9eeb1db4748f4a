// Operations on the model of one conversation.
import * as z from "zod";
import type { ModelRuntime } from "../../agent/model-runtime.ts";
import { operation } from "../operation.ts";
import { openChat } from "./conversation-services.ts";

export interface NamedModel {
  name: string;
  host: string;
}

export interface ChatModels {
  current: NamedModel;
  /** Answers where no other was chosen. */
  usual: NamedModel;
  presets: string[];
  /** No other can be chosen: it was given by the program that runs the assistant. */
  isGiven: boolean;
}

const listModels = operation({
  name: "chat.models",
  about: "The model of this conversation, or the usual one, and the presets that can be chosen in its place.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ conversation: { models, sessions } }, _, caller): Promise<ChatModels> {
    const session = caller.chat === undefined ? { metadata: {} } : await openChat(sessions, caller);
    return {
      current: toNamed(await models.of(session)),
      usual: toNamed(models.usual),
      presets: models.list(),
      isGiven: models.isGiven,
    };
  },
});

const chooseModel = operation({
  name: "chat.choose-model",
  about:
    "Another model for this conversation, from the next message on: a preset, or `host/model`. Without `model` the usual one again.",
  access: "owner",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ model: z.string().min(1).max(1_000).optional() }),
  async run({ conversation: { models, sessions } }, { model }, caller): Promise<NamedModel> {
    const session = await openChat(sessions, caller);
    return toNamed(await models.choose(session, model));
  },
});

export const chatModelOperations = [listModels, chooseModel] as const;

function toNamed({ settings, host }: ModelRuntime): NamedModel {
  return { name: settings.model, host };
}
