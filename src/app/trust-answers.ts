// `/trust` and `/untrust`: the owner does without questions in one conversation for a while, and takes back what was
// allowed for ever. Kept in the session's metadata, so that a restart changes nothing and `/new` ends it.
import type { TrustAnswers } from "../agent/commands.ts";
import { labelsInPrompt } from "../agent/turn-labels.ts";
import type { RememberedApprovals } from "../guards/remembered-approvals.ts";
import { describeLabels } from "../i18n/describe-ask.ts";
import type { Words } from "../i18n/words.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { toOneLine } from "../lib/text.ts";
import { reveal } from "../lib/visible-text.ts";
import type { SessionMetadata } from "../session/message.ts";
import type { SessionStore } from "../session/store.ts";

export interface TrustParts {
  sessions: SessionStore;
  remembered: RememberedApprovals;
  lock: HomeLock;
  clock: Clock;
  words: Words;
}

/** Who asks, and about which conversation. */
export interface TrustPlace {
  sessionKey: string;
  isOwner: boolean;
}

const usualMinutes = 60;
const mostMinutes = 24 * 60;
const longestShown = 120;

/** When it ends; undefined while there is none. More than can be given counts as none: a clock was set back. */
export function readTrust({ trustedUntil }: Readonly<SessionMetadata>, now: number): number | undefined {
  if (typeof trustedUntil !== "number") return undefined;
  return trustedUntil > now && trustedUntil - now <= mostMinutes * 60_000 ? trustedUntil : undefined;
}

export function createTrustAnswers(parts: TrustParts, { sessionKey, isOwner }: TrustPlace): TrustAnswers {
  const { sessions, clock, words } = parts;
  const { trust } = words;

  async function readUntil(): Promise<number | undefined> {
    return readTrust((await sessions.open(sessionKey)).metadata, clock.now());
  }

  async function store(trustedUntil: number | undefined): Promise<void> {
    const release = await parts.lock.acquire(`session ${sessionKey}`);
    try {
      await (await sessions.open(sessionKey)).updateMetadata({ trustedUntil }, { sync: true });
    } finally {
      release();
    }
  }

  return {
    async give(text) {
      if (!isOwner) return trust.ownerOnly;
      const minutes = text === "" ? usualMinutes : Number(text);
      const isUsable = Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes;
      if (!isUsable) return trust.minutes(mostMinutes);
      const until = clock.now() + minutes * 60_000;
      await store(until);
      return [trust.given(toTime(until)), await describeRemembered(parts)].join("\n\n");
    },
    async take(text) {
      if (!isOwner) return trust.ownerOnly;
      if (text !== "") return takeBack(parts, text);
      const ending = (await readUntil()) === undefined ? trust.notGiven : trust.ended;
      await store(undefined);
      return [ending, await describeRemembered(parts)].join("\n\n");
    },
    async describe() {
      const until = await readUntil();
      const labels = labelsInPrompt(await sessions.open(sessionKey));
      return [
        ...(until === undefined ? [] : [trust.until(toTime(until))]),
        ...(labels.length === 0 ? [] : [trust.outside(describeLabels(labels, words))]),
      ];
    },
  };
}

async function takeBack({ words, remembered }: TrustParts, text: string): Promise<string> {
  const known = await remembered.list();
  const chosen = text.toLowerCase() === "all" ? known : known.slice(Number(text) - 1, Number(text));
  if (chosen.length === 0 || !/^(all|\d+)$/i.test(text)) return words.trust.noSuchNumber(toOneLine(text, 40));
  await remembered.remove((approval) =>
    chosen.some(({ subject, place }) => approval.subject === subject && approval.place === place),
  );
  return chosen.map(({ subject }) => words.trust.forgotten(show(subject))).join("\n");
}

async function describeRemembered({ words, remembered }: TrustParts): Promise<string> {
  const known = await remembered.list();
  if (known.length === 0) return words.trust.nothingRemembered;
  const rows = known.map(({ subject }, index) => `${index + 1}. \`${show(subject)}\``);
  return [words.trust.rememberedHead, ...rows, words.trust.forget].join("\n");
}

function show(subject: string): string {
  return toOneLine(reveal(subject).replaceAll("`", "'"), longestShown);
}

/** `2026-08-01 10:00`, local. */
function toTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}
