// Asks the owner before a tool does something that is not plainly harmless. Judges what a call would do to the world,
// never the tool's name. Whether a question is needed is the judges' business; here is who answers it, and for how long.
import { type Answer, type Approval, noChoice, toApprovalChoices } from "../../bus/ask.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { untilAborted } from "../../lib/abort.ts";
import { takeHead } from "../../lib/text.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import { type Effect, type ToolContext, ToolError, type ToolWrapper } from "../../runner/tool.ts";
import type { RememberedApprovals } from "../../storage/grants/remembered-approvals.ts";
import { scopeOf } from "../../storage/scope.ts";

/**
 * ask: the owner decides what is not plainly harmless; auto: that is refused without a question; off: it is done
 * without a question in turns of the owner. What is denied is denied in each of them.
 */
export type ApprovalMode = "ask" | "auto" | "off";

/** What a judge asks about. The risk is by default that of the effect; the choices follow from the subject. */
export type ApprovalRequest = Omit<Approval, "kind" | "choices" | "risk"> & {
  risk?: Phrase;
  /** What a yes for ever says, where it covers more than exactly this. */
  always?: Phrase;
};

export type Verdict =
  | { type: "allow" }
  | { type: "ask"; request: ApprovalRequest }
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
/** Of what the owner wrote; the rest is in the message itself. */
const longestReply = 2_000;
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
        `Not allowed without asking, and asking is switched off. ${sayInEnglish(...request.reasons)} ${nextAction}`,
      );
    }
    const answer = await untilAborted(context.ask(request), context.signal);
    if (answer.choice === noChoice) throw new ToolError(`Not allowed: ${describeRefusal(answer)}`);
    await remember(answer, request, context);
  }

  /** A yes that was given before there was content from outside does not speak for what comes after it. */
  async function isAnswered(request: Approval, context: ToolContext): Promise<boolean> {
    const { subject, labels } = request;
    if (subject !== undefined && ofSession.has(keyOf(request, context))) return true;
    if (labels !== undefined || context.origin.role !== "owner") return false;
    if (await options.isTrusted?.(context)) return true;
    return (
      isExact(request) &&
      subject !== undefined &&
      (await remembered?.has(scopeOf(context.origin), subject, placeOf(context))) === true
    );
  }

  async function remember({ choice }: Answer, request: Approval, context: ToolContext): Promise<void> {
    if (choice === "once" || request.subject === undefined) return;
    ofSession.add(keyOf(request, context));
    const [oldest] = ofSession;
    if (ofSession.size > mostRemembered && oldest !== undefined) ofSession.delete(oldest);
    if (choice === "always" && isExact(request))
      await remembered?.add(scopeOf(context.origin), request.subject, placeOf(context));
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

/** For the model. What the owner wrote instead of choosing is the next thing to go by. */
function describeRefusal({ text, silence }: Answer): string {
  if (text !== undefined) return `the owner said no, and: ${takeHead(text, longestReply)}`;
  const why = {
    nobody: "nobody is there to be asked",
    late: "nobody answered within 10 minutes",
    none: "the owner said no",
  }[silence ?? "none"];
  return `${why}. ${nextAction}`;
}

/** Only an exact subject may be allowed for ever. */
function isExact({ choices }: Approval): boolean {
  return choices.some(({ id }) => id === "always");
}

function keyOf({ subject, labels }: Approval, { sessionKey, origin }: ToolContext): string {
  return JSON.stringify([sessionKey, origin.person, subject, labels !== undefined]);
}

const risks: Record<Effect["type"], Phrase> = {
  read: phrase("approval.risk-files"),
  write: phrase("approval.risk-files"),
  run: phrase("approval.risk-command"),
  fetch: phrase("approval.risk-network"),
  send: phrase("approval.risk-people"),
  schedule: phrase("approval.risk-later"),
  spawn: phrase("approval.risk-alone"),
  call: phrase("approval.risk-foreign"),
};

/** As the owner sees it, on whatever surface: nothing in it is obeyed, nothing is left out. */
function toShown(request: ApprovalRequest, effect: Effect, isOwner: boolean): Approval {
  const { always, ...shown } = request;
  const { detail, risk = risks[effect.type], labels, subject } = request;
  const visible = reveal(detail.replaceAll("\r\n", "\n").trimEnd());
  if (visible.length > longestDetail) {
    throw new ToolError(
      `This is ${visible.length} characters long, too long for the owner to decide on. Do it in smaller steps.`,
    );
  }
  const isLasting = effect.type === "run" && labels === undefined && isOwner;
  const choices = toApprovalChoices({
    session: subject !== undefined,
    always: isLasting && (always === undefined || toVisible(always)),
  });
  const reasons = request.reasons.map(toVisible);
  const title = toVisible(request.phrase);
  return { ...shown, kind: "approval", phrase: title, detail: visible, reasons, risk, choices };
}

/** Parameters may be names that a stranger chose. */
function toVisible({ code, params }: Phrase): Phrase {
  const visible = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? revealLine(value) : value,
  ]);
  return { code, params: Object.fromEntries(visible) } as Phrase;
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
