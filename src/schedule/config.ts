// The schedule room's config keys: `gateway.heartbeat`.
import * as z from "zod";

export const heartbeatSchema = z.object({
  enabled: z.boolean().default(true).describe("Go through HEARTBEAT.md now and then"),
  intervalS: z.int().min(1).default(1800).describe("Seconds between two looks"),
  keepRecentMessages: z
    .int()
    .min(0)
    .default(8)
    .describe("Messages that the heartbeat remembers of its last runs"),
});

export type HeartbeatConfig = z.infer<typeof heartbeatSchema>;
