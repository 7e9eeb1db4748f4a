// Config keys of the server module: `api`, and `gateway` without the heartbeat, which belongs to schedule/.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const port = z.int().min(0).max(65_535);

export const apiSchema = z.object({
  host: name.default("127.0.0.1").describe("Not used: the API is at `gateway.host`"),
  port: port.default(8900).describe("Not used: the API is at `gateway.port`"),
  timeout: z
    .number()
    .min(0)
    .default(120)
    .describe("Time limit for one request, in seconds; 0 means no limit"),
  apiKey: text.default("").describe("API key that clients must send"),
  origins: z
    .array(name)
    .default([])
    .describe("Origins of web pages that may use the API, such as `https://chat.example.org`"),
});

const telemetrySchema = z.object({
  metrics: z
    .boolean()
    .default(false)
    .describe("Metrics for Prometheus at `/metrics`: for this computer, and for others with the token"),
  metricsToken: text.default("").describe("Token that others must send to read the metrics"),
  otlpEndpoint: text
    .default("")
    .describe("Address of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318"),
  headers: z.record(text, text).default({}).describe("Headers for the collector"),
  content: z
    .boolean()
    .default(false)
    .describe("Traces also hold what was said and what tools were asked for"),
});

export type TelemetryConfig = z.infer<typeof telemetrySchema>;

export const gatewaySchema = z.object({
  host: name
    .default("127.0.0.1")
    .describe("Address to listen on; anything other than loopback requires `api.apiKey`"),
  port: port.default(18_790).describe("Port of the gateway"),
  publicUrl: optionalText.describe("Public address of the gateway, if it is behind a reverse proxy"),
  restartMode: z
    .enum(["auto", "exec", "spawn", "exit"])
    .default("auto")
    .describe("How the gateway restarts itself"),
  telemetry: telemetrySchema.prefault({}).describe("Metrics and traces for an operator"),
});

export type GatewayConfig = z.infer<typeof gatewaySchema>;
