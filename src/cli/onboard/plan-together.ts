// Onboarding with a person: asks for what no flag says, and again after a trial that failed.

import type { Option } from "@clack/prompts";
import { findLocalServers, type LocalServer, listHostModels } from "../../api/models/host-models.ts";
import { findKeyVariable, type KeySource, needsKey, type Plan, toTrialInput } from "../../api/models/plan.ts";
import { say as sayPhrase, type Words } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { chooseModel } from "../../llm/choice/choose-model.ts";
import type { Host } from "../../llm/hosts/host.ts";
import { createCustomHost, knownHosts } from "../../llm/hosts/hosts.ts";
import { Interrupted } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findFlaggedHost, isHttpAddress, type Onboarding, say, tryAloud } from "./plan-from-flags.ts";

export async function planTogether(onboarding: Onboarding): Promise<Plan> {
  const { options, terminal } = onboarding;
  const questions = await OnboardQuestions.open(terminal);
  say(onboarding, terminal.words.onboard.intro);
  const { host, apiBase, models: found } = await findPlace(onboarding, questions);
  const key: KeySource =
    options.apiKeyEnv === undefined
      ? await questions.askKey(host)
      : { kind: "variable", variable: options.apiKeyEnv };
  const place = { host, key, ...(apiBase !== undefined && { apiBase }) };
  const isListed = found.length > 0 || options.model !== undefined;
  const models = isListed ? found : await listModels(place, onboarding);
  const model = options.model ?? (await questions.askModel(host, models));
  const plan: Plan = { ...place, model };
  return options.test ? tryUntilContent(plan, models, { ...onboarding, questions }) : plan;
}

/** Those that the host says it has; none where it says nothing, and a name is typed then. */
async function listModels(
  place: Omit<Plan, "model">,
  { loaded, terminal: { env }, signal }: Onboarding,
): Promise<string[]> {
  const chosen = chooseModel(toTrialInput({ ...place, model: "any" }, loaded, env));
  if (!chosen.ok || chosen.choice.access.baseUrl === undefined) return [];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  const answer = await listHostModels(chosen.choice, { env, signal: limited });
  return answer.ok ? answer.models.map(({ id }) => id) : [];
}

async function findPlace(
  { options, terminal, signal }: Onboarding,
  questions: OnboardQuestions,
): Promise<HostAnswer> {
  const servers = await findLocalServers(knownHosts, signal);
  const host = findFlaggedHost(options, terminal.words);
  if (host === undefined) return questions.askHost(servers);
  const models = servers.find((server) => server.host.name === host.name)?.models ?? [];
  return { host, models, apiBase: options.apiBase };
}

async function tryUntilContent(
  first: Plan,
  models: string[],
  onboarding: Onboarding & { questions: OnboardQuestions },
): Promise<Plan> {
  const { terminal, questions } = onboarding;
  let plan = first;
  for (;;) {
    const { trial, plan: tried } = await tryAloud(plan, onboarding);
    if (trial.ok) return tried;
    terminal.stderr.write(
      `${terminal.sideStyle.bad(neutralise(sayPhrase(trial.problem, terminal.words)))}\n`,
    );
    const next = await questions.askAfterFailure(plan.host);
    if (next === "keep") return plan;
    if (next === "key") plan = { ...plan, key: await questions.enterKey(plan.host) };
    if (next === "model") plan = { ...plan, model: await questions.askModel(plan.host, models) };
  }
}

export interface HostAnswer {
  host: Host;
  apiBase?: string;
  /** Those that the host is known to have. */
  models: string[];
}

export type AfterFailure = "key" | "model" | "again" | "keep";

type Prompts = typeof import("@clack/prompts");

const listMs = 15_000;
const custom = "";
const other = "";

