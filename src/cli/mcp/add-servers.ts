// Adds MCP servers to the config: from a command line, an address, or what was copied from another client. Then tries them.
import { readFile } from "node:fs/promises";
import type { JsonObject } from "../../lib/json-tree.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { CommandFailure } from "../command-failure.ts";
import { readPipedText } from "../piped-text.ts";
import { type McpRequest, openRequest, saveServers } from "./open-request.ts";
import { type PastedServers, readPastedServers } from "./pasted-servers.ts";
import { describeTest, tryServers } from "./test-servers.ts";

export async function addServers(request: McpRequest): Promise<number> {
  const { options, context, paths } = request;
  const { words, stdout, style } = context.terminal;
  const { servers, ignored } = await readServers(request);
  const names = Object.keys(servers);
  const present = request.loaded.config.tools.mcpServers;
  const taken = names.find((name) => Object.hasOwn(present, name));
  if (taken !== undefined) throw new CommandFailure(words.mcp.exists(revealLine(taken)));
  await saveServers(request, servers);
  const tests = options.test ? await tryServers(names, await openRequest(options, context)) : [];
  const lines = [
    words.mcp.added(names.map(revealLine).join(", "), paths.config),
    ...(ignored.length > 0 ? [style.warning(words.mcp.ignored(ignored.map(revealLine).join(", ")))] : []),
    ...tests.map((test) => describeTest(test, request)),
  ];
  const text = options.json === true ? JSON.stringify({ added: names, ignored, tests }) : lines.join("\n");
  stdout.write(`${text}\n`);
  return tests.every(({ ok }) => ok) ? 0 : 1;
}

/** What was typed says which of the three forms it is. */
async function readServers(request: McpRequest): Promise<PastedServers> {
  const { name, words: typed, url, header = [], env = [], json } = request.options;
  const { mcp } = request.context.terminal.words;
  const pairs = (given: string[]) => Object.fromEntries(given.map((pair) => splitPair(pair, mcp.notAPair)));
  const [command = "", ...args] = typed;
  const source = [name ?? "", command].find(isSource);
  if (source !== undefined || (json === true && url === undefined && command === "")) {
    return paste(source ?? "-", name === source ? undefined : name, request);
  }
  if (name === undefined || (url === undefined) === (command === ""))
    throw new CommandFailure(mcp.needsTarget, 2);
  const target: JsonObject = url === undefined ? { command, args } : { url };
  if (env.length > 0) target.env = pairs(env);
  if (header.length > 0) target.headers = pairs(header);
  return { servers: { [name]: target }, ignored: [] };
}

/** JSON itself, a file of it, or `-` for stdin. */
function isSource(word: string): boolean {
  return word === "-" || /^\s*["{]/.test(word) || /\.json$/i.test(word);
}

async function paste(source: string, name: string | undefined, request: McpRequest): Promise<PastedServers> {
  const { mcp } = request.context.terminal.words;
  const pasted = await readPastedServers(await readSource(source, request), name);
  if (pasted === undefined) throw new CommandFailure(mcp.notServers);
  return pasted;
}

async function readSource(source: string, { context: { terminal, signal } }: McpRequest): Promise<string> {
  if (/^\s*["{]/.test(source)) return source;
  if (source !== "-") return readFile(source, "utf8");
  const { stdin, words, stderr } = terminal;
  const say = (sentence: string) => void stderr.write(`${sentence}\n`);
  return readPipedText({ stdin, hasMessage: false, words, say, signal });
}

/** `NAME=value`, and `Name: value` as headers are often written. */
function splitPair(pair: string, complain: (pair: string) => string): [string, string] {
  const [, name, value] = /^([^=:\s]+)\s*[=:]\s*(.*)$/s.exec(pair) ?? [];
  // Only the name is repeated: the rest may be a secret.
  if (name === undefined || value === undefined) throw new CommandFailure(complain(pair.slice(0, 20)), 2);
  return [name, value];
}
