// Picks what a request is about out of a person's words: what stands in quotes, a path, a command.

/** Each an opening and a closing mark. */
const quotes = ["``", '""', "“”", "「」", "《》", "''", "‘’"];

/** What stands in the outermost quotes, if the text begins or is enclosed with them. */
export function findQuoted(text: string): string | undefined {
  const trimmed = text.trim();
  for (const [open = "", close = ""] of quotes) {
    const start = trimmed.indexOf(open);
    const end = trimmed.lastIndexOf(close);
    const isOpening =
      start === 0 || (start > 0 && /[\s:：，,]|\p{Script=Han}/u.test(trimmed[start - 1] ?? ""));
    if (isOpening && end > start + 1) return trimmed.slice(start + 1, end);
  }
  return undefined;
}

export function unquote(text: string): string {
  const trimmed = text.trim();
  const isQuoted = quotes.some(
    ([open = "", close = ""]) => trimmed.startsWith(open) && trimmed.endsWith(close),
  );
  return isQuoted && trimmed.length > 2 ? trimmed.slice(1, -1).trim() : trimmed;
}

const separators = "\\s，。！？、；：“”‘’「」（）()\"'`";
const fileName = new RegExp(
  `^(?:文件|名为|叫)?([^${separators}]{1,200}?\\.[A-Za-z0-9]{1,8})(?![A-Za-z0-9.])`,
);
const asciiPath = /(?<![\w./~-])(?:[\w.~-]*\/[\w./~-]*|[\w-]+\.[A-Za-z0-9]{1,8})(?![\w/])/;

/** In quotes, or recognisable by an ending or a slash; "weather" is not one. */
export function findPath(text: string): string | undefined {
  const trimmed = text.trim();
  return findQuoted(trimmed) ?? fileName.exec(trimmed)?.[1] ?? asciiPath.exec(trimmed)?.[0];
}

/** A folder may have any name; none is the workspace itself. */
export function findFolder(text: string): string | undefined {
  const words = text.replaceAll(
    /(?:当前|这个|我的|工作区?|的|\b(?:the|this|my|current|workspace|here|folder|directory)\b)/gi,
    " ",
  );
  const quoted = findQuoted(text);
  if (quoted !== undefined) return quoted;
  const [folder = ".", ...rest] = words.trim().split(/\s+/).filter(Boolean);
  return rest.length === 0 && !/\.[A-Za-z]{1,5}$/.test(folder) ? folder : undefined;
}

const harmless =
  /^(?:ls|cat|pwd|date|wc|whoami|uname|hostname|uptime|df|du|head|tail|echo|id|git|which|env|node|npm|python3?|cal|tree|stat|file)(?=\s|$)/;

/** In quotes it may be any command (the guards judge it); in bare words only one that can hardly be anything else. */
export function findCommand(text: string): string | undefined {
  const trimmed = text.trim();
  return /^`([^`]+)`/.exec(trimmed)?.[1] ?? (harmless.test(trimmed) ? trimmed : undefined);
}

/** One item of a Markdown list, its further lines indented. */
export function toListItem(words: string): string | undefined {
  const text = unquote(words);
  return text === "" ? undefined : `- ${text.replaceAll(/\r?\n/g, "\n  ")}`;
}

/** A pattern that finds the words as they are written. */
export function toPattern(words: string): string {
  return words.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

export function toGlob(name: string): string {
  return /[*?[{]/.test(name) ? name : `**/*${name}*`;
}
