// Models: why one was chosen, cannot be used or gave no answer, and budgets, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export interface HostParams {
  host: string;
  detail: string;
}

const note = (detail: string) => (detail === "" ? "" : ` (${detail})`);

const list = (names: string[]) => (names.length === 0 ? "none" : names.join(", "));
const configured = (hosts: string[]) => `Configured providers: ${list(hosts)}.`;

/** What a budget is for: a turn, or a day or month of everything, of one cause or of one person. */
export interface BudgetScope {
  period: "turn" | "day" | "month";
  cause?: string;
  person?: string;
}

/** Money where it is nearer to its limit than tokens. */
export interface BudgetUse extends BudgetScope {
  unit: "tokens" | "money";
  used: number;
  limit: number;
}

const periods = { turn: "this turn", day: "today", month: "this month" };

const causes: Record<string, string> = {
  user: "messages",
  cron: "scheduled tasks",
  heartbeat: "regular checks",
  dream: "Dream",
  consolidation: "summaries",
  recall: "search by meaning",
  image: "images",
  subagent: "helpers",
  api: "other programs",
};

function describeScope({ period, cause, person }: BudgetScope): string {
  const subject = cause === undefined ? person : (causes[cause] ?? cause);
  return subject === undefined ? periods[period] : `${subject} ${periods[period]}`;
}

function describeAmount({ unit, used, limit }: BudgetUse): string {
  return unit === "money"
    ? `${used.toFixed(2)} of ${limit}`
    : `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} tokens`;
}

