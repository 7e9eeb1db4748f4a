// What a person reads when a model host fails: what happened, and what to do next. Knows no host by name.
import type { ProviderErrorKind } from "./types.ts";

const sentences: Record<ProviderErrorKind, [what: string, next: string]> = {
  authentication: ["did not accept the API key", "Check the key in config.json, or run `nanobot onboard`."],
  permission: ["does not allow this with the given key", "Check the key's rights, or choose another model."],
  quota: ["says that credit or quota is used up", "Top up the account there, or choose another model."],
  "rate-limit": ["is limiting the rate of requests", "Wait a little and try again."],
  overloaded: ["is overloaded at the moment", "Try again later, or choose another model."],
  server: ["failed to answer", "Try again later; if it stays, look at the host's status page."],
  connection: ["could not be reached, or broke off", "Check the network, the proxy and the apiBase."],
  timeout: ["took too long to answer", "Try again, or choose a faster model."],
  idle: ["stopped sending in the middle of an answer", "Try again."],
  "context-overflow": ["says that the conversation is too long for the model", "Begin anew with /new."],
  "content-filter": ["refused the content by its filter", "Say it differently, or choose another model."],
  "not-found": ["does not know this model or address", "Check the model's name and the apiBase."],
  "invalid-request": ["rejected the request", "Check the model's settings in config.json."],
  "unsupported-image": ["does not take this image with this model", "Choose a model that sees images."],
  unknown: ["could not be used", "Check the apiBase and the network."],
};

export const errorKinds = Object.keys(sentences) as ProviderErrorKind[];

/** `detail` is what the host or the system said; it stands in brackets. */
export function toSentence(kind: ProviderErrorKind, host: string, detail: string): string {
  const [what, next] = sentences[kind];
  const note = detail.replace(/[\s.]+$/, "");
  return `${host} ${what}${note === "" ? "" : ` (${note})`}. ${next}`;
}
