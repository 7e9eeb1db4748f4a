// `nanobot mcp`: lists, adds, removes and tests MCP servers.
import { readFile } from "node:fs/promises";
import type { Client } from "../../api/client.ts";
import type { ParamsOf } from "../../api/index.ts";
import type { KnownServer, ServerTest } from "../../api/mcp/survey-servers.ts";
import { tellProblems } from "../../config/problem.ts";
import { say, type Words } from "../../i18n/words.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem } from "../../mcp/problem.ts";
import type { McpOptions } from "../command-line/options.ts";
import type { Style } from "../draw/style.ts";
import { fitWidth } from "../draw/text-width.ts";
import { reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { readPipedText } from "../terminal/piped-text.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

export async function runMcp(options: McpOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  if (["remove", "login", "logout"].includes(options.action) && options.name === undefined)
    throw new CommandFailure(words.mcp.needsName(options.action), 2);
  if (options.action === "add") return addServers(options, context);
  if (options.action === "serve") return (await import("./mcp-serve.ts")).serveMcp(options, context);
  return reportWithClient(options, context, async (opened) => {
    if (options.action !== "login") return act(options, context, opened.client);
    await (await import("./mcp-login.ts")).signIn(options, context, opened);
    return act({ ...options, action: "test" }, context, opened.client);
  });
}

async function act(
  { action, name = "" }: McpOptions,
  { terminal, signal }: CommandContext,
  client: Client,
): Promise<Report> {
  const { words, style } = terminal;
  if (action === "remove") {
    const { removed } = await client.call("mcp.remove", { name });
    return { json: { removed }, text: words.mcp.removed(revealLine(removed)) };
  }
  if (action === "logout") {
    const { wasSignedIn } = await client.call("mcp.logout", { name });
    const text = wasSignedIn
      ? words.mcp.signIn.signedOut(revealLine(name))
      : words.mcp.signIn.wasNot(revealLine(name));
    return { json: { wasSignedIn }, text };
  }
  if (action === "test") {
    const { tests } = await client.call("mcp.test", name === "" ? {} : { names: [name] }, { signal });
    const reports = tests.map((test) => toTestReport(test, words));
    const lines = tests.map((test) => describeTest(test, terminal));
    return {
      json: name === "" ? reports : reports[0],
      text: lines.join("\n") || words.mcp.none,
      code: tests.every(({ ok }) => ok) ? 0 : 1,
    };
  }
  const { servers } = await client.call("mcp.list", {});
  const reports = servers.map((server) => toServerReport(server, words));
  const lines = reports.map((server) => describeServer(server, words, style));
  return { json: reports, text: lines.join("\n") || words.mcp.none };
}

/** From a command line, an address, or what was copied from another client. Then tests what was added. */
async function addServers(options: McpOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const { words, style } = terminal;
  const request = await readRequest(options, context);
  // With `add` the flag `--json` also names the input.
  return reportWithClient(options, context, async ({ client, paths }) => {
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
    return {
      json: { added, ignored, tests: tests.map((test) => toTestReport(test, words)) },
      text: lines.join("\n"),
      code: faults.length === 0 && tests.every(({ ok }) => ok) ? 0 : 1,
    };
  });
}

/** What was typed says which of the three forms it is. */
async function readRequest(options: McpOptions, context: CommandContext): Promise<ParamsOf<"mcp.add">> {
  const { name, words: typed, url, header = [], env = [], json, preset } = options;
  if (preset !== undefined) return { preset, ...(name !== undefined && { name }) };
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

export interface ServerReport extends Omit<KnownServer, "problem"> {
  /** Why it could not be used when it was last tried, in words. */
  problem?: string;
}

export function toServerReport({ problem, ...server }: KnownServer, words: Words): ServerReport {
  return { ...server, ...(problem && { problem: say(phraseServerProblem(problem), words) }) };
}

/** `12 tools, seen 2026-08-01 10:00`, or what is wrong. */
export function describeState(
  { isDisabled, problem, offered, seenAt }: ServerReport,
  { mcp }: Words,
): string {
  if (isDisabled) return mcp.disabled;
  if (problem !== undefined) return problem;
  if (offered === undefined || seenAt === undefined) return mcp.unseen;
  return mcp.offered(offered, seenAt.slice(0, 16).replace("T", " "));
}

/** `github  program  12 tools, seen 2026-08-01 10:00`. */
function describeServer(report: ServerReport, words: Words, style: Style): string {
  const { name, transport, isDisabled, target, problem } = report;
  const paint = problem === undefined || isDisabled ? style.quiet : style.bad;
  return [
    style.bold(revealLine(name)),
    words.mcp.transports[transport],
    paint(revealLine(describeState(report, words))),
    revealLine(target),
  ].join("  ");
}

function toTestReport(test: ServerTest, words: Words): ServerTest & { reason?: string } {
  const { problem } = test;
  return { ...test, ...(problem && { reason: say(phraseServerProblem(problem), words) }) };
}

/** With a line for each tool. */
function describeTest(test: ServerTest, { words, style, stdout }: Terminal): string {
  const { mcp } = words;
  const { name, ms, tools, reason = "" } = toTestReport(test, words);
  if (tools === undefined) return style.bad(mcp.failed(revealLine(name), revealLine(reason)));
  const lines = tools.map((tool) => {
    const text = `  ${revealLine(tool.name)}  ${revealLine(tool.description)}`;
    return style.quiet(fitWidth(text, stdout.columns ?? 120));
  });
  return [style.bold(mcp.connected(revealLine(name), ms, tools.length)), ...lines].join("\n");
}
