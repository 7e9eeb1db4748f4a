// Follows turns by their live events: counts them, and makes a span of each turn, model call and tool, by the conventions of
// OpenTelemetry for generative AI. What was said is in no span unless that is asked for.
import { randomBytes } from "node:crypto";
import type { LiveEvent, Notice } from "../../bus/live.ts";
import type { Metrics } from "./metrics.ts";

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1: within the program; 3: a call to another one. */
  kind: 1 | 3;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  attributes: Record<string, string | number | undefined>;
  isError: boolean;
}

export interface TurnTelemetryOptions {
  metrics: Metrics;
  now(): number;
  model(): string;
  /** Texts and arguments go into spans, too. */
  hasContent: boolean;
  onSpan?(span: Span): void;
}

interface Open {
  spanId: string;
  from: number;
  content?: string;
}

interface OpenTurn extends Open {
  traceId: string;
  hasSpoken: boolean;
  text: string;
  steps: Map<string, Open>;
  tools: Map<string, Open>;
}

/** Those of more turns at once are not followed. */
const mostTurns = 1_000;
const mostContent = 8_000;

export class TurnTelemetry {
  readonly #options: TurnTelemetryOptions;
  readonly #turns = new Map<string, OpenTurn>();

  constructor(options: TurnTelemetryOptions) {
    this.#options = options;
  }

  take({ turnId, channel, body }: LiveEvent): void {
    if (body.type === "turn-start") this.#begin(turnId);
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return;
    if (body.type === "text-delta") this.#hear(turn, body.text);
    else if (body.type === "step-start") turn.steps.set(body.id, this.#open());
    else if (body.type === "step-end") this.#endStep(turn, body);
    else if (body.type === "tool-start") turn.tools.set(body.callId, this.#open(body.arguments));
    else if (body.type === "tool-end") this.#endTool(turn, body);
    else if (body.type === "notice") this.#note(body.notice);
    else if (body.type === "turn-end") this.#end(turnId, turn, { channel, stop: body.stop });
  }

  #hear(turn: OpenTurn, text: string): void {
    const { metrics, now, hasContent } = this.#options;
    if (hasContent) turn.text = (turn.text + text).slice(0, mostContent);
    if (turn.hasSpoken) return;
    turn.hasSpoken = true;
    const help = "From the start of a turn to its first word";
    metrics.observe("nanobot_first_word_seconds", help, (now() - turn.from) / 1000);
  }

  #note(notice: Notice): void {
    if (notice.kind !== "retry" && notice.kind !== "fallback") return;
    const help = "Calls of a model that were repeated or went to another";
    const labels = { kind: notice.kind, code: notice.reason.code };
    this.#options.metrics.count("nanobot_model_troubles_total", help, labels);
  }

  #open(content?: object): Open {
    const { now, hasContent } = this.#options;
    const kept =
      hasContent && content !== undefined ? JSON.stringify(content).slice(0, mostContent) : undefined;
    return { spanId: newSpanId(), from: now(), ...(kept !== undefined && { content: kept }) };
  }

  #begin(turnId: string): void {
    if (this.#turns.size >= mostTurns) return;
    const open = { traceId: randomBytes(16).toString("hex"), spanId: newSpanId(), from: this.#options.now() };
    this.#turns.set(turnId, { ...open, hasSpoken: false, text: "", steps: new Map(), tools: new Map() });
  }

  #endStep(turn: OpenTurn, { id, usage }: Extract<LiveEvent["body"], { type: "step-end" }>): void {
    const { model } = this.#options;
    const open = turn.steps.get(id);
    if (open === undefined) return;
    turn.steps.delete(id);
    this.#tell(turn, open, {
      name: `chat ${model()}`,
      kind: 3,
      isError: usage === undefined,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model(),
        "gen_ai.usage.input_tokens": usage?.input,
        "gen_ai.usage.output_tokens": usage?.output,
      },
    });
  }

  #endTool(turn: OpenTurn, body: Extract<LiveEvent["body"], { type: "tool-end" }>): void {
    const { metrics, hasContent } = this.#options;
    const { callId, name, isError, ms, content } = body;
    const labels = { tool: name, outcome: isError ? "error" : "ok" };
    metrics.count("nanobot_tool_calls_total", "Calls of tools", labels);
    metrics.observe("nanobot_tool_seconds", "How long tools took", ms / 1000);
    const open = turn.tools.get(callId);
    if (open === undefined) return;
    turn.tools.delete(callId);
    this.#tell(turn, open, {
      name: `execute_tool ${name}`,
      kind: 1,
      isError,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.arguments": open.content,
        "gen_ai.tool.call.result": hasContent ? content.slice(0, mostContent) : undefined,
      },
    });
  }

  #end(turnId: string, turn: OpenTurn, { channel, stop }: { channel: string; stop: string }): void {
    const { metrics, now } = this.#options;
    this.#turns.delete(turnId);
    metrics.count("nanobot_turns_total", "Turns that ended, by how they did", { stop });
    metrics.observe("nanobot_turn_seconds", "How long turns took", (now() - turn.from) / 1000);
    this.#tell(turn, turn, {
      name: "invoke_agent nanobot",
      kind: 1,
      isError: stop === "error",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "nanobot",
        "nanobot.channel": channel,
        "nanobot.stop": stop,
        "gen_ai.output.messages": turn.text || undefined,
      },
    });
  }

  #tell(
    turn: OpenTurn,
    { spanId, from }: Open,
    span: Pick<Span, "name" | "kind" | "isError" | "attributes">,
  ): void {
    const { now, onSpan } = this.#options;
    const parent = turn.spanId === spanId ? {} : { parentSpanId: turn.spanId };
    onSpan?.({ ...span, traceId: turn.traceId, spanId, ...parent, from, to: now() });
  }
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}
