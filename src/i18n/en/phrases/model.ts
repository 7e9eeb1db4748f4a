// Why a model gave no answer, or is still waited for, in English. `detail` is what the host or the system said, or empty.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export interface HostParams {
  host: string;
  detail: string;
}

const note = (detail: string) => (detail === "" ? "" : ` (${detail})`);

/** For every kind of a provider's error, its code is `model.` and the kind. */
export const modelPhrases = {
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
    `There is no budget left for ${host}${note(detail)}. Raise it under budget in config.json, or wait.`,
  "model.unsupported-image": ({ host, detail }: HostParams) =>
    `This model at ${host} cannot see images${note(detail)}. Choose one that can.`,
  "model.unknown": ({ host, detail }: HostParams) =>
    `${host} could not be used${note(detail)}. Check the network and the API address.`,

  "model.not-running": ({ host, detail }: HostParams) =>
    `Nothing answers at ${host} on this computer${note(detail)}. Start it, or check its API address.`,
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
    `${host} gave no answer within ${seconds} s, so nanobot stopped waiting. Try again later, or choose another model; agents.defaults.modelPatienceSeconds sets how long it waits.`,
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
    `The model "${name}" of this conversation cannot be used: ${say(reason)} Go back to the usual one with /model default.`,
  "model.script-over": ({ steps }: { steps: number }) =>
    `The script is used up: it has ${steps} steps. Add a step, or set "loop": true.`,
  "model.bad-script": ({ path, problems }: { path: string; problems: string[] }) =>
    `The script ${path} cannot be used: ${problems.join("; ")}. Correct it, or the setting providers.scripted.script.`,
};
