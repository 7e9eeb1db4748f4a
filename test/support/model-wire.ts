// Replies of a model as the bytes that its host would send, for tests that go through the real protocols.

export interface ReplyData {
  text: string;
  /** Arguments that are a text are sent as they are. */
  calls: Array<{ name: string; arguments: Record<string, unknown> | string }>;
  /** Before the text. */
  thinking?: string;
  /** What the host has counted for the request. */
  tokens?: number;
}

/** Chat completion chunks, one a delta, with the usage at the end. */
export function toOpenAIEvents({ text, calls, thinking = "", tokens = 100 }: ReplyData): string {
  const toChunk = (delta: unknown, finish: string | null) =>
    toData({
      id: "1",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const toolCalls = calls.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name: call.name, arguments: toJson(call.arguments) },
  }));
  return [
    toChunk({ role: "assistant", content: "" }, null),
    ...(thinking === "" ? [] : [toChunk({ reasoning_content: thinking }, null)]),
    ...(text === "" ? [] : [toChunk({ content: text }, null)]),
    ...toolCalls.map((call) => toChunk({ tool_calls: [call] }, null)),
    toChunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    toData({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: 10 } }),
    "data: [DONE]\n\n",
  ].join("");
}

/** Message events with a block for the text and one for each call. */
export function toAnthropicEvents({ text, calls, thinking = "" }: ReplyData): string {
  const blocks = [
    ...(thinking === ""
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "signed" },
            delta: { type: "thinking_delta", thinking },
          },
        ]),
    ...(text === "" ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map((call, index) => ({
      start: { type: "tool_use", id: `toolu_${index}`, name: call.name, input: {} },
      delta: { type: "input_json_delta", partial_json: toJson(call.arguments) },
    })),
  ];
  const usage = { input_tokens: 100, output_tokens: 1 };
  return [
    toEvent("message_start", {
      message: { id: "m", type: "message", role: "assistant", content: [], usage },
    }),
    ...blocks.flatMap(({ start, delta }, index) => [
      toEvent("content_block_start", { index, content_block: start }),
      toEvent("content_block_delta", { index, delta }),
      toEvent("content_block_stop", { index }),
    ]),
    toEvent("message_delta", {
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" },
      usage: { output_tokens: 10 },
    }),
    toEvent("message_stop", {}),
  ].join("");
}

/** Events of the Responses protocol: an item for the thoughts, one for the text and one for each call. */
export function toResponsesEvents({ text, calls, thinking = "", tokens = 100 }: ReplyData): string {
  const items = [
    ...(thinking === ""
      ? []
      : [
          {
            item: { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "sealed" },
            delta: { type: "response.reasoning_summary_text.delta", delta: thinking },
          },
        ]),
    ...(text === ""
      ? []
      : [
          {
            item: {
              type: "message",
              id: "msg_0",
              role: "assistant",
              content: [{ type: "output_text", text }],
            },
            delta: { type: "response.output_text.delta", delta: text },
          },
        ]),
    ...calls.map(({ name, arguments: args }, index) => ({
      item: { type: "function_call", call_id: `call_${index}`, name, arguments: toJson(args) },
      delta: { type: "response.function_call_arguments.delta", delta: toJson(args) },
    })),
  ];
  const usage = { input_tokens: tokens, output_tokens: 10, total_tokens: tokens + 10 };
  return [
    toEvent("response.created", { response: { id: "resp_0", status: "in_progress" } }),
    ...items.flatMap(({ item, delta: { type, ...delta } }, output_index) => [
      toEvent("response.output_item.added", { output_index, item: { ...item, arguments: "", content: [] } }),
      toEvent(type, { output_index, ...delta }),
      toEvent("response.output_item.done", { output_index, item }),
    ]),
    toEvent("response.completed", { response: { id: "resp_0", status: "completed", usage } }),
  ].join("");
}

function toJson(args: Record<string, unknown> | string): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

function toData(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toEvent(type: string, data: object): string {
  return `event: ${type}\n${toData({ type, ...data })}`;
}
