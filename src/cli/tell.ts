// How a command answers: as text for a person, drawn from Markdown, or as one JSON value.
import { renderReport } from "./draw/markdown.ts";
import type { CommandContext } from "./terminal.ts";

export interface Told {
  options: { json?: boolean };
  context: CommandContext;
}

/** Returns the exit code of a command that did what it should. */
export async function tell({ options, context }: Told, value: unknown, markdown: string): Promise<number> {
  const { stdout } = context.terminal;
  const shown =
    options.json === true ? JSON.stringify(value) : await renderReport(markdown, context.terminal);
  stdout.write(`${shown.trimEnd()}\n`);
  return 0;
}
