// `POST /mcp`: the assistant as an MCP server over HTTP (streamable, without sessions or events). Rights by the token, which
// names the operations that its tools call.
import type { ClientCaller } from "../../api/client.ts";
import { toFailedProblem, toProblem } from "../../api/problem.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import type { Words } from "../../i18n/words.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { type Context, type Routes, readBody } from "../http/routes.ts";

export interface McpRouteOptions {
  run: RunOperation;
  words: Words;
  newId(): string;
  /** Throws for a client that is not admitted. */
  callerOf(context: Context): Promise<ClientCaller>;
  onError(error: unknown, name: string): void;
}

const largestMessage = 1024 * 1024;

export function addMcpRoute(routes: Routes, { run, words, newId, callerOf, onError }: McpRouteOptions): void {
  routes.post("/mcp", async (context) => {
    const caller = await callerOf(context);
    const { answerMcp, protocolVersions } = await import("./mcp-server.ts");
    const version = context.header("mcp-protocol-version");
    const isKnown = version === undefined || protocolVersions.some((known) => known === version);
    const message = parseJson(await readBody(context.incoming, largestMessage));
    if (!isKnown || message === undefined) {
      const error = { code: -32_600, message: isKnown ? "Not JSON" : "Unsupported protocol version" };
      return context.json({ jsonrpc: "2.0", id: null, error }, 400);
    }
    const { signal } = context;
    const answer = await answerMcp(message, {
      allows: (operation) => caller.operations?.includes(operation) ?? caller.role === "owner",
      call: async (name, params) =>
        (await run({ name, params }, { ...caller, requestId: newId(), signal })) as never,
      describe(error) {
        const problem = toProblem(error, words);
        if (problem === undefined && !signal.aborted) onError(error, "mcp");
        return (problem ?? toFailedProblem(words)).message;
      },
    });
    return answer === undefined ? { status: 202, headers: {} } : context.json(answer);
  });
  // Nothing is sent unasked, and there are no sessions to end.
  routes.all("/mcp", () => ({ status: 405, headers: { allow: "POST" } }));
}
