// `nanobot mcp serve`: the assistant as an MCP server on standard input and output, one message a line, for programs of the
// same user.
import { createInterface } from "node:readline";
import { toFailedProblem, toProblem } from "../../api/problem.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { answerMcp } from "../../server/mcp/mcp-server.ts";
import type { McpOptions } from "../command-line/options.ts";
import { withClient } from "../open-client.ts";
import type { CommandContext } from "../terminal/terminal.ts";

const longestLine = 1024 * 1024;

export function serveMcp(options: McpOptions, { terminal, signal }: CommandContext): Promise<number> {
  const { stdin, stdout, words } = terminal;
  return withClient(options, terminal, async ({ client }) => {
    const running = new Map<unknown, AbortController>();
    const work = new Set<Promise<void>>();

    async function answer(message: unknown): Promise<void> {
      const id = isRecord(message) ? message.id : undefined;
      const ending = new AbortController();
      running.set(id, ending);
      const asked = { signal: AbortSignal.any([signal, ending.signal]) };
      const said = await answerMcp(message, {
        allows: () => true,
        call: (name, params) => client.call(name, params, asked),
        describe: (error) => (toProblem(error, words) ?? toFailedProblem(words)).message,
      }).finally(() => running.delete(id));
      // What was cancelled is not answered.
      if (said !== undefined && !ending.signal.aborted) stdout.write(`${JSON.stringify(said)}\n`);
    }

    const lines = createInterface({ input: stdin, terminal: false });
    signal.addEventListener("abort", () => lines.close());
    for await (const line of lines) {
      if (line.trim() === "") continue;
      const message = line.length > longestLine ? undefined : parseJson(line);
      if (isRecord(message) && message.method === "notifications/cancelled" && isRecord(message.params))
        running.get(message.params.requestId)?.abort();
      const done = answer(message).finally(() => work.delete(done));
      work.add(done);
    }
    await Promise.all(work);
    return 0;
  });
}
