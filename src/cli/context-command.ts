// `nanobot context`: what the next message of a conversation would send, and what it costs; `context diff`: what changed
// since the last request, and where the cached prefix breaks. Nothing is sent, and the conversation stays as it is.
import { describeContext, describeContextDiff } from "../api/context/describe-context.ts";
import { defaultSession } from "./agent-report.ts";
import type { ContextOptions } from "./command-line.ts";
import { withClient } from "./open-client.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

export function runContext(options: ContextOptions, context: CommandContext): Promise<number> {
  const { words, stdout } = context.terminal;
  const params = { sessionKey: options.session || defaultSession, text: options.message ?? "" };
  return withClient(options, context.terminal, async ({ client }) => {
    if (options.raw === true) {
      stdout.write(`${JSON.stringify(await client.call("context.request", params))}\n`);
      return 0;
    }
    const view = await client.call("context.inspect", params);
    const { diff, target: _, lastTurn: __, ...summary } = view;
    return options.diff
      ? tell({ options, context }, diff, describeContextDiff(view, words))
      : tell({ options, context }, summary, describeContext(view, words));
  });
}