export const modelPhrases = {
  // `model.` and a kind of a provider's error.
  "model.authentication": ({ host, detail }: HostParams, { program }: PhraseContext) =>
    `${host} did not accept the API key${note(detail)}. Check the key in the settings of the page, or run ${program} onboard.`,
  "model.permission": ({ host, detail }: HostParams) =>
    `${host} does not allow this with your API key${note(detail)}. Check what the key may be used for, or choose another model.`,
  "model.quota": ({ host, detail }: HostParams) =>
    `Your credit or quota at ${host} is used up${note(detail)}. Top up your account there, or choose another model.`,
  "model.rate-limit": ({ host, detail }: HostParams) =>
    `${host} is limiting how often it can be asked${note(detail)}. Wait a moment and try again.`,
  "model.overloaded": ({ host, detail }: HostParams) =>
    `${host} is overloaded at the moment${note(detail)}. Try again later, or choose another model.`,
  "model.server": ({ host, detail }: HostParams) =>
    `${host} failed to answer${note(detail)}. Try again later; if it keeps happening, check its status page.`,
  "model.connection": ({ host, detail }: HostParams) =>
    `${host} could not be reached, or the connection broke${note(detail)}. Check the network, the proxy and the API address.`,
  "model.timeout": ({ host, detail }: HostParams) =>
    `${host} took too long to answer${note(detail)}. Try again, or choose a faster model.`,
  "model.idle": ({ host, detail }: HostParams) =>
    `${host} stopped in the middle of an answer${note(detail)}. Try again.`,
  "model.context-overflow": ({ host, detail }: HostParams) =>
    `${host} says that the conversation is too long for the model${note(detail)}. Start a new chat with /new.`,
  "model.content-filter": ({ host, detail }: HostParams) =>
    `${host} blocked this with its content filter${note(detail)}. Put it differently, or choose another model.`,
  "model.not-found": ({ host, detail }: HostParams) =>
    `${host} does not know this model or address${note(detail)}. Check the model ID and the API address.`,
  "model.invalid-request": ({ host, detail }: HostParams) =>
    `${host} rejected the request${note(detail)}. Check the model's settings.`,
  "model.budget": ({ host, detail }: HostParams) =>
    `There is no budget left for ${host}${note(detail)}. Raise the budget in the settings, or wait.`,
  "model.unsupported-image": ({ host, detail }: HostParams) =>
    `This model at ${host} cannot see images${note(detail)}. Choose one that can.`,
  "model.unknown": ({ host, detail }: HostParams) =>
    `${host} could not be used${note(detail)}. Check the network and the API address.`,

  "model.not-running": ({ host, detail }: HostParams) =>
    `Nothing answers at ${host} on this computer${note(detail)}. Start it, or check its API address.`,
  "model.small-window": ({ window, tools, all }: { window: number; tools: number; all: number }) =>
    `This model can only take ${window.toLocaleString("en-US")} tokens at a time. To fit, it gets ${tools} of ${all} tools, shortened instructions and memory, and only the latest messages. For more, choose a model with at least 4,096.`,
  "model.broke-off": ({ host }: { host: string }) =>
    `${host} closed the connection before the answer was complete. Try again.`,
  "model.ended-badly": ({ host, finish }: { host: string; finish: string }) =>
    `${host} broke off its answer ("${finish}"). Try again later, or choose another model.`,
  "model.endless": ({ host, most, unit }: { host: string; most: number; unit: "MB" | "calls" }) =>
    `${host} sent more than one answer may hold (${most} ${unit === "MB" ? "MB" : "tool calls"}), so it was cut off. Ask for less at a time, or choose another model.`,
  "model.silent": ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} stopped sending (silent for ${seconds} s). If the model is slow, raise NANOBOT_STREAM_IDLE_TIMEOUT_S.`,
  "model.unfinished": ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} did not finish within ${seconds} s. If the model is slow, raise NANOBOT_LLM_TIMEOUT_S.`,
  "model.gave-up": ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} gave no answer within ${seconds} s, so nanobot stopped waiting. Try again later, choose another model, or raise the model timeout in the settings.`,
  "model.still-waiting": ({ host }: { host: string }) => `Still waiting for ${host}. Send /stop to give up.`,
  "model.paused": ({ name, seconds }: { name: string; seconds: number }) =>
    `${name} failed several times in a row and is not asked for the next ${seconds} s.`,
  "model.asks-to-wait": (
    { failure, minutes }: { failure: InnerPhrase; minutes: number },
    { say }: PhraseContext,
  ) =>
    `${say(failure)} It asks to wait ${minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`}.`,
  "model.all-failed": (
    { failures }: { failures: Array<{ name: string; failure: InnerPhrase }> },
    { say }: PhraseContext,
  ) => failures.map(({ name, failure }) => `${name}: ${say(failure)}`).join(" "),
  "model.gone": ({ name, reason }: { name: string; reason: InnerPhrase }, { say }: PhraseContext) =>
    `The model "${name}" of this conversation cannot be used: ${say(reason)} Go back to the default one with /model default.`,
  "model.script-over": ({ steps }: { steps: number }) =>
    `The script is used up: it has ${steps} steps. Add a step, or set "loop": true.`,
  "model.bad-script": ({ path, problems }: { path: string; problems: string[] }) =>
    `The script ${path} cannot be used: ${problems.join("; ")}. Correct it, or the setting providers.scripted.script.`,

  // `choice.` and a kind of ChoiceReason, as a part of a sentence.
  "choice.chosen": ({ preset, variable }: { preset?: string; variable?: string }) => {
    if (preset !== undefined) return `chosen by the preset "${preset}"`;
    return variable === undefined
      ? "chosen in the config"
      : `chosen in the config, with the key from ${variable}`;
  },
  "choice.default-model": "the default model, at a provider of the config",
  "choice.host-in-config": "the default model of a provider of the config",
  "choice.key-in-environment": ({ variable }: { variable: string }) => `found the key ${variable}`,
  "choice.no-config": (_: object, { program }: PhraseContext) =>
    `no config and no key yet; run: ${program} onboard`,
  "choice.no-usable-host": (_: object, { program }: PhraseContext) =>
    `no provider of the config has a key or an address; run: ${program} onboard`,
  "choice.no-model-named": ({ host }: { host: string }) => `no model was chosen for ${host}`,
  "choice.given": "given by the program that embeds nanobot",
  "choice.offline": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `Demo, no AI yet: ${say(reason)}`,

  "model.sign-in": ({ host, name }: { host: string; name: string }, { program }: PhraseContext) =>
    `You are not signed in to ${host}, or the sign-in has expired. Sign in under Settings, Model, or run ${program} provider login ${name}.`,
  "models.login-failed": ({ host, reason }: { host: string; reason: string }) =>
    `Signing in to ${host} could not be started: ${reason}. Try again in a moment.`,
  "models.no-login": ({ host }: { host: string }) =>
    `${host} is used with an API key, not by signing in. Choose it in the settings and paste the key.`,
  "models.login-forbidden": ({ host }: { host: string }) =>
    `${host} does not allow other programs to use its subscriptions. Use an API key instead.`,
  "models.unknown-host": ({ host }: { host: string }) =>
    `There is no model provider "${host}". Your own server needs its API address.`,
  "models.odd-key": "No API key has characters like these. Copy it again from the provider's page.",
  "models.key-elsewhere": "A hidden key is not sent to another address. Type it again.",
  "models.trial-too-long": ({ seconds }: { seconds: number }) =>
    `There was no answer within ${seconds} seconds.`,

  "setup.unknown-preset": ({ preset, known }: { preset: string; known: string[] }) =>
    `There is no saved model "${preset}". Saved models: ${list(known)}.`,
  "setup.unknown-provider": (params: { provider: string; nearest?: string; configured: string[] }) =>
    `There is no model provider "${params.provider}". ${params.nearest === undefined ? "" : `Did you mean "${params.nearest}"? `}Your own server needs its API address. ${configured(params.configured)}`,
  "setup.missing-key": (params: {
    model: string;
    host: string;
    variable: string;
    path: string;
    configured: string[];
  }) =>
    `"${params.model}" needs a key for ${params.host}: set ${params.variable}, or ${params.path} in config.json. ${configured(params.configured)}`,
  "setup.missing-base": (params: { model: string; host: string; path: string; configured: string[] }) =>
    `"${params.model}" needs the address of ${params.host}: set ${params.path} in config.json. ${configured(params.configured)}`,
  "setup.missing-script": ({ path }: { path: string }) =>
    `The scripted model needs a script file: set ${path} in config.json.`,
  "setup.missing-model": ({ host, path }: { host: string; path: string }) =>
    `No model was chosen for ${host}: set ${path} in config.json.`,
  "setup.no-host": (params: { model: string; configured: string[] }) =>
    `No configured provider offers the model "${params.model}". Choose a provider in the settings, or write provider/model. ${configured(params.configured)}`,
  "setup.proxy-password": ({ status }: { status: number }) =>
    `The proxy asks for a user name and password (${status}). Write its address as http://user:password@host:port.`,
  "setup.proxy-refused": ({ status }: { status: number }) =>
    `The proxy refused the connection (${status}). Check its address and what it allows.`,
  "setup.bad-proxy": ({ setting }: { setting: string }) =>
    `${setting} is not a usable proxy address. Write it like http://host:8080 (https:// and socks5:// work too).`,

  "budget.used": (use: BudgetUse) =>
    `The budget for ${describeScope(use)} is used up: ${describeAmount(use)}. Raise the budget in the settings, or wait.`,
  "budget.near": (use: BudgetUse) =>
    `The budget for ${describeScope(use)} is nearly used up: ${describeAmount(use)}.`,
  "budget.unset": (scope: BudgetScope, { program }: PhraseContext) =>
    `The budget for ${describeScope(scope)} names an environment variable that is not set, so nothing may be spent. To see which one, run ${program} doctor.`,
  "budget.not-counted": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `No model is asked, because the cost could not be recorded. ${say(reason)}`,
};
