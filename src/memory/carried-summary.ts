// What a conversation carries of its archived part: the summaries of all stretches, oldest first. When they are too long
// together, each is shortened, older ones more; when they are too many, neighbours are merged. None is left out.
import { cutMiddle, isBlank, toOneLine } from "../lib/text.ts";
import type { LastSummary, SummaryPart } from "../storage/sessions/metadata.ts";

const longest = 8_000;
const mostParts = 12;
const leastLine = 60;

/** With one stretch more. */
export function addPart(
  known: LastSummary | undefined,
  part: SummaryPart,
): Pick<LastSummary, "text" | "parts"> {
  const parts = mergeNeighbours([...toParts(known), part].filter(({ text }) => !isBlank(text)));
  const limits = shareOut(parts.map(({ text }) => text.length));
  const fitted = parts.map((one, index) => ({ ...one, text: condense(one.text, limits[index] ?? 0) }));
  return { text: render(fitted), parts: fitted };
}

/** Without the stretches whose summary is not wanted any more; undefined when none is left. */
export function keepParts(
  known: LastSummary,
  isKept: (text: string) => boolean,
): Pick<LastSummary, "text" | "parts"> | undefined {
  const parts = toParts(known).filter(({ text }) => isKept(text));
  return parts.length === 0 ? undefined : { text: render(parts), parts };
}

/** One of a version that carried only the last is one stretch. */
function toParts(known: LastSummary | undefined): readonly SummaryPart[] {
  if (known === undefined) return [];
  return known.parts ?? [{ since: "", messages: 0, text: known.text }];
}

/** The two neighbours that cover the fewest messages become one, so that all cover about as many. */
function mergeNeighbours(given: readonly SummaryPart[]): SummaryPart[] {
  const parts = [...given];
  while (parts.length > mostParts) {
    const sums = parts.slice(1, -1).map(({ messages }, index) => messages + (parts[index]?.messages ?? 0));
    const at = sums.indexOf(Math.min(...sums));
    const [a, b] = parts.slice(at, at + 2);
    if (a === undefined || b === undefined) break;
    const text = [a.text, b.text].map((one) => condense(one, longest / 4)).join("\n");
    parts.splice(at, 2, { since: a.since, messages: a.messages + b.messages, text });
  }
  return parts;
}

/** Characters for each: a newer one takes what it needs, but leaves every older one its share. A single one stays whole. */
function shareOut(lengths: readonly number[]): number[] {
  if (lengths.length === 1) return [...lengths];
  const share = Math.floor(longest / (2 * lengths.length));
  const limits: number[] = [];
  let rest = longest;
  for (const [index, length] of [...lengths.entries()].reverse()) {
    const taken = Math.min(length, Math.max(share, rest - share * index));
    limits[index] = taken;
    rest -= taken;
  }
  return limits;
}

/** Every line stays as long as there is room for its beginning. */
function condense(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const lines = text.split("\n").filter((line) => !isBlank(line));
  const each = Math.max(leastLine, Math.floor(limit / lines.length) - 1);
  return cutMiddle(lines.map((line) => toOneLine(line, each)).join("\n"), limit);
}

function render(parts: readonly SummaryPart[]): string {
  if (parts.length === 1) return parts[0]?.text ?? "";
  return parts
    .map(({ since, messages, text }) => {
      const heading = [
        since && `from ${since.slice(0, 16).replace("T", " ")}`,
        messages > 0 && `${messages} messages`,
      ];
      return `[${heading.filter(Boolean).join(", ") || "earlier"}]\n${text}`;
    })
    .join("\n\n");
}
