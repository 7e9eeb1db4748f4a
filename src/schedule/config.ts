// Config keys of the schedule module: `gateway.heartbeat`.
import * as z from "zod";

const count = z.int().min(1);
const on = z.boolean().default(true);

export const heartbeatSchema = z.object({
  enabled: on.describe("Go through HEARTBEAT.md now and then"),
  intervalS: count.default(1800).describe("Seconds between two checks"),
  keepRecentMessages: z
    .int()
    .min(0)
    .default(8)
    .describe("Messages that the heartbeat remembers of its last runs"),
  target: z
    .string()
    .regex(/^(?:last|[\w-]+:\S+)$/, "config.bad-target")
    .default("last")
    .describe("Chat that hears of it, such as `telegram:42`; `last`: where the owner spoke last"),
});
