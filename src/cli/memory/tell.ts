// What every command about memory is given, and how it answers: as text for a person, or as one JSON value.
import type { MemoryOptions } from "../command-line.ts";
import { MarkdownStream } from "../draw/markdown.ts";
import type { CommandContext } from "../terminal.ts";
import type { OpenedMemory } from "./open-memory.ts";

export interface MemoryRequest extends OpenedMemory {
  /** What stands behind the action. */
  text: string;
  options: MemoryOptions;
  context: CommandContext;
}

/** Returns the exit code of a command that did what it should. */
export function tell(
  { options, context }: Pick<MemoryRequest, "options" | "context">,
  value: unknown,
  markdown: string,
): number {
  const { stdout } = context.terminal;
  const shown = options.json === true ? JSON.stringify(value) : render(markdown, context);
  stdout.write(`${shown.trimEnd()}\n`);
  return 0;
}

export function render(markdown: string, { terminal: { style, stdout } }: CommandContext): string {
  const stream = new MarkdownStream({ style, columns: () => stdout.columns ?? 120 });
  return stream.write(`${markdown}\n`) + stream.end();
}
