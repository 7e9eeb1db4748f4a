// The assistant as an MCP server: answers one JSON-RPC message at a time, on any transport. Keeps no sessions.
import * as z from "zod";
import { isRecord } from "../../lib/is-record.ts";
import { readVersion } from "../../lib/package-root.ts";
import { type CallOperation, NotUnderstood, type ServedTool, servedTools } from "./mcp-tools.ts";

export interface McpServerOptions {
  call: CallOperation;
  /** Whether the program may call this operation. */
  allows(operation: string): boolean;
  /** A refusal as a sentence; undefined for a failure of ours, which is reported. */
  describe(error: unknown): string | undefined;
}

export const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const codes = { invalidRequest: -32_600, unknownMethod: -32_601, invalidParams: -32_602 };

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Undefined for what is not answered. */
export async function answerMcp(message: unknown, options: McpServerOptions): Promise<object | undefined> {
  const isCall = isRecord(message) && message.jsonrpc === "2.0" && typeof message.method === "string";
  const id = isRecord(message) && ["string", "number"].includes(typeof message.id) ? message.id : null;
  // An answer to something that was never asked, or a notification.
  if (isRecord(message) && (isCall ? message.id === undefined : "result" in message || "error" in message))
    return undefined;
  try {
    if (!isCall || id === null) throw new RpcError(codes.invalidRequest, "Not a JSON-RPC request");
    const params = isRecord(message.params) ? message.params : {};
    return { jsonrpc: "2.0", id, result: await answer(String(message.method), params, options) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
  }
}

async function answer(
  method: string,
  params: Record<string, unknown>,
  options: McpServerOptions,
): Promise<object> {
  const tools = servedTools.filter(({ operations }) => operations.every(options.allows));
  switch (method) {
    case "initialize":
      return {
        protocolVersion:
          protocolVersions.find((each) => each === params.protocolVersion) ?? protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: "nanobot", version: readVersion() },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(describeTool) };
    case "tools/call": {
      const found = tools.find(({ name }) => name === params.name);
      if (found === undefined) throw new RpcError(codes.invalidParams, "There is no such tool");
      return callTool(found, params.arguments ?? {}, options);
    }
    default:
      throw new RpcError(codes.unknownMethod, "Method not found");
  }
}

function describeTool({ name, description, schema, isReadOnly }: ServedTool): object {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  return { name, description, inputSchema, annotations: { readOnlyHint: isReadOnly === true } };
}

async function callTool(
  tool: ServedTool,
  args: unknown,
  { call, describe }: McpServerOptions,
): Promise<object> {
  const parsed = tool.schema.safeParse(args);
  const said = (text: string, isError = false) => ({
    content: [{ type: "text", text }],
    ...(isError && { isError }),
  });
  if (!parsed.success) return said(z.prettifyError(parsed.error), true);
  try {
    return said(await tool.run(parsed.data, call));
  } catch (error) {
    if (error instanceof NotUnderstood)
      return said(
        "Not understood. Say what to do and when, such as: remind me tomorrow at 9 to call Anna.",
        true,
      );
    const refusal = describe(error);
    if (refusal === undefined) throw error;
    return said(refusal, true);
  }
}
