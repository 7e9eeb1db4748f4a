// Labels say where untrusted content came from: a kind, and usually a name behind a colon (`web:example.com`,
// `file:report.txt`, `guest:li`, `mail`). Stored with messages, entries and files; a set of them only ever grows.
import { isRecord } from "./is-record.ts";
import { toPlainLine } from "./text.ts";

const longestLabel = 80;
const mostLabels = 24;

export function toLabel(kind: string, name = ""): string {
  return toPlainLine(name === "" ? kind : `${kind}:${name}`, longestLabel);
}

/** As a file holds them: whatever is no label is left out. */
export function readLabels(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const labels = value.filter((label) => typeof label === "string").map((label) => toLabel(label));
  return joinLabels(labels.filter((label) => label !== ""));
}

/** Of a message, an entry, or anything else that has some. */
export function labelsOf(holder: unknown): string[] {
  return isRecord(holder) && holder.labels !== undefined ? readLabels(holder.labels) : [];
}

/** Each once. Of very many only the kinds remain, so that no line grows without end and nothing is lost. */
export function joinLabels(...lists: Array<Iterable<string>>): string[] {
  const labels = new Set(lists.flatMap((list) => [...list]));
  return labels.size <= mostLabels ? [...labels] : [...new Set([...labels].map(kindOf))].slice(0, mostLabels);
}

export function kindOf(label: string): string {
  return label.split(":", 1)[0] ?? label;
}

/** For an object that is written as JSON: nothing where there are none. */
export function withLabels(labels: readonly string[]): { labels?: string[] } {
  return labels.length === 0 ? {} : { labels: [...labels] };
}

/** Words of a guest carry the guest's label. */
export function guestLabel(person: string): string {
  return toLabel("guest", person);
}

/** In a guest's turn the guest's label says nothing: the role is the limit there. */
export function withoutGuest(
  labels: readonly string[],
  { role, person }: { role: string; person: string },
): string[] {
  return role === "guest" ? labels.filter((label) => label !== guestLabel(person)) : [...labels];
}
