// Reading JSON of strangers: nothing is what it should be until it was looked at.
import { isRecord } from "../lib/is-record.ts";

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The records of a list; a single record counts as a list of one. */
export function toRecords(value: unknown): Array<Record<string, unknown>> {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}
