// Fits a replacement to the indentation of the lines it replaces, when the model wrote them with another one.

export function reindent(newText: string, oldText: string, replaced: string): string {
  const pairs = pairIndents(oldText, replaced);
  const [first] = pairs;
  if (first === undefined) return newText;
  const known = new Map(pairs.toReversed());
  return newText
    .split("\n")
    .map((line) => (line.trim() === "" ? line : toIndent(line, known, first) + line.trimStart()))
    .join("\n");
}

/** The indentation of each line as the model wrote it, and as the file has it. */
function pairIndents(oldText: string, replaced: string): Array<[written: string, actual: string]> {
  const actual = replaced.split("\n");
  return oldText
    .split("\n")
    .map((line, index): [string, string, string] => [line, indentOf(line), indentOf(actual[index] ?? "")])
    .filter(([line]) => line.trim() !== "")
    .map(([, written, found]) => [written, found]);
}

/** A depth that the old text shows is taken from the file; any other counts from the first line. */
function toIndent(line: string, known: Map<string, string>, [written, actual]: [string, string]): string {
  const own = indentOf(line);
  const seen = known.get(own);
  if (seen !== undefined) return seen;
  if (own.startsWith(written)) return actual + own.slice(written.length);
  return actual.slice(0, Math.max(0, actual.length - (written.length - own.length)));
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
