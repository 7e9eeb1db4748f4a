// Asks the owner before a tool does something that is not plainly harmless. Judges what a call would do to the world,
// never the tool's name. Writing files does not come here: the file roots confine it.
import type { AskRequest } from "../bus/ask.ts";
import { untilAborted } from "../lib/abort.ts";
import { toOneLine } from "../lib/text.ts";
import { type Effect, type ToolContext, ToolError, type ToolWrapper } from "../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";
import { findConcern } from "./simple-command.ts";

/** ask: the owner decides what is not plainly harmless; auto: that is refused without a question; off: all is allowed. */
export type ApprovalMode = "ask" | "auto" | "off";

export type Verdict =
  | { type: "allow" }
  | { type: "ask"; request: AskRequest }
  /** Not even the owner is asked. */
  | { type: "deny"; reason: string };

export type Judge = (effect: Effect, context: ToolContext) => Promise<Verdict>;

export interface ApprovalOptions {
  mode: ApprovalMode;
  judge: Judge;
}

/** Answers for a whole session that are remembered; the oldest go first. */
const mostRemembered = 500;

/** One wrapper for all tools of a program: what is allowed for a session holds for each of them. */
export function withApproval({ mode, judge }: ApprovalOptions): ToolWrapper {
  const remembered = new Set<string>();

  async function refuseOrAsk(effect: Effect, context: ToolContext): Promise<void> {
    const verdict = await judge(effect, context);
    if (verdict.type === "allow") return;
    if (verdict.type === "deny") throw new ToolError(verdict.reason);
    const { request } = verdict;
    if (mode === "auto") {
      throw new ToolError(
        `Not allowed without asking, and asking is switched off. ${request.reason} ${nextAction}`,
      );
    }
    const key = JSON.stringify([context.sessionKey, context.origin.person, request.subject]);
    if (remembered.has(key)) return;
    const answer = await untilAborted(context.ask(request), context.signal);
    if (!answer.isAllowed) {
      throw new ToolError(`Not allowed: ${answer.reason ?? "the owner said no"}. ${nextAction}`);
    }
    if (answer.scope === "session" && request.subject !== undefined) remember(key);
  }

  function remember(key: string): void {
    remembered.add(key);
    const [oldest] = remembered;
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined || mode === "off") return tool;
    return {
      ...tool,
      async execute(args, context) {
        for (const effect of effects(args)) await refuseOrAsk(effect, context);
        return tool.execute(args, context);
      },
    };
  };
}

/** The first judge that does not simply allow an effect decides. */
export function combineJudges(...judges: Judge[]): Judge {
  return async (effect, context) => {
    for (const judge of judges) {
      const verdict = await judge(effect, context);
      if (verdict.type !== "allow") return verdict;
    }
    return { type: "allow" };
  };
}

const nextAction =
  "Do not try the same by other means; go on without it, or tell the user what you wanted to do.";

/** Commands run without asking only if they are plainly harmless; other effects have guards of their own. */
export function createCommandJudge(roots: FileRoots): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "run") return { type: "allow" };
    const { command, workingDirectory } = effect;
    if (command.trim() === "" || command.includes("\0")) {
      return { type: "deny", reason: "Give a command without NUL bytes." };
    }
    const concern = await findConcern(command, { roots, origin, workingDirectory });
    if (concern === undefined) return { type: "allow" };
    const place = workingDirectory === undefined ? "" : ` in ${toOneLine(workingDirectory, 100)}`;
    return {
      type: "ask",
      request: { title: `Run a command${place}`, detail: command, reason: concern, subject: command + place },
    };
  };
}
