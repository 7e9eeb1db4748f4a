// Asks the owner before a tool does something that is not plainly harmless. Judges what a call would do to the world,
// never the tool's name. Whether a question is needed is the judges' business; here is who answers it, and for how long.
import type { Answer, AskRequest, Risk } from "../bus/ask.ts";
import { untilAborted } from "../lib/abort.ts";
import { reveal, revealLine } from "../lib/visible-text.ts";
import { type Effect, type ToolContext, ToolError, type ToolWrapper } from "../runner/tool.ts";
import type { RememberedApprovals } from "./remembered-approvals.ts";

/**
 * ask: the owner decides what is not plainly harmless; auto: that is refused without a question; off: it is done
 * without a question in turns of the owner. What is denied is denied in each of them.
 */
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
  /** Answers for ever; absent: there are none. */
  remembered?: RememberedApprovals;
  /** The place that an answer for ever is about: the file root of the turn. */
  placeOf?(context: ToolContext): string;
  /** The owner has said that this session needs no questions for a while. */
  isTrusted?(context: ToolContext): Promise<boolean>;
}

/** Answers for a whole session that are remembered; the oldest go first. */
const mostRemembered = 500;
/** What a person can still look through. */
const longestDetail = 20_000;
const nextAction =
  "Do not try the same by other means; go on without it, or tell the user what you wanted to do.";

/** One wrapper for all tools of a program: what is allowed for a session holds for each of them. */
export function withApproval({ mode, judge, remembered, ...options }: ApprovalOptions): ToolWrapper {
  const ofSession = new Set<string>();
  const placeOf = (context: ToolContext) => options.placeOf?.(context) ?? "";

  async function refuseOrAsk(effect: Effect, context: ToolContext): Promise<void> {
    const verdict = await judge(effect, context);
    if (verdict.type === "allow") return;
    if (verdict.type === "deny") throw new ToolError(verdict.reason);
    const isOwner = context.origin.role === "owner";
    if (mode === "off" && isOwner) return;
    const request = toShown(verdict.request, effect, isOwner);
    if (await isAnswered(request, context)) return;
    if (mode === "auto") {
      throw new ToolError(
        `Not allowed without asking, and asking is switched off. ${request.reason} ${nextAction}`,
      );
    }
    const answer = await untilAborted(context.ask(request), context.signal);
    if (!answer.isAllowed) {
      throw new ToolError(`Not allowed: ${answer.reason ?? "the owner said no"}. ${nextAction}`);
    }
    await remember(answer, request, context);
  }

  /** A yes that was given before there was content from outside does not speak for what comes after it. */
  async function isAnswered(request: AskRequest, context: ToolContext): Promise<boolean> {
    const { subject, labels, isExact } = request;
    if (subject !== undefined && ofSession.has(keyOf(request, context))) return true;
    if (labels !== undefined || context.origin.role !== "owner") return false;
    if (await options.isTrusted?.(context)) return true;
    const isKept = isExact === true && subject !== undefined;
    return isKept && (await remembered?.has(subject, placeOf(context))) === true;
  }

  async function remember({ scope }: Answer, request: AskRequest, context: ToolContext): Promise<void> {
    if (scope === "once" || request.subject === undefined) return;
    ofSession.add(keyOf(request, context));
    const [oldest] = ofSession;
    if (ofSession.size > mostRemembered && oldest !== undefined) ofSession.delete(oldest);
    if (scope === "always" && request.isExact) await remembered?.add(request.subject, placeOf(context));
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        for (const effect of effects(args)) await refuseOrAsk(effect, context);
        return tool.execute(args, context);
      },
    };
  };
}

function keyOf({ subject, labels }: AskRequest, { sessionKey, origin }: ToolContext): string {
  return JSON.stringify([sessionKey, origin.person, subject, labels !== undefined]);
}

const risks: Record<Effect["type"], Risk> = {
  read: "files",
  write: "files",
  run: "command",
  fetch: "network",
  send: "people",
  schedule: "later",
  spawn: "alone",
  call: "foreign",
};

/** As the owner sees it, on whatever surface: nothing in it is obeyed, nothing is left out. */
function toShown(request: AskRequest, effect: Effect, isOwner: boolean): AskRequest {
  const { title, detail, reason, risk = risks[effect.type], labels, subject } = request;
  const visible = reveal(detail.replaceAll("\r\n", "\n").trimEnd());
  if (visible.length > longestDetail) {
    throw new ToolError(
      `This is ${visible.length} characters long, too long for the owner to decide on. Do it in smaller steps.`,
    );
  }
  const isExact = effect.type === "run" && subject !== undefined && labels === undefined && isOwner;
  return {
    ...request,
    title: revealLine(title),
    detail: visible,
    reason: revealLine(reason),
    risk,
    ...(isExact && { isExact }),
  };
}

/** A refusal of any judge holds; otherwise the first that asks is heard. */
export function combineJudges(...judges: Judge[]): Judge {
  return async (effect, context) => {
    let asked: Verdict = { type: "allow" };
    for (const judge of judges) {
      const verdict = await judge(effect, context);
      if (verdict.type === "deny") return verdict;
      if (asked.type === "allow") asked = verdict;
    }
    return asked;
  };
}
