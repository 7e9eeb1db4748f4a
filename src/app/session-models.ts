// Which model answers in a session: the usual one, or another that was chosen there and is kept in its metadata.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { ConversationModels } from "../api/chat/conversation-services.ts";
import type { LoadedConfig } from "../config/load.ts";
import { toModelInput } from "../config/model-input.ts";
import { ProxyAddressError } from "../guards/proxy-fetch.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import { ownValue } from "../lib/json-tree.ts";
import { type ChooseModelInput, chooseModel } from "../llm/choose-model.ts";
import { phraseModelProblem } from "../llm/phrase-choice.ts";
import type { Session } from "../storage/sessions/session.ts";
import { connectModel, type ModelParts } from "./build-model.ts";

export interface SessionModelsOptions extends Omit<ModelParts, "loaded"> {
  /** The usual one and the config that it came from, as they are at the moment. */
  usual(): { model: ModelRuntime; loaded: LoadedConfig };
  /** Around everything that is asked. */
  guard(model: ModelRuntime): ModelRuntime;
  /** The model was given from outside: there is no other. */
  isGiven: boolean;
}

export class SessionModels implements ConversationModels {
  readonly #options: SessionModelsOptions;
  /** Connected or refused, by name, for one config. */
  #known = new Map<string, Promise<ModelRuntime | Phrase>>();
  #loaded: LoadedConfig | undefined;

  constructor(options: SessionModelsOptions) {
    this.#options = options;
  }

  get isGiven(): boolean {
    return this.#options.isGiven;
  }

  get usual(): ModelRuntime {
    return this.#options.usual().model;
  }

  /** Names of presets. */
  list(): string[] {
    return Object.keys(this.#options.usual().loaded.config.modelPresets);
  }

  /** From the next turn on; undefined: the usual one again. Throws a UserError for one that cannot be used. */
  async choose(session: Session, name: string | undefined): Promise<ModelRuntime> {
    if (this.isGiven) throw fail("chat.model-given");
    const model = name === undefined ? this.usual : await this.#find(name);
    if ("code" in model) throw new UserError(model);
    await session.updateMetadata({ _nanobot_model_preset: name }, { sync: true });
    return model;
  }

  /** One that was chosen and is gone does not end a conversation: the usual one stands in, and says so each time. */
  async of({ metadata }: Pick<Session, "metadata">): Promise<ModelRuntime> {
    const { _nanobot_model_preset: name = "" } = metadata;
    if (name === "" || this.isGiven) return this.usual;
    const model = await this.#find(name);
    return "code" in model ? this.#standIn(name, model) : model;
  }

  /** Or why it cannot be asked. */
  #find(name: string): Promise<ModelRuntime | Phrase> {
    const { loaded } = this.#options.usual();
    if (this.#loaded !== loaded) this.#known = new Map();
    this.#loaded = loaded;
    const known = this.#known.get(name) ?? this.#connect(name, loaded);
    this.#known.set(name, known);
    return known;
  }

  async #connect(name: string, loaded: LoadedConfig): Promise<ModelRuntime | Phrase> {
    const { guard } = this.#options;
    const chosen = chooseModel(toWish(name, toModelInput(loaded, this.#options.env)));
    if (!chosen.ok) return phraseModelProblem(chosen.problem);
    try {
      return guard(await connectModel(chosen, { ...this.#options, loaded }));
    } catch (error) {
      if (error instanceof ProxyAddressError) return error.phrase;
      throw error;
    }
  }

  #standIn(name: string, reason: Phrase): ModelRuntime {
    const { model } = this.#options.usual();
    const gone = phrase("model.gone", { name, reason });
    const { provider } = model;
    return {
      ...model,
      why: gone,
      provider: {
        async *stream(request, signal) {
          yield { type: "notice", notice: { kind: "fallback", from: name, to: model.name, reason: gone } };
          yield* provider.stream(request, signal);
        },
      },
    };
  }
}

/** The name of a preset, or of a model as its host names it. */
function toWish(name: string, input: ChooseModelInput): ChooseModelInput {
  if (ownValue(input.presets, name) !== undefined)
    return { ...input, defaults: { ...input.defaults, modelPreset: name } };
  const { modelPreset: _, ...defaults } = input.defaults;
  return { ...input, defaults: { ...defaults, model: name, provider: "auto" }, isModelChosen: true };
}
