// Config keys of the channels module: `channels`, `transcription` and `speech`. A channel's own block is validated by that channel.
import * as z from "zod";

const optionalText = z.string().optional();
const on = z.boolean().default(true);

/** Every key that is not named here is a channel's block, kept as it is. */
export const channelsSchema = z
  .object({
    sendProgress: on.describe("Show what the assistant writes between tool calls"),
    sendToolHints: on.describe("Show a line for each tool call"),
    showReasoning: on.describe("Show the model's reasoning in channels that support it"),
    sendMaxRetries: z.int().min(0).max(10).default(3).describe("How many times to try to send a message"),
    collectMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(800)
      .describe("Messages that arrive in a chat within this many milliseconds are answered together"),
  })
  .catchall(z.unknown());

export const transcriptionSchema = z.object({
  enabled: on.describe("Turn voice messages into text"),
  provider: optionalText.describe("Transcription provider. Default: groq"),
  model: optionalText.describe("Transcription model. Default: the provider's usual one"),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, "config.bad-language")
    .optional()
    .describe("Spoken language. Default: detected automatically"),
  maxDurationSec: z.int().min(1).max(600).default(120).describe("Maximum length of a recording, in seconds"),
  maxUploadMb: z.int().min(1).max(100).default(25).describe("Maximum size of a recording, in megabytes"),
});

export const speechSchema = z.object({
  enabled: z
    .boolean()
    .default(false)
    .describe("Send answers also as voice messages, where a platform has them"),
  provider: optionalText.describe("Host that speaks. Default: openai"),
  model: optionalText.describe("Its model. Default: the host's usual one"),
  voice: z.string().min(1).default("alloy").describe("Name of the voice, as the host knows it"),
  answers: z
    .enum(["spoken", "always"])
    .default("spoken")
    .describe("spoken: answers to voice messages; always: every answer"),
});

export type SpeechConfig = z.infer<typeof speechSchema>;
export type TranscriptionConfig = z.infer<typeof transcriptionSchema>;
