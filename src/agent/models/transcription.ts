// What was said in a recording, by any host that speaks OpenAI's `/audio/transcriptions`. Its calls are in the ledger and
// are held to the budget like those of every model.
import { basename } from "node:path";
import type { TranscriptionConfig } from "../../channels/config.ts";
import { createFetch, ProxyAddressError } from "../../guards/proxy-fetch.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { findAccess, isUsable, listHostAccess } from "../../llm/choice/host-access.ts";
import type { Providers } from "../../llm/config.ts";
import { toPhrase } from "../../llm/errors/provider-error.ts";
import { speaksOpenAI } from "../../llm/hosts/host.ts";
import type { ModelRequest, Provider } from "../../llm/types.ts";
import { withRetry } from "../../llm/wrappers/with-retry.ts";
import { readMedia } from "../../storage/blobs/message-files.ts";
import { readAudioDuration } from "./audio-duration.ts";
import { type AudioConnection, createAudioProvider, type Recording } from "./audio-provider.ts";
import type { ModelParts } from "./connect-model.ts";

/** `reason`: why there are no words. */
export type Transcript = { text: string } | { reason: Phrase };

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

/** Where recordings are sent to, or come from. */
export interface AudioHost {
  connection: AudioConnection;
  model: string;
}

interface TranscriptionParts extends Pick<ModelParts, "clock" | "count"> {
  env: NodeJS.ProcessEnv;
  /** As it is at the moment. */
  config(): { transcription: TranscriptionConfig; providers: Providers };
}

export function createTranscription(parts: TranscriptionParts): Transcription {
  const { clock } = parts;
  const limits = () => parts.config().transcription;
  const mostBytes = () => limits().maxUploadMb * 1024 * 1024;
  const refuseSize = () => ({
    reason: phrase("transcription.too-large", { megabytes: limits().maxUploadMb }),
  });

  async function transcribe(
    recording: Recording,
    signal: AbortSignal,
    speaker: Speaker = {},
  ): Promise<Transcript> {
    const listener = findListener(parts);
    if ("reason" in listener) return listener;
    const { language, maxDurationSec } = limits();
    if (recording.bytes.length > mostBytes()) return refuseSize();
    if ((readAudioDuration(recording.bytes) ?? 0) > maxDurationSec)
      return { reason: phrase("transcription.too-long", { seconds: maxDurationSec }) };
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
      const { label: host } = connection.host;
      return { reason: phrase("transcription.late", { host, seconds: longestMs / 1000 }) };
    } finally {
      over.abort();
    }
  }

  async function listen(provider: Provider, request: ModelRequest, signal: AbortSignal): Promise<Transcript> {
    for await (const event of provider.stream(request, signal)) {
      if (event.type !== "reply-end") continue;
      const { error, message } = event.reply;
      if (error !== undefined) return { reason: toPhrase(error) };
      if (message.content) return { text: message.content };
    }
    return { reason: phrase("transcription.silent") };
  }

  return {
    transcribe,
    isReady: () => !("reason" in findListener(parts)),
    async transcribeFile(path, speaker) {
      const bytes = await readMedia(path, mostBytes());
      if (bytes === "gone") return { reason: phrase("transcription.gone") };
      if (bytes === "too-large") return refuseSize();
      return transcribe({ name: basename(path), bytes }, new AbortController().signal, speaker);
    },
  };
}

function findListener({ config, env }: TranscriptionParts): AudioHost | { reason: Phrase } {
  const { transcription, providers } = config();
  const { enabled, provider = "groq", model } = transcription;
  if (!enabled) return { reason: phrase("transcription.off") };
  return findAudioHost({ provider, model, usualModels }, { providers, env });
}

/** The host that was chosen, with its key, or why there is none. */
export function findAudioHost(
  wanted: { provider: string; model: string | undefined; usualModels: Record<string, string> },
  { providers, env }: { providers: Providers; env: NodeJS.ProcessEnv },
): AudioHost | { reason: Phrase } {
  const { provider, usualModels } = wanted;
  const found = findAccess(provider, listHostAccess(providers, env));
  const unknown = phrase("transcription.unknown-host", { host: provider });
  if (found === undefined) return { reason: unknown };
  const { host, apiKey, settings } = found;
  const baseUrl = found.baseUrl ?? host.baseUrl;
  if (!speaksOpenAI(host)) return { reason: unknown };
  if (!isUsable(found) || baseUrl === undefined)
    return { reason: phrase("transcription.no-key", { host: host.label, name: host.name }) };
  const model = wanted.model ?? usualModels[host.name];
  if (model === undefined) return { reason: phrase("transcription.no-model", { host: host.label }) };
  try {
    const fetch = createFetch({ proxy: settings?.proxy, env });
    return { connection: { ...settings, host, baseUrl, apiKey, fetch }, model };
  } catch (error) {
    if (error instanceof ProxyAddressError) return { reason: error.phrase };
    throw error;
  }
}
