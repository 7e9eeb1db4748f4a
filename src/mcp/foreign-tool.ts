// A tool, resource or prompt of a server as a tool of ours. It can be called although its server is not connected yet:
// the call connects it.
import { sayInEnglish } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";
import { type Arguments, type CompileSchema, foreignParameters } from "./arguments.ts";
import { cleanText } from "./clean-text.ts";
import { type ProblemKind, phraseServerProblem, ServerError } from "./problem.ts";
import { type ResultOptions, toToolResult } from "./result.ts";
import type { Ask, ServerConnection } from "./server-connection.ts";
import type { Entry } from "./server-list.ts";

export interface ForeignToolOptions extends ResultOptions {
  /** What the model calls it. */
  name: string;
  entry: Entry;
  connection: ServerConnection;
  compile: CompileSchema;
  clock: Clock;
}

const betweenProgressMs = 250;
/** After these nobody knows whether the call was carried out. */
const uncertain = new Set<ProblemKind>(["ended", "no-answer", "too-large"]);

export function createForeignTool(options: ForeignToolOptions): Tool<Arguments> {
  const { name, entry, server, compile } = options;
  const { isReadOnly, isIdempotent } = entry;
  return {
    name,
    description: entry.description,
    parameters: foreignParameters(entry, compile),
    ...(isReadOnly && { readOnly: true }),
    ...(isIdempotent && { repeat: "safe" }),
    effects: () => [{ type: "call", server, tool: entry.name, isReadOnly }],
    execute: (args, context) => execute(args, context, options),
  };
}

async function execute(args: Arguments, context: ToolContext, options: ForeignToolOptions) {
  const { entry, server, connection } = options;
  const { isIdempotent } = entry;
  try {
    const answer = await connection.ask({
      ...toRequest(entry, args),
      isRepeatable: isIdempotent,
      signal: context.signal,
      onProgress: reportProgress(context, options),
      ...toAskPerson(context),
    });
    return toToolResult(answer, options);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const doubt =
      uncertain.has(error.problem.kind) && !isIdempotent
        ? "It may have been done all the same: check before you try again."
        : "Go on without it, or tell the user.";
    const reason = sayInEnglish(phraseServerProblem(error.problem));
    throw new ToolError(options.redact(`The MCP server "${server}" failed: ${reason}. ${doubt}`));
  }
}

function toRequest({ kind, name, uri }: Entry, args: Arguments): Pick<Ask, "method" | "params"> {
  if (kind === "resource") return { method: "resources/read", params: { uri } };
  return { method: kind === "tool" ? "tools/call" : "prompts/get", params: { name, arguments: args } };
}

/** Questions are for the owner, as approvals are: a guest has not chosen this server. */
function toAskPerson({ origin, ask }: ToolContext): Pick<Ask, "askPerson"> {
  if (origin.role !== "owner") return {};
  const { person } = origin;
  return { askPerson: (asking, signal) => ask({ kind: "choice", person, detail: "", ...asking }, signal) };
}

/** A line now and then, however often the server reports. */
function reportProgress(context: ToolContext, { clock, redact }: ForeignToolOptions): Ask["onProgress"] {
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    if (clock.elapsed() - last < betweenProgressMs) return;
    last = clock.elapsed();
    const amount = total === undefined ? String(progress) : `${progress} / ${total}`;
    context.progress(redact(cleanText(typeof message === "string" ? message : amount, 200)));
  };
}
