// `nanobot mcp add`: from a command line, an address, or what was copied from another client. Then tries what was added.
import { readFile } from "node:fs/promises";
import type { ParamsOf } from "../../api/table.ts";
import { tellProblems } from "../../config/problem.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import { CommandFailure } from "../command-failure.ts";
import type { McpOptions } from "../command-line.ts";
import { withClient } from "../open-client.ts";
import { readPipedText } from "../piped-text.ts";
import type { CommandContext } from "../terminal.ts";
import { describeTest, toTestReport } from "./describe-server.ts";

export async function addServers(options: McpOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const { words, stdout, style } = terminal;
  const request = await readRequest(options, context);
  return withClient(options, terminal, async ({ client, paths }) => {
    const { added, ignored, problems } = await client.call("mcp.add", request);
    const faults = options.test ? tellProblems(problems, words) : [];
    const isTested = options.test && faults.length === 0;
    const { tests } = isTested ? await client.call("mcp.test", { names: added }, { signal }) : { tests: [] };
    const lines = [
      words.mcp.added(added.map(revealLine).join(", "), paths.config),
      ...(ignored.length > 0 ? [style.warning(words.mcp.ignored(ignored.map(revealLine).join(", ")))] : []),
      ...faults.map((fault) => style.bad(neutralise(fault))),
      ...tests.map((test) => describeTest(test, terminal)),
    ];
    const report = { added, ignored, tests: tests.map((test) => toTestReport(test, words)) };
    stdout.write(`${options.json === true ? JSON.stringify(report) : lines.join("\n")}\n`);
    return faults.length === 0 && tests.every(({ ok }) => ok) ? 0 : 1;
  });
}

/** What was typed says which of the three forms it is. */
async function readRequest(options: McpOptions, context: CommandContext): Promise<ParamsOf<"mcp.add">> {
  const { name, words: typed, url, header = [], env = [], json } = options;
  const { mcp } = context.terminal.words;
  const pairs = (given: string[]) => Object.fromEntries(given.map((pair) => splitPair(pair, mcp.notAPair)));
  const [command = "", ...args] = typed;
  const source = [name ?? "", command].find(isSource);
  if (source !== undefined || (json === true && url === undefined && command === "")) {
    const pasted = await readSource(source ?? "-", context);
    return { pasted, ...(name !== undefined && name !== source && { name }) };
  }
  if (name === undefined || (url === undefined) === (command === ""))
    throw new CommandFailure(mcp.needsTarget, 2);
  const target: JsonObject = url === undefined ? { command, args } : { url };
  if (env.length > 0) target.env = pairs(env);
  if (header.length > 0) target.headers = pairs(header);
  return { servers: { [name]: target } };
}

/** JSON itself, a file of it, or `-` for stdin. */
function isSource(word: string): boolean {
  return word === "-" || /^\s*["{]/.test(word) || /\.json$/i.test(word);
}

async function readSource(source: string, { terminal, signal }: CommandContext): Promise<string> {
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
