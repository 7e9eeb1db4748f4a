// Config keys of the server module: `api`, and `gateway` without the heartbeat, which belongs to schedule/.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const port = z.int().min(0).max(65_535);

export const apiSchema = z.object({
  host: name.default("127.0.0.1").describe("Not used: the API is at `gateway.host`"),
  port: port.default(8900).describe("Not used: the API is at `gateway.port`"),
  timeout: z.number().min(0).default(120).describe("Seconds that one request may take; 0 for no limit"),
  apiKey: text.default("").describe("Key that a client of the API must show"),
});

export const gatewaySchema = z.object({
  host: name.default("127.0.0.1").describe("Address to listen on; any but loopback needs an `api.apiKey`"),
  port: port.default(18_790).describe("Port of the gateway"),
  publicUrl: optionalText.describe("Address under which a proxy shows the gateway to the world"),
  restartMode: z
    .enum(["auto", "exec", "spawn", "exit"])
    .default("auto")
    .describe("How the gateway restarts itself"),
});

export type GatewayConfig = z.infer<typeof gatewaySchema>;
