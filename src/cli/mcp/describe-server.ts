// A configured MCP server, and the test of one, as a person reads them and as `--json` shows them.
import type { KnownServer } from "../../api/mcp/survey-servers.ts";
import type { ServerTest } from "../../api/mcp/test-servers.ts";
import { say, type Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem } from "../../mcp/problem.ts";
import type { Style } from "../draw/style.ts";
import { fitWidth } from "../draw/text-width.ts";
import type { Terminal } from "../terminal.ts";

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
export function describeServer(report: ServerReport, words: Words, style: Style): string {
  const { name, transport, isDisabled, target, problem } = report;
  const paint = problem === undefined || isDisabled ? style.quiet : style.bad;
  return [
    style.bold(revealLine(name)),
    words.mcp.transports[transport],
    paint(revealLine(describeState(report, words))),
    revealLine(target),
  ].join("  ");
}

export function toTestReport(test: ServerTest, words: Words): ServerTest & { reason?: string } {
  const { problem } = test;
  return { ...test, ...(problem && { reason: say(phraseServerProblem(problem), words) }) };
}

/** With a line for each tool. */
export function describeTest(test: ServerTest, { words, style, stdout }: Terminal): string {
  const { mcp } = words;
  const { name, ms, tools, reason = "" } = toTestReport(test, words);
  if (tools === undefined) return style.bad(mcp.failed(revealLine(name), revealLine(reason)));
  const lines = tools.map((tool) => {
    const text = `  ${revealLine(tool.name)}  ${revealLine(tool.description)}`;
    return style.quiet(fitWidth(text, stdout.columns ?? 120));
  });
  return [style.bold(mcp.connected(revealLine(name), ms, tools.length)), ...lines].join("\n");
}
