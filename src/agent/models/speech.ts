// Answers as voice messages, by any host that speaks OpenAI's `/audio/speech`: where someone has spoken, or the config asks for
// it. Its calls are in the ledger and are held to the budget; what cannot be spoken is sent as text alone.
import type { OutboundPart } from "../../bus/types.ts";
import type { SpeechConfig } from "../../channels/config.ts";
import { toPlain } from "../../channels/markup.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import type { Log } from "../../lib/log.ts";
import type { Providers } from "../../llm/config.ts";
import { toPhrase } from "../../llm/errors/provider-error.ts";
import type { ModelRequest } from "../../llm/types.ts";
import { findSentVoice, keepSentVoice } from "../../storage/blobs/content-files.ts";
import { createSpeechProvider } from "./audio-provider.ts";
import type { ModelParts } from "./connect-model.ts";
import { findAudioHost } from "./transcription.ts";

/** The path of a recording of this part; undefined where it is not to be spoken, or cannot be. Never throws. */
export type Speak = (part: OutboundPart) => Promise<string | undefined>;

interface SpeechParts extends Pick<ModelParts, "clock" | "count"> {
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Where recordings are kept until they are sent, and after. */
  folder: string;
  /** As it is at the moment. */
  config(): { speech: SpeechConfig; providers: Providers };
}

const usualModels: Record<string, string> = {
  openai: "gpt-4o-mini-tts",
  groq: "playai-tts",
  siliconflow: "FunAudioLLM/CosyVoice2-0.5B",
};
/** What OpenAI takes at once; a longer answer is rather read than heard. */
const mostCharacters = 4_000;
const longestMs = 60_000;

export function createSpeech(parts: SpeechParts): Speak {
  const { clock, log, folder, count } = parts;
  return async ({ id, kind, text, wasSpokenTo, sessionKey, turnId }) => {
    const { speech, providers } = parts.config();
    const { enabled, answers, voice, provider = "openai" } = speech;
    const words = toSpoken(text);
    const isWanted = enabled && kind === "answer" && (wasSpokenTo !== undefined || answers === "always");
    if (!isWanted || words === "" || words.length > mostCharacters) return undefined;
    const host = findAudioHost({ provider, model: speech.model, usualModels }, { providers, env: parts.env });
    const refuse = (reason: string) => void log.warn("answer-not-spoken", { part: id, reason });
    if ("reason" in host) return refuse(sayInEnglish(host.reason));
    const { connection, model } = host;
    const name = [connection.host.name, model, voice, words].join("\n");
    const known = await findSentVoice(folder, name);
    if (known !== undefined) return known;
    let bytes: Uint8Array | undefined;
    const onSpoken = (spoken: Uint8Array) => {
      bytes = spoken;
    };
    const once = count(`${connection.host.name}/${model}`)(
      createSpeechProvider(connection, { text: words, voice, onSpoken }),
    );
    const person = wasSpokenTo === undefined ? {} : { person: wasSpokenTo };
    const attribution = { cause: "user", sessionKey, turnId: `${turnId}:voice`, ...person } as const;
    const request: ModelRequest = { model, maxTokens: 0, messages: [], attribution };
    const over = new AbortController();
    void clock.sleep(longestMs, over.signal).then(
      () => over.abort(),
      () => {},
    );
    try {
      for await (const event of once.stream(request, over.signal))
        if (event.type === "reply-end" && event.reply.error)
          refuse(sayInEnglish(toPhrase(event.reply.error)));
      return bytes && (await keepSentVoice(folder, name, bytes));
    } catch (error) {
      log.warn("answer-not-spoken", { part: id, error });
      return undefined;
    } finally {
      over.abort();
    }
  };
}

/** Code is for the eyes. */
function toSpoken(markdown: string): string {
  return toPlain(markdown.replaceAll(/^(```|~~~).*?^\1\s*$/gms, "")).trim();
}
