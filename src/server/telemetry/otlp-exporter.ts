// Sends spans and metrics to a collector by OTLP over HTTP, as JSON. What cannot be sent is dropped and counted: nothing waits
// for it, and nothing of it is stored.
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { type Gauge, type Metrics, toAttributes } from "./metrics.ts";
import type { Span } from "./turn-telemetry.ts";

export interface OtlpOptions {
  endpoint: string;
  headers: Record<string, string>;
  version: string;
  metrics: Metrics;
  gauges(): Gauge[];
  clock: Clock;
  log: Log;
  fetch: typeof globalThis.fetch;
}

const mostSpans = 2_000;
const sendEveryMs = 5_000;
const answerMs = 5_000;

export class OtlpExporter {
  readonly #options: OtlpOptions;
  readonly #startedAt: string;
  #spans: Span[] = [];
  #hasFailed = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
    this.#startedAt = toNanoseconds(options.clock.now());
  }

  add(span: Span): void {
    if (this.#spans.length < mostSpans) this.#spans.push(span);
    else this.#drop(1);
  }

  /** Until the signal aborts; then what there is is sent once more. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(sendEveryMs, signal).catch(() => {});
      await this.#send();
    }
  }

  async #send(): Promise<void> {
    const { metrics, gauges, clock } = this.#options;
    const spans = this.#spans.splice(0);
    if (spans.length > 0 && !(await this.#post("traces", { resourceSpans: [this.#toSpans(spans)] })))
      this.#drop(spans.length);
    const now = toNanoseconds(clock.now());
    const exported = metrics.toOtlp(gauges(), { from: this.#startedAt, now });
    const scopeMetrics = [{ scope: { name: "nanobot" }, metrics: exported }];
    await this.#post("metrics", { resourceMetrics: [{ resource: this.#resource(), scopeMetrics }] });
  }

  async #post(kind: "traces" | "metrics", body: object): Promise<boolean> {
    const { endpoint, headers, log, fetch } = this.#options;
    try {
      const answer = await fetch(`${endpoint.replace(/\/+$/, "")}/v1/${kind}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      await answer.body?.cancel();
      this.#note(answer.ok, { status: answer.status }, log);
      return answer.ok;
    } catch (error) {
      this.#note(false, { error }, log);
      return false;
    }
  }

  /** Said once until it works again. */
  #note(isSent: boolean, facts: Record<string, unknown>, log: Log): void {
    if (!isSent && !this.#hasFailed) log.warn("telemetry-not-sent", facts);
    this.#hasFailed = !isSent;
  }

  #drop(count: number): void {
    this.#options.metrics.count("nanobot_spans_dropped_total", "Spans that could not be sent", {}, count);
  }

  #toSpans(spans: readonly Span[]): object {
    const sent = spans.map(({ from, to, isError, attributes, ...span }) => ({
      ...span,
      startTimeUnixNano: toNanoseconds(from),
      endTimeUnixNano: toNanoseconds(to),
      attributes: toAttributes(attributes),
      status: { code: isError ? 2 : 0 },
    }));
    return { resource: this.#resource(), scopeSpans: [{ scope: { name: "nanobot" }, spans: sent }] };
  }

  #resource(): object {
    return {
      attributes: toAttributes({ "service.name": "nanobot", "service.version": this.#options.version }),
    };
  }
}

function toNanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`;
}
