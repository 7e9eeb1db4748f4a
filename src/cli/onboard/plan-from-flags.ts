// A plan from the command line and the environment alone, for `onboard --yes`. Asks nothing.
import { findLocalServers, type LocalServer } from "../../api/models/host-models.ts";
import { findKeyVariable, findSettings, type KeySource, needsKey, type Plan } from "../../api/models/plan.ts";
import { type Trial, type TryModel, tryBothSides } from "../../api/models/try-model.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { toModelInput } from "../../config/model-input.ts";
import { say as sayPhrase, type Words } from "../../i18n/words.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { chooseModel } from "../../llm/choice/choose-model.ts";
import type { Host } from "../../llm/hosts/host.ts";
import { createCustomHost, findHost, findHostByKey, knownHosts } from "../../llm/hosts/hosts.ts";
import type { HomePaths } from "../../storage/home.ts";
import { describeState, surveyProtection } from "../care/protection.ts";
import type { OnboardOptions } from "../command-line/options.ts";
import { formatDuration } from "../draw/event-lines.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { readPipedText } from "../terminal/piped-text.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export interface FlagInput {
  options: OnboardOptions;
  env: NodeJS.ProcessEnv;
  words: Words;
  loaded: LoadedConfig;
  /** What arrived on stdin, with `--api-key-stdin`. */
  pipedKey?: string;
  findServers(): Promise<LocalServer[]>;
}

/** Throws a usage failure that names the missing flag. */
export async function planFromFlags(input: FlagInput): Promise<Plan> {
  const { options, words } = input;
  const { apiBase } = checkFlags(options, words);
  const { host, models } = await chooseHost(input);
  const key = chooseKey(input, host);
  const model = options.model ?? models[0] ?? host.defaultModel;
  if (model === undefined) throw new CommandFailure(words.onboard.needsModel(host.label), 2);
  if (host.baseUrl === undefined && apiBase === undefined && !isServerless(host)) {
    throw new CommandFailure(words.onboard.needsAddress(host.label), 2);
  }
  return { host, model, key, ...(apiBase !== undefined && { apiBase }) };
}

/** What can be said about the flags on their own. */
export function checkFlags(
  { apiBase, apiKeyEnv, apiKeyStdin }: OnboardOptions,
  { onboard }: Words,
): { apiBase?: string } {
  if (apiKeyEnv !== undefined && apiKeyStdin === true) throw new CommandFailure(onboard.twoKeys, 2);
  // A key typed there by mistake must not be repeated in an error or written into the file.
  if (apiKeyEnv !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(apiKeyEnv)) {
    throw new CommandFailure(onboard.wrongVariable, 2);
  }
  if (apiBase !== undefined && !isHttpAddress(apiBase)) throw new CommandFailure(onboard.wrongAddress, 2);
  return { apiBase };
}

export function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The host of a flag; undefined when none names one. */
export function findFlaggedHost({ provider, apiBase }: OnboardOptions, words: Words): Host | undefined {
  if (provider === undefined) return apiBase === undefined ? undefined : createCustomHost("custom");
  const known = findHost(provider);
  if (known !== undefined) return known;
  if (apiBase !== undefined) return createCustomHost(provider);
  const nearest = findNearest(
    provider,
    knownHosts.map(({ name }) => name),
  );
  throw new CommandFailure(words.onboard.unknownHost(provider, nearest), 2);
}

async function chooseHost(input: FlagInput): Promise<{ host: Host; models: string[] }> {
  const { options, env, words, loaded, pipedKey } = input;
  const flagged =
    findFlaggedHost(options, words) ?? (pipedKey === undefined ? undefined : findHostByKey(pipedKey));
  const present = chooseModel(toModelInput(loaded, env));
  const inUse = present.ok && !isServerless(present.choice.host) ? present.choice : undefined;
  if (flagged !== undefined) return { host: flagged, models: await listOwnModels(flagged, input, inUse) };
  if (inUse !== undefined) return { host: inUse.host, models: [inUse.model] };
  const [server] = await input.findServers();
  if (server === undefined) throw new CommandFailure(words.onboard.needsHost, 2);
  return server;
}

