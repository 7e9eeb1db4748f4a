// The body of a request to /v1/responses, as the body of a chat completion request: what is understood of both is the same.
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { ApiError } from "../http/api-error.ts";

type Json = Record<string, unknown>;

/** JSON text. Throws an ApiError that names the field. */
export function toChatBody(text: string): string {
  const body = parseJson(text);
  if (!isRecord(body)) throw refuse("The body is no JSON object. Send one.");
  if (body.previous_response_id)
    throw refuse(
      "Responses are not kept here. Send the whole conversation as input, or name a session by session_id or the header x-session-id.",
      "previous_response_id",
    );
  if (body.conversation)
    throw refuse("Name a session by session_id or the header x-session-id instead.", "conversation");
  const { instructions, input, text: form, tools, tool_choice: choice, stream, model, session_id } = body;
  const system = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const format = isRecord(form) ? form.format : undefined;
  return JSON.stringify({
    model,
    stream,
    session_id,
    messages: [...system, ...toMessages(input)],
    ...(Array.isArray(tools) && { tools: tools.map(toChatTool) }),
    ...(choice !== undefined && { tool_choice: toChatChoice(choice) }),
    ...(isRecord(format) && { response_format: toChatFormat(format) }),
  });
}

function toMessages(input: unknown): unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (!Array.isArray(input)) throw refuse("Send a text, or a list of items.", "input");
  const messages: Json[] = [];
  for (const [index, item] of input.entries()) {
    if (!isRecord(item)) throw refuse("An item is an object.", `input[${index}]`);
    addItem(messages, item, index);
  }
  return messages;
}

function addItem(messages: Json[], item: Json, index: number): void {
  switch (item.type ?? "message") {
    case "message":
      messages.push({ role: item.role, content: toContent(item.content) });
      return;
    case "function_call": {
      const { call_id: id, name, arguments: json } = item;
      const call = { id, type: "function", function: { name, arguments: json } };
      const last = messages.at(-1);
      if (last?.role === "assistant") last.tool_calls = [...((last.tool_calls as unknown[]) ?? []), call];
      else messages.push({ role: "assistant", content: null, tool_calls: [call] });
      return;
    }
    case "function_call_output":
      messages.push({ role: "tool", tool_call_id: item.call_id, content: toContent(item.output) });
      return;
    case "reasoning":
      // It was there to be shown, not to be read again.
      return;
    default:
      throw refuse(`Items of this type are not understood: ${String(item.type)}.`, `input[${index}].type`);
  }
}

function toContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) => {
    if (!isRecord(part)) return part;
    switch (part.type) {
      case "input_text":
      case "output_text":
        return { type: "text", text: part.text };
      case "input_image":
        return { type: "image_url", image_url: { url: part.image_url } };
      case "input_file":
        return { type: "file", file: { filename: part.filename, file_data: part.file_data } };
      default:
        return part;
    }
  });
}

function toChatTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool.type !== "function") return { type: "other" };
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters } };
}

function toChatChoice(choice: unknown): unknown {
  return isRecord(choice) && choice.type === "function"
    ? { type: "function", function: { name: choice.name } }
    : choice;
}

function toChatFormat({ type, schema }: Json): unknown {
  return type === "json_schema" ? { type, json_schema: { schema } } : { type };
}

function refuse(sentence: string, param?: string): ApiError {
  return new ApiError(param === undefined ? sentence : `${param}: ${sentence}`, {
    status: 400,
    ...(param !== undefined && { param }),
  });
}
