// Why there are no words of a recording, in English.

export const transcriptionPhrases = {
  "transcription.off": "Transcription is switched off. Set transcription.enabled to true.",
  "transcription.unknown-host": ({ host }: { host: string }) =>
    `transcription.provider is "${host}", which is no host with OpenAI's interface. Choose another one, or set providers.${host}.apiBase.`,
  "transcription.no-key": ({ host, name }: { host: string; name: string }) =>
    `There is no key for ${host}. Set providers.${name}.apiKey, or choose another host with transcription.provider.`,
  "transcription.no-model": ({ host }: { host: string }) =>
    `${host} has no usual model for recordings. Set transcription.model.`,
  "transcription.too-large": ({ megabytes }: { megabytes: number }) =>
    `The recording is larger than ${megabytes} MB (transcription.maxUploadMb).`,
  "transcription.too-long": ({ seconds }: { seconds: number }) =>
    `The recording is longer than ${seconds} seconds (transcription.maxDurationSec).`,
  "transcription.late": ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} did not answer within ${seconds} seconds.`,
  "transcription.gone": "The recording is not there.",
  "transcription.silent": "No words were heard in the recording.",
};
