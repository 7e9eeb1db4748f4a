// Config keys of the channels module: `channels` and `transcription`. A channel's own block is validated by that channel.
import * as z from "zod";

const optionalText = z.string().optional();
const on = z.boolean().default(true);

/** Every key that is not named here is a channel's block, kept as it is. */
export const channelsSchema = z
  .object({
    sendProgress: on.describe("Show what is said between tool calls"),
    sendToolHints: on.describe("Show a line for each tool call"),
    showReasoning: on.describe("Show the model's reasoning where a channel can"),
    sendMaxRetries: z
      .int()
      .min(0)
      .max(10)
      .default(3)
      .describe("Tries to send a message, the first one included"),
    collectMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(800)
      .describe("Messages of one chat within this many milliseconds become one turn"),
  })
  .catchall(z.unknown());

export type ChannelsConfig = z.infer<typeof channelsSchema>;

export const transcriptionSchema = z.object({
  enabled: on.describe("Turn voice messages into text"),
  provider: optionalText.describe("Host that does it; without this key, groq"),
  model: optionalText.describe("Model of that host; without this key, its usual one"),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, "config.bad-language")
    .optional()
    .describe("Language that is spoken; without this key, it is detected"),
  maxDurationSec: z.int().min(1).max(600).default(120).describe("Longest recording in seconds"),
  maxUploadMb: z.int().min(1).max(100).default(25).describe("Largest recording in megabytes"),
});

export type TranscriptionConfig = z.infer<typeof transcriptionSchema>;
