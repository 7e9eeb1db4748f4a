// Why there are no words of a recording, in Chinese.
import type { englishTranscription } from "../en/transcription.ts";

export const chineseTranscription: typeof englishTranscription = {
  off: "语音转文字已关闭；请设置 transcription.enabled",
  unknownHost: (name) =>
    `transcription.provider 是“${name}”，它不是使用 OpenAI 接口的服务；请换一个，或为它设置 providers.${name}.apiBase`,
  noKey: (label, name) =>
    `没有 ${label} 的密钥；请设置 providers.${name}.apiKey，或用 transcription.provider 选择其他服务`,
  noModel: (label) => `${label} 没有默认的转写模型；请设置 transcription.model`,
  tooLarge: (megabytes) => `录音超过 ${megabytes} MB（transcription.maxUploadMb）`,
  tooLong: (seconds) => `录音超过 ${seconds} 秒（transcription.maxDurationSec）`,
  late: (host, seconds) => `${host} 在 ${seconds} 秒内没有答复`,
  gone: "录音文件不存在",
  silent: "录音里没有听到话",
};