/** The model that is in use at this host, or what a server on this machine has. */
async function listOwnModels(
  host: Host,
  input: FlagInput,
  inUse?: { host: Host; model: string },
): Promise<string[]> {
  if (input.options.model !== undefined) return [];
  if (inUse?.host.name === host.name) return [inUse.model];
  if (host.kind !== "local") return [];
  return (await input.findServers()).find((server) => server.host.name === host.name)?.models ?? [];
}

function chooseKey({ options, env, words, loaded, pipedKey }: FlagInput, host: Host): KeySource {
  if (pipedKey !== undefined) return { kind: "value", value: pipedKey };
  if (options.apiKeyEnv !== undefined) return { kind: "variable", variable: options.apiKeyEnv };
  const variable = findKeyVariable(host, env);
  if (variable !== undefined) return { kind: "environment", variable };
  const hasOwn = findSettings(host, loaded.config.providers).settings?.apiKey;
  if (hasOwn || !needsKey(host) || options.apiBase !== undefined) return { kind: "none" };
  throw new CommandFailure(words.onboard.needsKey(host.label, host.keyVariables[0] ?? "--api-key-env"), 2);
}

function isServerless({ protocol }: Host): boolean {
  return protocol === "offline" || protocol === "scripted";
}

export interface Onboarding extends CommandContext {
  options: OnboardOptions;
  paths: HomePaths;
  loaded: LoadedConfig;
  tryModel: TryModel;
}

export function say({ terminal: { stderr } }: CommandContext, sentence: string): void {
  stderr.write(`${neutralise(sentence)}\n`);
}

/** Tries the plan and says what comes of it; the plan that comes back has the host that took the key. */
export async function tryAloud(plan: Plan, onboarding: Onboarding): Promise<{ trial: Trial; plan: Plan }> {
  const { onboard } = onboarding.terminal.words;
  say(onboarding, onboard.trying(plan.model, plan.host.label));
  const result = await tryBothSides(plan, onboarding.tryModel);
  if (result.trial.ok) {
    if (result.plan.host !== plan.host) say(onboarding, onboard.otherSide(result.plan.host.label));
    say(onboarding, onboard.works(formatDuration(result.trial.ms)));
  }
  return result;
}

export async function planSilently(onboarding: Onboarding): Promise<Plan> {
  const { options, terminal, loaded, signal } = onboarding;
  const { env, words } = terminal;
  const plan = await planFromFlags({
    options,
    env,
    words,
    loaded,
    ...(options.apiKeyStdin === true && { pipedKey: await readKey(onboarding) }),
    findServers: () => findLocalServers(knownHosts, signal),
  });
  if (!options.test) return plan;
  checkVariable(plan, onboarding);
  const { trial, plan: tried } = await tryAloud(plan, onboarding);
  if (!trial.ok)
    throw new CommandFailure(neutralise(words.onboard.trialFailed(sayPhrase(trial.problem, words))));
  return tried;
}

async function readKey({ terminal, signal }: Onboarding): Promise<string> {
  const { stdin, words } = terminal;
  const text = await readPipedText({ stdin, hasMessage: false, words, say: () => {}, signal });
  const key = text.trim();
  if (key === "" || /\s/.test(key)) throw new CommandFailure(words.onboard.noKeyOnStdin, 2);
  return key;
}

function checkVariable({ key }: Plan, { terminal: { env, words } }: Onboarding): void {
  if (key.kind !== "variable" || env[key.variable]?.trim()) return;
  throw new CommandFailure(words.onboard.variableNotSet(key.variable));
}

/** Which sandbox commands will run in, or how to get one. */
export function saySandbox(onboarding: Onboarding): void {
  const { env, words } = onboarding.terminal;
  const { sandbox } = surveyProtection(onboarding.loaded, env);
  if (sandbox !== undefined) say(onboarding, `${words.sandbox.title}: ${describeState(sandbox, words)}`);
}
