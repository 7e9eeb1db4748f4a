// What was said in a recording, by any host that speaks OpenAI's `/audio/transcriptions`. Its calls stand in the ledger and
// are held to the budget like those of every model.
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { createFetch, ProxyAddressError } from "../guards/proxy-fetch.ts";
import { say, type Words } from "../i18n/words.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { findAccess, isUsable, listHostAccess } from "../llm/host-access.ts";
import { toPhrase } from "../llm/provider-error.ts";
import type { ModelRequest, Provider } from "../llm/types.ts";
import { withRetry } from "../llm/with-retry.ts";
import { readAudioDuration } from "./audio-duration.ts";
import { type AudioConnection, createAudioProvider, type Recording } from "./audio-provider.ts";
import type { ModelParts } from "./build-model.ts";

/** `reason` is for a person: why there are no words, and what to do about it. */
export type Transcript = { text: string } | { reason: string };

/** For the ledger. */
export type Speaker = Partial<Pick<ModelRequest["attribution"], "sessionKey" | "turnId" | "person">>;

export interface Transcription {
  /** Throws only when the signal aborts. */
  transcribe(recording: Recording, signal: AbortSignal, speaker?: Speaker): Promise<Transcript>;
  transcribeFile(path: string, speaker: Speaker): Promise<Transcript>;
  /** A host for it is configured. */
  isReady(): boolean;
}

/** The usual models of hosts, as in the Python original. */
const usualModels: Record<string, string> = {
  groq: "whisper-large-v3",
  openai: "whisper-1",
  openrouter: "openai/whisper-1",
  siliconflow: "FunAudioLLM/SenseVoiceSmall",
  stepfun: "stepaudio-2.5-asr",
  xiaomi_mimo: "mimo-v2.5-asr",
};
/** For everything together, tries included: a chat waits for it. */
const longestMs = 60_000;

interface Listener {
  connection: AudioConnection;
  model: string;
}

export interface TranscriptionParts extends Omit<ModelParts, "loaded"> {
  words: Words;
  /** As it is at the moment. */
  loaded(): LoadedConfig;
}

export function buildTranscription(parts: TranscriptionParts): Transcription {
  const { clock, words } = parts;
  const limits = () => parts.loaded().config.transcription;
  const isTooLarge = (size: number) => size > limits().maxUploadMb * 1024 * 1024;
  const refuseSize = () => ({ reason: words.transcription.tooLarge(limits().maxUploadMb) });

  async function transcribe(
    recording: Recording,
    signal: AbortSignal,
    speaker: Speaker = {},
  ): Promise<Transcript> {
    const listener = findListener(parts);
    if ("reason" in listener) return listener;
    const { language, maxDurationSec } = limits();
    if (isTooLarge(recording.bytes.length)) return refuseSize();
    if ((readAudioDuration(recording.bytes) ?? 0) > maxDurationSec)
      return { reason: words.transcription.tooLong(maxDurationSec) };
    const { connection, model } = listener;
    const once = parts.count(`${connection.host.name}/${model}`)(
      createAudioProvider(connection, recording, language),
    );
    const attribution = {
      cause: "user",
      sessionKey: "",
      turnId: `recording:${clock.now()}`,
      ...speaker,
    } as const;
    const request: ModelRequest = { model, maxTokens: 0, messages: [], attribution };
    const over = new AbortController();
    void clock.sleep(longestMs, over.signal).then(
      () => over.abort(),
      () => {},
    );
    try {
      return await listen(withRetry({ clock })(once), request, AbortSignal.any([signal, over.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!over.signal.aborted) throw error;
      return { reason: words.transcription.late(connection.host.label, longestMs / 1000) };
    } finally {
      over.abort();
    }
  }

  async function listen(provider: Provider, request: ModelRequest, signal: AbortSignal): Promise<Transcript> {
    for await (const event of provider.stream(request, signal)) {
      if (event.type !== "reply-end") continue;
      const { error, message } = event.reply;
      if (error !== undefined) return { reason: say(toPhrase(error), words) };
      return message.content ? { text: message.content } : { reason: words.transcription.silent };
    }
    return { reason: words.transcription.silent };
  }

  return {
    transcribe,
    isReady: () => !("reason" in findListener(parts)),
    async transcribeFile(path, speaker) {
      const status = await stat(path).catch(ignoreMissing);
      if (status?.isFile() !== true) return { reason: words.transcription.gone };
      // What is too large anyway is not read.
      if (isTooLarge(status.size)) return refuseSize();
      const recording = { name: basename(path), bytes: await readFile(path) };
      return transcribe(recording, new AbortController().signal, speaker);
    },
  };
}

/** The host that was chosen, with its key, or why there is none. */
function findListener({ loaded, env, words }: TranscriptionParts): Listener | { reason: string } {
  const { transcription, providers } = loaded().config;
  const { enabled, provider = "groq", model: wanted } = transcription;
  const texts = words.transcription;
  if (!enabled) return { reason: texts.off };
  const found = findAccess(provider, listHostAccess(providers, env));
  if (found === undefined) return { reason: texts.unknownHost(provider) };
  const { host, apiKey, settings } = found;
  const baseUrl = found.baseUrl ?? host.baseUrl;
  if (host.protocol !== "openai-chat") return { reason: texts.unknownHost(provider) };
  if (!isUsable(found) || baseUrl === undefined) return { reason: texts.noKey(host.label, host.name) };
  const model = wanted ?? usualModels[host.name];
  if (model === undefined) return { reason: texts.noModel(host.label) };
  try {
    const fetch = createFetch({ proxy: settings?.proxy, env });
    return { connection: { ...settings, host, baseUrl, apiKey, fetch }, model };
  } catch (error) {
    if (error instanceof ProxyAddressError) return { reason: say(error.phrase, words) };
    throw error;
  }
}
