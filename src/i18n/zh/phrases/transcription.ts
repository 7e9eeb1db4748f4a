// Why there are no words of a recording, in Chinese.
import type { transcriptionPhrases as english } from "../../en/phrases/transcription.ts";

export const transcriptionPhrases: typeof english = {
  "transcription.off": "语音转文字已关闭。请把 transcription.enabled 设为 true。",
  "transcription.unknown-host": ({ host }) =>
    `transcription.provider 是“${host}”，它不是使用 OpenAI 接口的服务。请换一个，或设置 providers.${host}.apiBase。`,
  "transcription.no-key": ({ host, name }) =>
    `没有 ${host} 的密钥。请设置 providers.${name}.apiKey，或用 transcription.provider 选择其他服务。`,
  "transcription.no-model": ({ host }) => `${host} 没有默认的转写模型。请设置 transcription.model。`,
  "transcription.too-large": ({ megabytes }) => `录音超过 ${megabytes} MB（transcription.maxUploadMb）。`,
  "transcription.too-long": ({ seconds }) => `录音超过 ${seconds} 秒（transcription.maxDurationSec）。`,
  "transcription.late": ({ host, seconds }) => `${host} 在 ${seconds} 秒内没有答复。`,
  "transcription.gone": "录音文件不存在。",
  "transcription.silent": "录音里没有听到话。",
};
