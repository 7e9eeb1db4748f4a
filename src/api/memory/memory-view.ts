// What operations about memory show: places, facts, and what would be forgotten. Without paths of the machine.

import { createHash } from "node:crypto";
import { type Asking, yesOrNo } from "../../bus/ask.ts";
import type { DreamOutcome } from "../../dream/dream.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { phrase } from "../../i18n/phrase.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { ExplainedFact } from "../../recall/explain-fact.ts";
import type { Forgettable, MemoryLine } from "../../recall/forget.ts";
import type { RecalledEntry, Why } from "../../recall/recall.ts";
import type { ProvenanceRecord } from "../../storage/documents/provenance.ts";
import type { Version } from "../../storage/documents/versions.ts";

/** Something that was said or written. */
export interface MemoryPlace extends Omit<RecalledEntry, "path" | "labels"> {
  /** Of a message in a session. */
  entryId?: string;
  /** Of what a search has found. */
  why?: Why;
}

export interface MemoryFact {
  record: ProvenanceRecord;
  /** `unknown`: usually a person with an editor. */
  writtenBy: "dream" | "conversation" | "unknown";
  /** The messages that it was drawn from. */
  sources: MemoryPlace[];
}

export interface MemoryExplanation {
  facts: MemoryFact[];
  /** Where nothing is recorded: what a search finds. */
  similar: MemoryPlace[];
}

export interface MemoryFound {
  hits: MemoryPlace[];
  /** Keys of the sessions that fit best as a whole. */
  sessions: string[];
}

export interface ForgetPreview {
  /** What `memory.forget` takes: exactly this is forgotten, and nothing that came since. */
  digest: string;
  lines: MemoryLine[];
  messages: MemoryPlace[];
  summaries: MemoryPlace[];
  /** Of all, also of those that are too many to be listed. */
  counts: { lines: number; messages: number; summaries: number };
}

type Reference = Pick<MemoryPlace, "reference" | "name" | "at">;

export interface Forgotten {
  lines: MemoryLine[];
  messages: Reference[];
  summaries: Reference[];
  /** Brings the lines back when it is undone. */
  version?: Version;
}

/** With why it was refused or has failed. */
export type DreamReport = DreamOutcome & { reasons: Phrase[] };

const mostShown = 100;

export function toPlace({
  reference,
  kind,
  name,
  role,
  speaker,
  at,
  text: said,
  why,
}: RecalledEntry & { why?: Why }): MemoryPlace {
  // Of a message without an id only its place in the file is known; of a part, where in the message it begins.
  const entryId = reference.replace(/@\d+$/, "");
  const isMessage = kind === "session" && entryId !== name;
  return {
    reference,
    kind,
    name,
    role,
    speaker,
    at,
    text: said,
    ...(isMessage && { entryId }),
    ...(why && { why }),
  };
}

export function toFact({ record, sources }: ExplainedFact): MemoryFact {
  const { cursors, turn } = record;
  const writtenBy = turn !== undefined ? "conversation" : cursors !== undefined ? "dream" : "unknown";
  return { record, writtenBy, sources: sources.map(toPlace) };
}

export function toReference({ reference, name, at }: RecalledEntry): Reference {
  return { reference, name, at };
}

export function toDigest(found: Forgettable): string {
  return createHash("sha256").update(JSON.stringify(found)).digest("hex");
}

export function toPreview(found: Forgettable): ForgetPreview {
  const { lines, messages, summaries } = found;
  return {
    digest: toDigest(found),
    lines: lines.slice(0, mostShown),
    messages: messages.slice(0, mostShown).map(toPlace),
    summaries: summaries.slice(0, mostShown).map(toPlace),
    counts: { lines: lines.length, messages: messages.length, summaries: summaries.length },
  };
}

export function isNothing({ lines, messages, summaries }: Forgettable): boolean {
  return lines.length + messages.length + summaries.length === 0;
}

/** Before it is forgotten: how much, and the first of it. */
export function toForgetQuestion({ lines, messages, summaries }: Forgettable): Asking {
  const shown = [...lines.map(({ line }) => line), ...[...messages, ...summaries].map((entry) => entry.text)];
  return {
    phrase: phrase("memory.forget-these", {
      lines: lines.length,
      messages: messages.length + summaries.length,
    }),
    detail: shown
      .slice(0, mostShown)
      .map((each) => `- ${toPlainLine(each, 200)}`)
      .join("\n"),
    choices: yesOrNo,
  };
}
