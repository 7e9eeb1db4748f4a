// Connects a chosen model: protocol, ledger, time limits, retries and fallbacks.
import type { Clock } from "../../lib/clock.ts";
import {
  type ChooseModelInput,
  type ChooseModelResult,
  type ModelChoice,
  phraseChoice,
} from "../../llm/choice/choose-model.ts";
import {
  findImageLimits,
  type ModelConnection,
  type Protocol,
  type WireFetch,
} from "../../llm/hosts/host.ts";
import type { Provider, ProviderWrapper } from "../../llm/types.ts";
import { type Candidate, withFallback } from "../../llm/wrappers/with-fallback.ts";
import { withRetry } from "../../llm/wrappers/with-retry.ts";
import { withPatience, withTimeouts } from "../../llm/wrappers/with-timeouts.ts";
import { LearntWindows, withWindow } from "../../llm/wrappers/with-window.ts";
import { readImageFile } from "../../storage/blobs/content-files.ts";
import type { ModelRuntime } from "../dependencies.ts";
import { createWireFetch, directFetch } from "./direct-fetch.ts";
import type { LoadSignIns } from "./load-sign-ins.ts";

export interface ModelParts {
  /** What the config and the environment say about models. */
  input: ChooseModelInput;
  clock: Clock;
  /** Context windows that hosts reported; default: none yet. */
  windows?: LearntWindows;
  /** Of hosts that are used with a subscription. */
  signIns?: LoadSignIns;
  /** Records each call of the named model in the ledger. */
  count(name: string): ProviderWrapper;
}

type Chosen = Extract<ChooseModelResult, { ok: true }>;

/** Connects the chosen model and its fallbacks. */
export async function connectModel(chosen: Chosen, parts: ModelParts): Promise<ModelRuntime> {
  const { choice, fallbacks, contextWindow } = chosen;
  const windows = parts.windows ?? new LearntWindows();
  const first = await toCandidate(choice, { ...parts, windows });
  const others = await Promise.all(fallbacks.map((fallback) => toCandidate(fallback, { ...parts, windows })));
  const { settings: _, ...primary } = first;
  const names = [first, ...others].map(({ name }) => name);
  return {
    provider: withFallback({ candidates: [primary, ...others], clock: parts.clock }),
    settings: choice.settings,
    name: first.name,
    host: choice.host.label,
    contextWindow,
    learntWindow: () => windows.of(...names),
    imageLimits: findImageLimits([choice, ...fallbacks].map(({ host }) => host)),
    isOffline: choice.host.protocol === "offline",
    why: phraseChoice(choice.why),
  };
}

async function toCandidate(
  choice: ModelChoice,
  parts: ModelParts & { windows: LearntWindows },
): Promise<Candidate> {
  const { host, model, settings, access, contextWindow } = choice;
  // A model that needs no host must not fail for a broken proxy setting.
  const fetch =
    access.baseUrl === undefined
      ? directFetch
      : createWireFetch({ proxy: access.proxy, env: parts.input.environment });
  const { clock, signIns } = parts;
  const provider = await createProvider(choice, { fetch, clock, ...(signIns && { signIns }) });
  const name = `${host.name}/${model}`;
  const fitting = withWindow({ name, contextWindow, windows: parts.windows })(parts.count(name)(provider));
  return { name, provider: withLimits(fitting, choice, parts), settings };
}

/** The models that need no host. */
async function loadLocal({ host, access }: ModelChoice, clock: Clock): Promise<Provider> {
  if (host.protocol === "scripted") {
    const { loadScripted } = await import("../../llm/scripted.ts");
    return loadScripted(access.script ?? "", { clock, host: host.label });
  }
  const { createOffline } = await import("../../offline/offline.ts");
  return createOffline({ clock });
}

function withLimits(provider: Provider, { host }: ModelChoice, { input, clock }: ModelParts): Provider {
  const { environment: env, defaults } = input;
  const { providerRetryMode: mode, modelPatienceSeconds } = defaults;
  const timed = withTimeouts({
    clock,
    host: host.label,
    idleMs: readSeconds(env.NANOBOT_STREAM_IDLE_TIMEOUT_S),
    wallMs: readSeconds(env.NANOBOT_LLM_TIMEOUT_S),
  })(provider);
  const patience = {
    silenceMs: modelPatienceSeconds * 1000,
    wholeMs: readSeconds(env.NANOBOT_LLM_TIMEOUT_S),
  };
  return withPatience({ clock, host: host.label, ...patience })(withRetry({ clock, mode })(timed));
}

/** Undefined leaves the default; 0 switches the limit off. */
function readSeconds(value: string | undefined): number | undefined {
  const seconds = value === undefined || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

interface ConnectOptions {
  /** One that goes through the configured proxy. */
  fetch: WireFetch;
  clock: Clock;
  signIns?: LoadSignIns;
}

export async function createProvider(choice: ModelChoice, options: ConnectOptions): Promise<Provider> {
  const { host, access } = choice;
  const { baseUrl = "" } = access;
  const { fetch } = options;
  const connection: ModelConnection = { ...access, host, baseUrl, fetch, readImage: readImageFile };
  const { protocol } = host;
  if (protocol === "offline" || protocol === "scripted") return loadLocal(choice, options.clock);
  const create = await loadProtocol(protocol);
  if (!host.signIn) return create(connection);
  if (options.signIns === undefined) throw new Error(`nobody can be signed in to ${host.name} here`);
  return (await options.signIns()).wrap(create, connection);
}

async function loadProtocol(
  protocol: Exclude<Protocol, "offline" | "scripted">,
): Promise<(connection: ModelConnection) => Provider> {
  switch (protocol) {
    case "openai-chat":
      return (await import("../../llm/openai/chat.ts")).createOpenAIChat;
    case "openai-responses":
      return (await import("../../llm/responses/responses.ts")).createOpenAIResponses;
    case "anthropic-messages":
      return (await import("../../llm/anthropic/messages.ts")).createAnthropicMessages;
  }
}
