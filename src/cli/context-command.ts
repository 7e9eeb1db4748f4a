// `nanobot context`: what the next message of a conversation would send, and what it costs; `context diff`: what changed
// since the last request, and where the cached prefix breaks. Nothing is sent, and the conversation stays as it is.
import { describeContext, describeContextDiff } from "../agent/describe-context.ts";
import type { Inspection } from "../context/inspection.ts";
import { defaultSession } from "./agent-report.ts";
import type { ContextOptions } from "./command-line.ts";
import { renderReport } from "./draw/markdown.ts";
import type { CommandContext, Terminal } from "./terminal.ts";
import { withAssistant } from "./with-assistant.ts";

export async function runContext(options: ContextOptions, { terminal }: CommandContext): Promise<number> {
  const wish = { sessionKey: options.session || defaultSession, text: options.message ?? "" };
  const { settings, inspection } = await withAssistant(options, terminal, (assistant) =>
    assistant.inspectContext(wish),
  );
  const { request, diff, ...summary } = inspection;
  if (options.raw === true) printJson({ ...settings, ...request }, terminal);
  else if (options.json === true) printJson(options.diff ? diff : summary, terminal);
  else await printText(inspection, options, terminal);
  return 0;
}

function printJson(value: unknown, { stdout }: Terminal): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}

async function printText(
  inspection: Inspection,
  { diff }: ContextOptions,
  terminal: Terminal,
): Promise<void> {
  const { stdout, words } = terminal;
  const text = diff ? describeContextDiff(inspection, words) : describeContext(inspection, words);
  stdout.write(await renderReport(text, terminal));
}
