// Front matter: YAML between two lines `---` at the top of a Markdown file. Tolerant of everything that people and
// hostile strangers write there: what cannot be read is undefined, never an error.
import { stripBom } from "../text.ts";

export interface SplitText {
  /** Undefined when there is no front matter. */
  yaml: string | undefined;
  /** The text after it, with plain newlines. */
  body: string;
}

const longestYaml = 16_000;

/** A value made of a few kilobytes may name itself over and over; this many times is more than any person needs. */
const mostAliases = 20;
const longestValue = 100_000;

export function splitFrontMatter(text: string): SplitText {
  const plain = stripBom(text).replaceAll(/\r\n?/g, "\n");
  const opening = /^\s*---[ \t]*\n/.exec(plain);
  if (opening === null) return { yaml: undefined, body: plain.trim() };
  const start = opening[0].length;
  const closing = /^(---|\.\.\.)[ \t]*$/m.exec(plain.slice(start));
  if (closing === null) return { yaml: undefined, body: plain.trim() };
  const end = start + closing.index;
  return { yaml: plain.slice(start, end), body: plain.slice(end + closing[0].length).trim() };
}

/** Plain JSON data; undefined if it is not valid YAML, has no end, or grows out of proportion. */
export async function parseYaml(text: string, longest = longestYaml): Promise<unknown> {
  if (text.length > longest) return undefined;
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, {
      schema: "core",
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    if (document.errors.length > 0) return undefined;
    const json = JSON.stringify(document.toJS({ maxAliasCount: mostAliases }));
    return json === undefined || json.length > Math.max(longestValue, longest) ? undefined : JSON.parse(json);
  } catch (error) {
    // Too many aliases, one that leads nowhere or round in a circle, and thousands of nested brackets.
    if (error instanceof ReferenceError || error instanceof RangeError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}
