// `/trust` and `/untrust`: the owner does without questions in one conversation for a while, and takes back what was
// allowed for ever. Kept in the session's metadata, so that a restart changes nothing and `/new` ends it.
import type { RememberedApproval } from "../guards/remembered-approvals.ts";
import { toLocalIso } from "../lib/clock.ts";
import { toOneLine } from "../lib/text.ts";
import { reveal } from "../lib/visible-text.ts";
import type { SessionMetadata } from "../session/message.ts";
import type { Session } from "../session/session.ts";
import type { Words } from "../words/words.ts";
import { describeLabels } from "./describe-ask.ts";
import { labelsInPrompt } from "./turn-labels.ts";

export interface TrustContext {
  words: Words;
  isOwner: boolean;
  now: number;
  updateSession(patch: SessionMetadata): Promise<void>;
  openSession(): Promise<{ metadata: Readonly<SessionMetadata> }>;
  /** What is allowed for ever. */
  remembered: {
    list(): Promise<RememberedApproval[]>;
    remove(isTakenBack: (approval: RememberedApproval) => boolean): Promise<void>;
  };
}

const usualMinutes = 60;
const mostMinutes = 24 * 60;
const longestShown = 120;

/** When it ends; undefined while there is none. More than can be given counts as none: a clock was set back. */
export function readTrust({ trustedUntil }: Readonly<SessionMetadata>, now: number): number | undefined {
  if (typeof trustedUntil !== "number") return undefined;
  return trustedUntil > now && trustedUntil - now <= mostMinutes * 60_000 ? trustedUntil : undefined;
}

/** What `/status` says of it, and of what came into the conversation from outside. */
export function describeStanding(session: Session, { words, now }: TrustContext): string[] {
  const until = readTrust(session.metadata, now);
  const labels = labelsInPrompt(session);
  return [
    ...(until === undefined ? [] : [words.trust.until(toTime(until))]),
    ...(labels.length === 0 ? [] : [words.trust.outside(describeLabels(labels, words))]),
  ];
}

export async function trust(context: TrustContext, text: string): Promise<string> {
  const { words, isOwner, now } = context;
  if (!isOwner) return words.trust.ownerOnly;
  const minutes = text === "" ? usualMinutes : Number(text);
  const isUsable = Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes;
  if (!isUsable) return words.trust.minutes(mostMinutes);
  const trustedUntil = now + minutes * 60_000;
  await context.updateSession({ trustedUntil });
  return [words.trust.given(toTime(trustedUntil)), await describeRemembered(context)].join("\n\n");
}

export async function untrust(context: TrustContext, text: string): Promise<string> {
  const { words, isOwner, now } = context;
  if (!isOwner) return words.trust.ownerOnly;
  if (text !== "") return takeBack(context, text);
  const { metadata } = await context.openSession();
  const wasTrusted = readTrust(metadata, now) !== undefined;
  if (metadata.trustedUntil !== undefined) await context.updateSession({ trustedUntil: undefined });
  const ending = wasTrusted ? words.trust.ended : words.trust.notGiven;
  return [ending, await describeRemembered(context)].join("\n\n");
}

async function takeBack({ words, remembered }: TrustContext, text: string): Promise<string> {
  const known = await remembered.list();
  const chosen = text.toLowerCase() === "all" ? known : known.slice(Number(text) - 1, Number(text));
  if (chosen.length === 0 || !/^(all|\d+)$/i.test(text)) return words.trust.noSuchNumber(toOneLine(text, 40));
  await remembered.remove((approval) =>
    chosen.some(
      ({ at, subject, place }) =>
        approval.at === at && approval.subject === subject && approval.place === place,
    ),
  );
  return chosen.map(({ subject }) => words.trust.forgotten(show(subject))).join("\n");
}

async function describeRemembered({ words, remembered }: TrustContext): Promise<string> {
  const known = await remembered.list();
  if (known.length === 0) return words.trust.nothingRemembered;
  const rows = known.map(({ subject }, index) => `${index + 1}. \`${show(subject)}\``);
  return [words.trust.rememberedHead, ...rows, words.trust.forget].join("\n");
}

function show(subject: string): string {
  return toOneLine(reveal(subject).replaceAll("`", "'"), longestShown);
}

/** `2026-08-01 10:00`, local. */
export function toTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}
