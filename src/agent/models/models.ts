// The models of an assistant: the default one, those chosen in conversations, and what changes with the config. A model
// can also be supplied by the program that embeds the assistant: then there is no other.
import { ProxyAddressError } from "../../guards/proxy-fetch.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { fail, UserError } from "../../i18n/user-error.ts";
import { ownValue } from "../../lib/json-tree.ts";
import {
  type ChoiceReason,
  type ChooseModelInput,
  chooseModel,
  phraseChoice,
  phraseModelProblem,
} from "../../llm/choice/choose-model.ts";
import type { Provider } from "../../llm/types.ts";
import type { ModelLimits } from "../../llm/wrappers/with-window.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { ModelRuntime } from "../dependencies.ts";
import { connectModel, type ModelParts } from "./connect-model.ts";

interface ModelsOptions extends Omit<ModelParts, "input"> {
  /** Instead of a configured model. */
  provider?: Provider;
  /** Wraps each model, whatever it is used for. */
  guard(provider: Provider): Provider;
}

interface Default {
  model: ModelRuntime;
  input: ChooseModelInput;
  /** What the person should know about the choice. */
  warnings: Phrase[];
}

export class Models {
  readonly #options: ModelsOptions;
  #default: Default;
  /** Connected or refused, by name, for the current input. */
  #byName = new Map<string, Promise<ModelRuntime | Phrase>>();

  private constructor(options: ModelsOptions, first: Default) {
    this.#options = options;
    this.#default = first;
  }

  /** A phrase says why no model can be used. */
  static async open(input: ChooseModelInput, options: ModelsOptions): Promise<Models | Phrase> {
    const first = await openDefault(input, options);
    return "code" in first ? first : new Models(options, first);
  }

  get isGiven(): boolean {
    return this.#options.provider !== undefined;
  }

  get usual(): ModelRuntime {
    return this.#default.model;
  }

  get warnings(): readonly Phrase[] {
    return this.#default.warnings;
  }

  /** What a host has said of its models, by `host/model`. */
  learn(rows: ReadonlyArray<[string, ModelLimits]>): void {
    this.#options.windows?.learnAll(rows);
  }

  /** Names of presets. */
  list(): string[] {
    return Object.keys(this.#default.input.presets);
  }

  /** Uses another config from now on; a phrase says why that is impossible, and nothing changes. */
  async use(input: ChooseModelInput): Promise<Phrase | undefined> {
    const next = await openDefault(input, this.#options);
    if ("code" in next) return next;
    this.#default = next;
    this.#byName = new Map();
    return undefined;
  }

  /** From the next turn on; undefined: the default again. Throws a UserError for a model that cannot be used. */
  async choose(session: Session, name: string | undefined): Promise<ModelRuntime> {
    if (this.isGiven) throw fail("chat.model-given");
    const model = name === undefined ? this.usual : await this.find(name);
    if ("code" in model) throw new UserError(model);
    await session.updateMetadata({ _nanobot_model_preset: name }, { sync: true });
    return model;
  }

  /** A chosen model that is gone does not end a conversation: the default answers instead, and says so each time. */
  async of({ metadata }: Pick<Session, "metadata">): Promise<ModelRuntime> {
    const { _nanobot_model_preset: name = "" } = metadata;
    if (name === "" || this.isGiven) return this.usual;
    const model = await this.find(name);
    return "code" in model ? this.#replace(name, model) : model;
  }

  /** The model of a preset, or by the name that its host has for it; or why it cannot be used. */
  find(name: string): Promise<ModelRuntime | Phrase> {
    const connected = this.#byName.get(name) ?? connect(select(name, this.#default.input), this.#options);
    this.#byName.set(name, connected);
    return connected;
  }

  #replace(name: string, reason: Phrase): ModelRuntime {
    const model = this.usual;
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

async function openDefault(input: ChooseModelInput, options: ModelsOptions): Promise<Default | Phrase> {
  const { provider } = options;
  if (provider !== undefined) return { model: toGiven(provider, input, options), input, warnings: [] };
  const chosen = chooseModel(input);
  const model = await connect(input, options, chosen);
  if ("code" in model) return model;
  return { model, input, warnings: chosen.ok ? explainOffline(chosen.choice.why) : [] };
}

async function connect(
  input: ChooseModelInput,
  options: ModelsOptions,
  chosen = chooseModel(input),
): Promise<ModelRuntime | Phrase> {
  if (!chosen.ok) return phraseModelProblem(chosen.problem);
  try {
    const model = await connectModel(chosen, { ...options, input });
    return { ...model, provider: options.guard(model.provider) };
  } catch (error) {
    if (error instanceof ProxyAddressError) return error.phrase;
    throw error;
  }
}

/** A person whose config does not ask for the offline model sees why it answers. */
function explainOffline(why: ChoiceReason): Phrase[] {
  const isFallback = why.kind === "no-usable-host" || why.kind === "no-model-named";
  return isFallback ? [phrase("choice.offline", { reason: phraseChoice(why) })] : [];
}

function toGiven(provider: Provider, { defaults }: ChooseModelInput, options: ModelsOptions): ModelRuntime {
  const { model, maxTokens, temperature, contextWindowTokens } = defaults;
  const name = `given/${model}`;
  return {
    provider: options.guard(options.count(name)(provider)),
    settings: { model, maxTokens, temperature },
    name,
    host: "given",
    contextWindow: contextWindowTokens,
    why: phrase("choice.given"),
  };
}

function select(name: string, input: ChooseModelInput): ChooseModelInput {
  if (ownValue(input.presets, name) !== undefined)
    return { ...input, defaults: { ...input.defaults, modelPreset: name } };
  const { modelPreset: _, ...defaults } = input.defaults;
  return { ...input, defaults: { ...defaults, model: name, provider: "auto" }, isModelChosen: true };
}
