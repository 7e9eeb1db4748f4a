// The models that need no host: the one of rules, and the one that plays a script.
import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import type { ModelChoice } from "../llm/model-choice.ts";
import { toFailedEnd } from "../llm/provider-error.ts";
import type { Provider } from "../llm/types.ts";
import { createOffline } from "./offline.ts";
import { readScript } from "./script-file.ts";
import { createScripted } from "./scripted.ts";

export interface LocalModelOptions {
  clock: Clock;
  version: string;
}

export async function createLocalModel(
  { host, access }: ModelChoice,
  options: LocalModelOptions,
): Promise<Provider> {
  if (host.protocol !== "scripted") return createOffline(options);
  const path = access.script ?? "";
  const parsed = await readScript(path);
  if (parsed.ok) return createScripted(parsed.script, options.clock);
  const { problems } = parsed;
  // Told in every reply, like a host that cannot be reached.
  return {
    async *stream(request) {
      const said = phrase("model.bad-script", { path, problems });
      yield toFailedEnd(request, { kind: "invalid-request", host: host.label, phrase: said });
    },
  };
}
