// A tool call in a few words, as a terminal or a chat shows it: `read notes.md`, `$ npm test`, `grep "x"`.
import { takeHead, takeTail } from "../text.ts";
import { revealLine } from "../visible-text.ts";

type Arguments = Record<string, unknown>;

/** How a known tool is shown: its word, which argument tells most, and what that argument is. */
interface HintForm {
  word: string;
  argument: string;
  kind: "path" | "quoted" | "plain";
}

const forms: Record<string, HintForm> = {
  read_file: { word: "read", argument: "path", kind: "path" },
  write_file: { word: "write", argument: "path", kind: "path" },
  edit_file: { word: "edit", argument: "path", kind: "path" },
  list_dir: { word: "ls", argument: "path", kind: "path" },
  glob: { word: "glob", argument: "pattern", kind: "quoted" },
  grep: { word: "grep", argument: "pattern", kind: "quoted" },
  exec: { word: "$", argument: "command", kind: "plain" },
  web_search: { word: "search", argument: "query", kind: "quoted" },
  web_fetch: { word: "fetch", argument: "url", kind: "plain" },
};

/** At most about `limit` characters of the argument; foreign text in it is shown, not obeyed. */
export function toolHint(name: string, args: Arguments, limit: number): string {
  const form = forms[name];
  if (form === undefined) return callHint(name, args, limit);
  const value = args[form.argument];
  const text = typeof value === "string" ? value : "";
  if (form.kind === "quoted") return `${form.word} "${shorten(text, limit)}"`;
  return `${form.word} ${form.kind === "path" ? shortenPath(text || ".", limit) : shorten(text, limit)}`;
}

/** `server::tool("argument")` for a foreign tool, `tool("argument")` for any other. */
function callHint(name: string, args: Arguments, limit: number): string {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  const called = server === undefined ? name : `${server}::${tool}`;
  const first = Object.values(args).find((value) => typeof value === "string" && value !== "");
  return `${shorten(called, 60)}(${first === undefined ? "" : `"${shorten(String(first), limit)}"`})`;
}

function shorten(text: string, limit: number): string {
  const line = revealLine(takeHead(text.trim(), limit + 1));
  return line.length > limit ? `${takeHead(line, limit - 1)}…` : line;
}

/** The end of a path says more than its beginning. */
function shortenPath(path: string, limit: number): string {
  const shown = revealLine(takeTail(path, limit + 1));
  if (path.length <= limit) return shown;
  const tail = takeTail(shown, limit - 1);
  const slash = tail.indexOf("/");
  return `…${slash === -1 ? tail : tail.slice(slash)}`;
}
