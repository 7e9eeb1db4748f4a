// Where the members of an object or list are in a JSON text, so that one can be changed and every other byte stays.
// Only for text that is known to be valid.

export interface JsonMember {
  /** Of an object's member. */
  key?: string;
  /** Where the value begins and ends. */
  start: number;
  end: number;
}

/** Of the object or list that begins at `open`. Nesting costs no stack, however deep it is. */
export function readMembers(text: string, open: number): JsonMember[] {
  const isObject = text[open] === "{";
  const members: JsonMember[] = [];
  for (let at = skipSpace(text, open + 1); text[at] !== "}" && text[at] !== "]"; ) {
    const keyEnd = isObject ? endOfString(text, at) : at;
    const start = isObject ? skipSpace(text, skipSpace(text, keyEnd) + 1) : at;
    const end = endOfValue(text, start);
    members.push({ ...(isObject && { key: JSON.parse(text.slice(at, keyEnd)) }), start, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at) - 1;
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    else if (depth > 0) continue;
    // A number or a word, up to whatever cannot belong to it.
    else at = endOfWord(text, at) - 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (/[\w.+-]/.test(text[at] ?? " ")) at++;
  return at;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, position: number): boolean {
  let slashes = 0;
  while (text[position - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}
