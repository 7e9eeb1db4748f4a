import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import type { LiveBody } from "../../bus/live.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { Metrics } from "./metrics.ts";
import { OtlpExporter } from "./otlp-exporter.ts";
import { type Span, TurnTelemetry } from "./turn-telemetry.ts";

const secret = "the password is hunter2";
const turn: Array<[ms: number, body: LiveBody]> = [
  [0, { type: "turn-start" }],
  [10, { type: "step-start", step: 0, id: "t.0" }],
  [200, { type: "text-delta", text: secret }],
  [300, { type: "step-end", step: 0, id: "t.0", usage: { input: 12, cached: 2, output: 5 } }],
  [310, { type: "tool-start", callId: "c", name: "exec", arguments: { command: secret } }],
  [400, { type: "tool-end", callId: "c", name: "exec", isError: true, ms: 90, content: secret }],
  [900, { type: "turn-end", stop: "completed" }],
];

function follow(hasContent: boolean) {
  const spans: Span[] = [];
  const metrics = new Metrics();
  let time = 0;
  const telemetry = new TurnTelemetry({
    ...{ metrics, hasContent, now: () => 1_000 + time, model: () => "host/model" },
    onSpan: (span) => spans.push(span),
  });
  for (const [ms, body] of turn) {
    time = ms;
    telemetry.take({ sessionKey: "web:1", turnId: "t", channel: "web", chatId: "1", body });
  }
  return { spans, metrics };
}

describe("a turn", () => {
  it("is a trace of the turn, its model calls and its tools, without a word of what was said", () => {
    const { spans } = follow(false);
    const [chat, tool, whole] = spans;
    expect(spans.map(({ name, from, to }) => [name, from, to])).toEqual([
      ["chat host/model", 1_010, 1_300],
      ["execute_tool exec", 1_310, 1_400],
      ["invoke_agent nanobot", 1_000, 1_900],
    ]);
    expect(chat?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
    });
    expect([chat?.parentSpanId, tool?.parentSpanId, tool?.isError]).toEqual([
      whole?.spanId,
      whole?.spanId,
      true,
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(JSON.stringify(spans)).not.toContain("hunter2");
  });

  it("holds what was said where that is asked for", () => {
    const { spans } = follow(true);
    expect(spans[1]?.attributes["gen_ai.tool.call.result"]).toBe(secret);
    expect(spans[2]?.attributes["gen_ai.output.messages"]).toBe(secret);
  });

  it("is counted for Prometheus", () => {
    const text = follow(false).metrics.toPrometheus([
      { name: "up", help: "h", value: 1, labels: { a: 'b"\n' } },
    ]);
    expect(text).toContain('nanobot_turns_total{stop="completed"} 1');
    expect(text).toContain('nanobot_tool_calls_total{tool="exec",outcome="error"} 1');
    expect(text).toContain('nanobot_first_word_seconds_bucket{le="0.25"} 1');
    expect(text).toContain('nanobot_first_word_seconds_bucket{le="0.1"} 0');
    expect(text).toContain('up{a="b\\"\\n"} 1');
  });
});

it("names without end make no series without end", () => {
  const metrics = new Metrics();
  for (let tool = 0; tool < 1_000; tool++) metrics.count("calls", "h", { tool: `tool${tool}` });
  const lines = metrics.toPrometheus().split("\n");
  expect(lines.length).toBeLessThan(210);
  expect(lines).toContain('calls{tool="other"} 800');
});

it("a collector gets spans and metrics as OTLP, and one that refuses them keeps nothing waiting", async () => {
  const received: Array<{ url: string; body: Record<string, unknown> }> = [];
  let status = 200;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      received.push({ url: request.url ?? "", body: JSON.parse(text) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { spans, metrics } = follow(false);
  const send = async () => {
    const ending = new AbortController();
    const exporter = new OtlpExporter({
      ...{
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        headers: {},
        version: "1",
      },
      ...{ metrics, gauges: () => [], clock: systemClock, log: silentLog, fetch: globalThis.fetch },
    });
    for (const span of spans) exporter.add(span);
    const running = exporter.run(ending.signal);
    ending.abort();
    await running;
  };
  await send();
  await eventually(() => received.map(({ url }) => url)).toEqual(["/v1/traces", "/v1/metrics"]);
  expect(received[0]?.body).toMatchObject({
    resourceSpans: [
      {
        scopeSpans: [
          { spans: [{ startTimeUnixNano: "1010000000", status: { code: 0 } }, { status: { code: 2 } }, {}] },
        ],
      },
    ],
  });
  status = 503;
  await send();
  expect(metrics.toPrometheus()).toContain("nanobot_spans_dropped_total 3");
});
