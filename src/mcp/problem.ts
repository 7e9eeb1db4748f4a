// Why a server cannot be used, as data: for a person in their language, for the model in English. Holds nothing
// that the server's configuration keeps secret.
import type { Phrase, PhraseParams } from "../i18n/phrase.ts";
import { toPlainLine } from "../lib/text.ts";

export const problemKinds = [
  "no-target",
  "bad-address",
  "sign-in",
  "more-rights",
  "sign-in-blocked",
  "sign-in-unreachable",
  "sign-in-failed",
  "sign-in-refused",
  "sign-in-over",
  "no-program",
  "not-started",
  "no-folder",
  "ended",
  "no-answer",
  "unreachable",
  "refused",
  "redirected",
  "status",
  "too-large",
  "failed",
] as const;

export type ProblemKind = (typeof problemKinds)[number];

/** With what its sentence needs. */
export type ServerProblem = {
  [Kind in ProblemKind]: { kind: Kind } & PhraseParams<`mcp.${Kind}`>;
}[ProblemKind];

export function phraseServerProblem({ kind, ...params }: ServerProblem): Phrase {
  return { code: `mcp.${kind}`, params } as Phrase;
}

interface Circumstances {
  /** The server understood the request and refused it, in these words. */
  answer?: string;
  /** The request never left. */
  isUnsent?: boolean;
}

const longestText = 300;

/** A failure of the world on the way to a server. */
export class ServerError extends Error {
  override name = "ServerError";
  readonly problem: ServerProblem;
  readonly answer: string | undefined;
  readonly isUnsent: boolean;

  constructor(problem: ServerProblem, { answer, isUnsent = false }: Circumstances = {}) {
    super(problem.kind);
    this.problem = mapTexts(problem, (text) => toPlainLine(text, longestText));
    this.answer = answer;
    this.isUnsent = isUnsent;
  }
}

/** With every text in it changed. */
export function mapTexts(problem: ServerProblem, change: (text: string) => string): ServerProblem {
  const { kind, ...params } = problem;
  const changed = Object.entries(params).map(([key, value]) => [
    key,
    typeof value === "string" ? change(value) : value,
  ]);
  return { kind, ...Object.fromEntries(changed) };
}

export function toStatusError(status: number): ServerError {
  if (status === 401 || status === 403) return new ServerError({ kind: "refused", status });
  if (status >= 300 && status < 400) return new ServerError({ kind: "redirected", status });
  return new ServerError({ kind: "status", status }, status === 400 ? { answer: "" } : {});
}
