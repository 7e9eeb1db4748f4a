// Metrics and traces of a gateway, where its config asks for them: who may read the metrics, and what they hold besides turns.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { LiveEvent } from "../../bus/live.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { UsageRow } from "../../storage/queues/ledger.ts";
import type { TelemetryConfig } from "../config.ts";
import type { Answer, Routes } from "../http/routes.ts";
import { type Gauge, Metrics } from "./metrics.ts";
import { OtlpExporter } from "./otlp-exporter.ts";
import { type Span, TurnTelemetry } from "./turn-telemetry.ts";

export interface TelemetryOptions {
  config: TelemetryConfig;
  clock: Clock;
  log: Log;
  fetch: typeof globalThis.fetch;
  model(): string;
  /** Since the time. */
  usageByCause(from: number): UsageRow[];
  currency(): string;
  activeTurns(): number;
  unsent(): number;
  onLive(listen: (event: LiveEvent) => void): () => void;
}

export interface Telemetry {
  addRoutes(routes: Routes): void;
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Undefined where nothing is asked for: then nothing is followed. */
export function createTelemetry(options: TelemetryOptions): Telemetry | undefined {
  const { config, clock, log, fetch, model, onLive } = options;
  if (!config.metrics && config.otlpEndpoint === "") return undefined;
  const metrics = new Metrics();
  const startedAt = clock.now();
  const gauges = () => readGauges(options, startedAt);
  const { otlpEndpoint: endpoint, headers, content, metricsToken } = config;
  const exporter =
    endpoint === ""
      ? undefined
      : new OtlpExporter({ endpoint, headers, version: readVersion(), metrics, gauges, clock, log, fetch });
  const turns = new TurnTelemetry({
    ...{ metrics, model, now: () => clock.now(), hasContent: content },
    ...(exporter && { onSpan: (span: Span) => exporter.add(span) }),
  });
  return {
    addRoutes(routes) {
      if (!config.metrics) return;
      routes.get("/metrics", ({ incoming }): Answer => {
        if (!mayReadMetrics(incoming, metricsToken)) return { status: 401, headers: {}, body: "" };
        const body = metrics.toPrometheus(gauges());
        return { status: 200, headers: { "content-type": metricsType }, body };
      });
    },
    async run(signal) {
      const unsubscribe = onLive((event) => turns.take(event));
      const ended = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await (exporter?.run(signal) ?? ended);
      unsubscribe();
    },
  };
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

function readGauges(
  { usageByCause, currency, activeTurns, unsent }: TelemetryOptions,
  from: number,
): Gauge[] {
  const tokens = { name: "nanobot_tokens_total", help: "Tokens of model calls, by what they were for" };
  const usage = usageByCause(from).flatMap(
    ({ group: cause, calls, fresh, cached, output, cost }): Gauge[] => [
      {
        ...{ name: "nanobot_model_calls_total", help: "Calls of models, by what they were for" },
        ...{ value: calls, labels: { cause }, isCounter: true },
      },
      { ...tokens, value: fresh, labels: { cause, kind: "input" }, isCounter: true },
      { ...tokens, value: cached, labels: { cause, kind: "cached" }, isCounter: true },
      { ...tokens, value: output, labels: { cause, kind: "output" }, isCounter: true },
      ...(cost === undefined
        ? []
        : [
            {
              ...{ name: "nanobot_cost_total", help: "Cost of model calls, where a price is known" },
              ...{ value: cost, labels: { cause, currency: currency() }, isCounter: true },
            },
          ]),
    ],
  );
  return [
    // Prometheus wants the lines of one name together.
    ...usage.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    { name: "nanobot_active_turns", help: "Turns that run now", value: activeTurns() },
    { name: "nanobot_unsent_messages", help: "Messages that wait to be sent", value: unsent() },
  ];
}

const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host"];

/** With the token; or from this machine, unless something passed the request on. */
export function mayReadMetrics({ headers, socket }: IncomingMessage, token: string): boolean {
  const isPassed = forwarding.some((name) => headers[name] !== undefined);
  if (!isPassed && isLoopbackHost(socket.remoteAddress ?? "")) return true;
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (token === "" || given === undefined) return false;
  const [expected, received] = [token, given].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(expected as Buffer, received as Buffer);
}
