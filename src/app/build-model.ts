// From the config's wishes to a model that can be asked: chosen, connected, with limits of time, retries and fallbacks.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Clock } from "../lib/clock.ts";
import { readVersion } from "../lib/package-root.ts";
import type { ChooseModelResult } from "../llm/choose-model.ts";
import { findImageLimits } from "../llm/image-limits.ts";
import type { ModelChoice } from "../llm/model-choice.ts";
import { phraseChoice } from "../llm/phrase-choice.ts";
import type { Provider, ProviderWrapper } from "../llm/types.ts";
import { type Candidate, withFallback } from "../llm/with-fallback.ts";
import { withPatience } from "../llm/with-patience.ts";
import { withRetry } from "../llm/with-retry.ts";
import { withTimeouts } from "../llm/with-timeouts.ts";
import { LearntWindows, withWindow } from "../llm/with-window.ts";
import { createProvider } from "./connect.ts";
import { createWireFetch, directFetch } from "./direct-fetch.ts";

export interface ModelParts {
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** What hosts have said of the windows of their models; default: nothing yet. */
  windows?: LearntWindows;
  /** Puts each call of the model with that name into the ledger. */
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
    access.baseUrl === undefined ? directFetch : createWireFetch({ proxy: access.proxy, env: parts.env });
  const provider = await createProvider(choice, { fetch, createLocal: (local) => loadLocal(local, parts) });
  const name = `${host.name}/${model}`;
  const fitting = withWindow({ name, contextWindow, windows: parts.windows })(parts.count(name)(provider));
  return { name, provider: withLimits(fitting, choice, parts), settings };
}

async function loadLocal(choice: ModelChoice, { clock }: ModelParts): Promise<Provider> {
  const { createLocalModel } = await import("../offline/local-model.ts");
  return createLocalModel(choice, { clock, version: readVersion() });
}

function withLimits(provider: Provider, { host }: ModelChoice, { loaded, env, clock }: ModelParts): Provider {
  const { providerRetryMode: mode, modelPatienceSeconds } = loaded.config.agents.defaults;
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
