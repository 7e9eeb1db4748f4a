// A configured MCP server as a person reads it, in one line.
import { describeState, type ServerReport } from "../../app/survey-servers.ts";
import type { Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { Style } from "../draw/style.ts";

/** `github  program  12 tools, seen 2026-08-01 10:00`, or what is wrong. */
export function describeServer(report: ServerReport, { mcp }: Words, style: Style): string {
  const { name, transport, isDisabled, target } = report;
  const state = isDisabled ? mcp.disabled : describeState(report, mcp);
  const paint = report.problem === undefined || isDisabled ? style.quiet : style.bad;
  return [
    style.bold(revealLine(name)),
    mcp.transports[transport],
    paint(revealLine(state)),
    revealLine(target),
  ].join("  ");
}
