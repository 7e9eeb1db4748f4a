// One line of the log, taken apart for the eye. Pure.

export const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];

export interface LogLine {
  /** Where it stands among those that were read. */
  id: number;
  /** The line as it was written. */
  text: string;
  time: string;
  level: Level;
  event: string;
  /** Everything else of it, as JSON; "" for nothing. */
  fields: string;
}

/** A line that is no JSON is shown as it is. */
export function parseLine(text: string, id: number): LogLine {
  const plain: LogLine = { id, text, time: "", level: "info", event: text, fields: "" };
  try {
    const { time, level, event, ...rest } = JSON.parse(text) as Record<string, unknown>;
    if (typeof time !== "string" || typeof event !== "string") return plain;
    const known = levels.find((name) => name === level) ?? "info";
    const fields = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
    return { id, text, time, level: known, event, fields };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return plain;
    throw error;
  }
}

export function matches(line: LogLine, least: Level, words: string): boolean {
  if (levels.indexOf(line.level) < levels.indexOf(least)) return false;
  const text = line.text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
