// What can be wrong with a config, as data. A text here names places and reasons, never a value.

import { retell } from "../i18n/retell.ts";
import type { Words } from "../i18n/words.ts";
import { createRedactor } from "../lib/redact.ts";
import { toOneLine } from "../lib/text.ts";

export type ProblemKind =
  | "unreadable"
  | "unwritable"
  | "invalid-json"
  | "invalid-root"
  | "invalid-value"
  | "missing-variable"
  | "invalid-variable";

/** Keeps the config from being used. `path` is empty when the whole file is meant. */
export interface Problem {
  kind: ProblemKind;
  path: string;
  message: string;
}

export type WarningKind =
  | "unknown-key"
  | "double-key"
  | "unknown-variable"
  | "missing-variable"
  | "invalid-variable"
  | "counts-as-unset"
  | "out-of-range"
  | "last-good"
  | "not-kept"
  | "not-moved"
  | "moved"
  | "python-gateway";

/** Worth telling, but the program goes on. */
export interface Warning {
  kind: WarningKind;
  path: string;
  message: string;
}

/** A file that could not be taken as it is. */
export function toProblem({ kind, message }: { kind: ProblemKind; message: string }): Problem {
  return { kind, path: "", message };
}

export function formatProblem({ path, message }: Problem | Warning): string {
  return path === "" ? message : `${path}: ${message}`;
}

/** The same for a person, in their language. */
export function tellProblems(findings: ReadonlyArray<Problem | Warning>, words: Words): string[] {
  return findings.map((finding) =>
    formatProblem({ ...finding, message: retell(finding.message, words, "config") }),
  );
}

const shapes = createRedactor();
const longestName = 60;

/** `providers.openai.apiKey`, `fallbackModels[0].model`. A name that looks like a secret is not shown. */
export function toPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((whole, part) => {
    if (typeof part === "number") return `${whole}[${part}]`;
    return `${whole}${whole === "" ? "" : "."}${toName(String(part))}`;
  }, "");
}

/** A key as it may be shown: one line, bounded, without control characters. */
export function toName(key: string): string {
  if (shapes.redact(key) !== key) return "<redacted>";
  return toOneLine(key.toWellFormed().replaceAll(/\p{C}/gu, "?"), longestName);
}
