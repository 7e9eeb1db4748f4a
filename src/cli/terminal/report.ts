// How a command prints its result: as text for a person, drawn from Markdown, or with `--json` as one JSON value.
import { renderReport } from "../draw/markdown.ts";
import type { Terminal } from "./terminal.ts";

export interface Report {
  json: unknown;
  /** Drawn for the terminal. */
  markdown?: string;
  /** Printed as it is. */
  text?: string;
  /** The exit code. Default 0. */
  code?: number;
}

/** Resolves with the exit code. */
export async function printReport(
  { json, markdown = "", text, code = 0 }: Report,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const drawn = async () => (await renderReport(markdown, terminal)).trimEnd();
  const shown = options.json === true ? JSON.stringify(json) : (text ?? (await drawn()));
  terminal.stdout.write(`${shown}\n`);
  return code;
}