class OnboardQuestions {
  readonly #prompts: Prompts;
  readonly #words: Words["onboard"];
  readonly #env: NodeJS.ProcessEnv;
  /** The library's own instructions are English only. */
  readonly #look: {
    input: NodeJS.ReadStream;
    output: NodeJS.WriteStream;
    maxItems: number;
    showInstructions: false;
  };

  private constructor(prompts: Prompts, { words, env, stdin, stderr }: Terminal) {
    this.#prompts = prompts;
    this.#words = words.onboard;
    this.#env = env;
    this.#look = { input: stdin, output: stderr, maxItems: 12, showInstructions: false };
  }

  static async open(terminal: Terminal): Promise<OnboardQuestions> {
    return new OnboardQuestions(await import("@clack/prompts"), terminal);
  }

  async askHost(servers: LocalServer[]): Promise<HostAnswer> {
    const serverByHost = new Map(servers.map((server) => [server.host.name, server]));
    const hosts = knownHosts.filter(({ kind }) => kind !== "direct");
    // What is at hand comes first; otherwise the table's order.
    const isAtHand = (host: Host) =>
      serverByHost.has(host.name) || findKeyVariable(host, this.#env) !== undefined;
    const sorted = [...hosts.filter(isAtHand), ...hosts.filter((host) => !isAtHand(host))];
    const options: Option<string>[] = [
      ...sorted.map((host) => ({
        value: host.name,
        label: host.label,
        hint: this.#describeHost(host, serverByHost),
      })),
      { value: custom, label: this.#words.customHost },
    ];
    const name = await this.#answer(
      this.#prompts.select({ message: this.#words.chooseHost, options, ...this.#look }),
    );
    const host = hosts.find((one) => one.name === name) ?? createCustomHost("custom");
    const models = serverByHost.get(host.name)?.models ?? [];
    if (host.baseUrl !== undefined) return { host, models };
    return { host, models, apiBase: await this.#askAddress() };
  }

  async askKey(host: Host): Promise<KeySource> {
    const variable = findKeyVariable(host, this.#env);
    if (variable !== undefined) {
      const source = await this.#answer(
        this.#prompts.select({
          message: this.#words.chooseKey,
          options: [
            { value: "environment", label: this.#words.useKeyFrom(variable) },
            { value: "enter", label: this.#words.enterKey },
          ],
          ...this.#look,
        }),
      );
      if (source === "environment") return { kind: "environment", variable };
    }
    return needsKey(host) || host.kind === "direct" ? this.enterKey(host) : { kind: "none" };
  }

  async enterKey(host: Host): Promise<KeySource> {
    const isNeeded = needsKey(host);
    const message = isNeeded ? this.#words.askKey(host.label) : this.#words.askOptionalKey(host.label);
    const validate = (value = "") => (isNeeded && value.trim() === "" ? message : undefined);
    const value = await this.#answer(this.#prompts.password({ message, validate, ...this.#look }));
    // An empty answer comes as undefined.
    const key = (value ?? "").trim();
    return key === "" ? { kind: "none" } : { kind: "value", value: key };
  }

  async askModel(host: Host, models: string[]): Promise<string> {
    if (models.length > 0) {
      const options = models.map((name) => ({ value: name, label: neutralise(name) }));
      const chosen = await this.#answer(
        this.#prompts.select<string>({
          message: this.#words.askModel,
          options: [...options, { value: other, label: this.#words.otherModel }],
          initialValue: host.defaultModel,
          ...this.#look,
        }),
      );
      if (chosen !== other) return chosen;
    }
    return this.#askText(this.#words.askModel, host.defaultModel);
  }

  async askAfterFailure(host: Host): Promise<AfterFailure> {
    const words = this.#words;
    const canChangeKey = needsKey(host) || host.kind === "direct";
    const options: Option<AfterFailure>[] = [
      ...(canChangeKey ? [{ value: "key" as const, label: words.changeKey }] : []),
      { value: "model", label: words.changeModel },
      { value: "again", label: words.tryAgain },
      { value: "keep", label: words.keepAnyway },
    ];
    return this.#answer(this.#prompts.select({ message: words.afterFailure, options, ...this.#look }));
  }

  #describeHost(host: Host, found: Map<string, LocalServer>): string | undefined {
    const server = found.get(host.name);
    if (server !== undefined) return this.#words.runsHere(server.models.length);
    const variable = findKeyVariable(host, this.#env);
    return variable === undefined ? undefined : this.#words.keyFound(variable);
  }

  #askAddress(): Promise<string> {
    return this.#askText(this.#words.askAddress, undefined, isHttpAddress);
  }

  async #askText(
    message: string,
    initialValue?: string,
    isValid = (text: string) => text !== "",
  ): Promise<string> {
    const validate = (value = "") => (isValid(value.trim()) ? undefined : message);
    const text = await this.#answer(this.#prompts.text({ message, initialValue, validate, ...this.#look }));
    return text.trim();
  }

  async #answer<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
    const answer = await question;
    if (this.#prompts.isCancel(answer)) throw new Interrupted(this.#words.cancelled);
    return answer as Exclude<T, symbol>;
  }
}
