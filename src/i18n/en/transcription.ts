// Why there are no words of a recording, in English: for the model, and for whoever spoke into a browser.
export const englishTranscription = {
  off: "transcription is switched off; set transcription.enabled",
  unknownHost: (name: string) =>
    `transcription.provider is "${name}", which is no host with OpenAI's interface; choose another, or give it a providers.${name}.apiBase`,
  noKey: (label: string, name: string) =>
    `there is no key for ${label}; set providers.${name}.apiKey, or choose another host with transcription.provider`,
  noModel: (label: string) => `${label} has no usual model for it; set transcription.model`,
  tooLarge: (megabytes: number) => `it is larger than ${megabytes} MB (transcription.maxUploadMb)`,
  tooLong: (seconds: number) => `it is longer than ${seconds} seconds (transcription.maxDurationSec)`,
  late: (host: string, seconds: number) => `${host} did not answer within ${seconds} seconds`,
  gone: "the recording is not there",
  silent: "no words were heard in it",
};
