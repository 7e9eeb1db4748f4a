// Lines of IRC: what one says, and how a text becomes lines that a server takes.

export interface IrcLine {
  tags: Record<string, string>;
  /** `nick!user@host`, or the name of a server. */
  source: string;
  command: string;
  params: string[];
}

const unescaped: Record<string, string> = { ":": ";", s: " ", "\\": "\\", r: "\r", n: "\n" };

export function readLine(line: string): IrcLine | undefined {
  const match = /^(?:@(\S+) +)?(?::(\S+) +)?([A-Za-z]+|\d{3})((?: +[^: ][^ ]*)*)(?: +:(.*))? *$/.exec(line);
  if (match === null) return undefined;
  const [, tags = "", source = "", command = "", middle = "", trailing] = match;
  const params = middle.split(" ").filter((part) => part !== "");
  if (trailing !== undefined) params.push(trailing);
  return { tags: readTags(tags), source, command: command.toUpperCase(), params };
}

function readTags(text: string): Record<string, string> {
  const pairs = text.split(";").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = `${pair}=`.indexOf("=");
      const value = pair.slice(at + 1).replaceAll(/\\(.?)/g, (_, sign: string) => unescaped[sign] ?? sign);
      return [pair.slice(0, at), value];
    }),
  );
}

export function nickOf(source: string): string {
  return source.replace(/[!@].*$/, "");
}

/** Whole characters, at a space where there is one in the second half; empty lines say nothing on IRC. */
export function toLines(text: string, mostBytes: number): string[] {
  return text.split("\n").flatMap((line) => cut(line.trimEnd(), mostBytes));
}

function cut(line: string, mostBytes: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > mostBytes) {
    let end = 0;
    let bytes = 0;
    for (const sign of rest) {
      bytes += Buffer.byteLength(sign);
      if (bytes > mostBytes) break;
      end += sign.length;
    }
    const space = rest.lastIndexOf(" ", end);
    const at = space > end / 2 ? space : Math.max(1, end);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return rest.trim() === "" ? pieces : [...pieces, rest];
}

/** In ASCII, as servers compare names. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
