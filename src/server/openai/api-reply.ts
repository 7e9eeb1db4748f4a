// The answer to a chat completion request: one object, or a stream of chunks as server-sent events.
import type { TurnOutcome } from "../../agent/job.ts";
import type { LiveBody, Progress } from "../../bus/live.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Usage } from "../../lib/usage.ts";
import { type ApiError, toErrorBody } from "../http/api-error.ts";
import type { HandedCall } from "./client-tools.ts";

export interface Delta {
  content?: string;
  reasoning_content?: string;
}

export type DescribeTool = (event: Extract<Progress, { type: "tool-start" }>) => string;

const longestReason = 200;

export class ApiDeltas {
  readonly #describeTool: DescribeTool;
  #hasContent = false;
  /** What comes next is another piece of the answer. */
  #isBroken = false;
  #reasoning = "";

  constructor(describeTool: DescribeTool) {
    this.#describeTool = describeTool;
  }

  /** All of it so far. */
  get reasoning(): string {
    return this.#reasoning;
  }

  take(body: LiveBody): Delta | undefined {
    switch (body.type) {
      case "text-delta":
        return this.#say(body.text);
      case "reasoning-delta":
        return this.#think(body.text);
      case "tool-start":
        this.#break();
        return this.#think(this.#toLine(this.#describeTool(body)));
      case "tool-end":
        return body.isError
          ? this.#think(this.#toLine(`✗ ${toOneLine(body.content, longestReason)}`))
          : undefined;
      case "text-reset":
        // What was sent cannot be taken back: the answer begins again below it.
        this.#break();
        return undefined;
      default:
        return undefined;
    }
  }

  #say(text: string): Delta | undefined {
    if (text === "") return undefined;
    const content = this.#isBroken ? `\n\n${text}` : text;
    this.#isBroken = false;
    this.#hasContent = true;
    return { content };
  }

  #think(text: string): Delta | undefined {
    if (text === "") return undefined;
    this.#reasoning += text;
    return { reasoning_content: text };
  }

  #toLine(text: string): string {
    const isFresh = this.#reasoning === "" || this.#reasoning.endsWith("\n");
    return `${isFresh ? "" : "\n"}${text}\n`;
  }

  #break(): void {
    this.#isBroken = this.#hasContent;
  }
}

/** What all parts of a reply share. */
export interface ReplyHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

/** Of a turn, or of one that was ended for calls that the client has to make. */
export interface ApiOutcome extends TurnOutcome {
  calls?: readonly HandedCall[];
}

export function toCompletion(head: ReplyHead, outcome: ApiOutcome, reasoning: string) {
  const { text, usage, calls } = outcome;
  const message = {
    role: "assistant",
    content: calls !== undefined && text === "" ? null : text,
    refusal: null,
    ...(calls && { tool_calls: calls.map(toCall) }),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: toFinishReason(outcome) };
  return { ...head, object: "chat.completion", choices: [choice], usage: toUsage(usage) };
}

export interface StreamParts {
  head: ReplyHead;
  includesUsage: boolean;
  /** Called once, before the first piece. */
  begin(): void;
  write(piece: string): void;
}

/** A reply piece by piece, in the form that the client asked for. */
export interface ReplyStream {
  readonly hasBegun: boolean;
  begin(): void;
  add(delta: Delta): void;
  showLife(): void;
  end(outcome: ApiOutcome): void;
  fail(error: ApiError): void;
}

/** A reply piece by piece: begins with the first, or on demand; ends with `[DONE]`, or with an error. */
export class CompletionStream implements ReplyStream {
  readonly #parts: StreamParts;
  #hasBegun = false;
  #hasContent = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#parts.begin();
    this.#writeChunk({ role: "assistant", content: "" });
  }

  add(delta: Delta): void {
    this.begin();
    this.#hasContent ||= delta.content !== undefined;
    this.#writeChunk(delta);
  }

  /** Clients and proxies that hear nothing for long give up. */
  showLife(): void {
    this.#parts.write(": still at work\n\n");
  }

  end(outcome: ApiOutcome): void {
    const { text, usage, calls } = outcome;
    const { head, includesUsage, write } = this.#parts;
    this.begin();
    if (!this.#hasContent && text !== "") this.#writeChunk({ content: text });
    if (calls !== undefined)
      this.#writeChunk({ tool_calls: calls.map((call, index) => ({ index, ...toCall(call) })) });
    this.#writeChunk({}, toFinishReason(outcome));
    if (includesUsage)
      write(toEvent({ ...head, object: "chat.completion.chunk", choices: [], usage: toUsage(usage) }));
    write("data: [DONE]\n\n");
  }

  fail(error: ApiError): void {
    this.#parts.write(toEvent(toErrorBody(error)));
  }

  #writeChunk(delta: object, finish: string | null = null): void {
    const { head, includesUsage, write } = this.#parts;
    write(
      toEvent({
        ...head,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(includesUsage && { usage: null }),
      }),
    );
  }
}

function toEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toCall({ id, name, arguments: json }: HandedCall) {
  return { id, type: "function", function: { name, arguments: json } };
}

function toFinishReason({ stop, calls }: ApiOutcome): string {
  if (calls !== undefined) return "tool_calls";
  return stop === "max-steps" ? "length" : "stop";
}

function toUsage({ input, cached, output }: Usage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
