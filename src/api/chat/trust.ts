// Trust operations: the owner switches questions off in one conversation for a while, and takes back permanent approvals.
// Stored in the session's metadata, so a restart changes nothing and `/new` ends it.
import * as z from "zod";
import type { Origin } from "../../bus/types.ts";
import { fail } from "../../i18n/user-error.ts";
import { toOneLine } from "../../lib/text.ts";
import { scopeOf } from "../../storage/scope.ts";
import type { SessionMetadata } from "../../storage/sessions/metadata.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { type Caller, operation } from "../operation.ts";
import { type ConversationServices, chatOf, openChat } from "./chat-services.ts";

const usualMinutes = 60;
const mostMinutes = 24 * 60;

/** When it ends; undefined while there is none. More than can be given counts as none: a clock was set back. */
export function readTrust({ trustedUntil }: SessionMetadata, now: number): number | undefined {
  if (trustedUntil === undefined) return undefined;
  return trustedUntil > now && trustedUntil - now <= mostMinutes * 60_000 ? trustedUntil : undefined;
}

interface TrustQuestion {
  sessionKey: string;
  origin: Origin;
  now: number;
}

/** A subagent is trusted while its parent's conversation is. */
export async function isTrusted(
  sessions: SessionManager,
  { sessionKey, origin, now }: TrustQuestion,
): Promise<boolean> {
  const scope = scopeOf(origin);
  const session = await sessions.find(sessionKey, scope);
  const parent = session?.metadata.subagent?.parent;
  const trusted = parent === undefined ? session : await sessions.find(parent, scope);
  return readTrust(trusted?.metadata ?? {}, now) !== undefined;
}

const giveTrust = operation({
  name: "trust.give",
  about: "No questions in this conversation for so many minutes. Says also what is allowed for ever.",
  access: "owner",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ minutes: z.number().optional() }),
  async run({ conversation, clock }, { minutes = usualMinutes }, caller) {
    const isUsable = Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes;
    if (!isUsable) throw fail("trust.minutes", { most: mostMinutes });
    const until = clock.now() + minutes * 60_000;
    await store(conversation, caller, until);
    return { until, remembered: await listRemembered(conversation) };
  },
});

const endTrust = operation({
  name: "trust.end",
  about: "Questions are asked again in this conversation. Says also what is allowed for ever.",
  access: "owner",
  needs: "assistant",
  changes: [],
  params: z.strictObject({}),
  async run({ conversation, clock }, _, caller) {
    const { metadata } = await openChat(conversation.sessions, caller);
    const wasGiven = readTrust(metadata, clock.now()) !== undefined;
    await store(conversation, caller, undefined);
    return { wasGiven, remembered: await listRemembered(conversation) };
  },
});

const forgetApproval = operation({
  name: "trust.forget",
  about: "Takes back what was allowed for ever: one by its number in the list, or all.",
  access: "owner",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ which: z.string().max(200) }),
  async run({ conversation }, { which }): Promise<{ forgotten: string[] }> {
    const known = await listLasting(conversation);
    const chosen = which.toLowerCase() === "all" ? known : known.slice(Number(which) - 1, Number(which));
    if (chosen.length === 0 || !/^(all|\d+)$/i.test(which))
      throw fail("trust.no-such-number", { number: toOneLine(which, 40) });
    for (const { forget } of chosen) await forget();
    return { forgotten: chosen.map(({ subject }) => subject) };
  },
});

export const trustOperations = [giveTrust, endTrust, forgetApproval] as const;

async function store(
  { sessions }: ConversationServices,
  caller: Caller,
  trustedUntil: number | undefined,
): Promise<void> {
  const { sessionKey, origin } = chatOf(caller);
  // Trust needs a conversation with a known person, also before the first message.
  const session = await sessions.claim(sessionKey, scopeOf(origin));
  if (session === undefined) throw fail("chat.not-found");
  await session.updateMetadata({ trustedUntil }, { sync: true });
}

async function listRemembered(services: ConversationServices): Promise<string[]> {
  return (await listLasting(services)).map(({ subject }) => subject);
}

interface LastingYes {
  subject: string;
  forget(): Promise<void>;
}

/** Permanent approvals: answers to questions, and grants of skills. */
async function listLasting({ remembered, skills }: ConversationServices): Promise<LastingYes[]> {
  const approvals = (await remembered.listAll()).map(({ subject, place }) => ({
    subject,
    forget: () => remembered.remove((other) => other.subject === subject && other.place === place),
  }));
  const granted = (await skills.survey()).list().filter(({ isGranted }) => isGranted);
  const ofSkills = granted.map(({ name, hash, wants: { commands, hosts } }) => ({
    subject: `skill ${name}: ${[...commands, ...hosts].join(", ")}`,
    forget: () => skills.grant(hash, false),
  }));
  return [...approvals, ...ofSkills];
}
