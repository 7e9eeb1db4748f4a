// Versions of an answer: each time something is taken back and said or answered again, the whole of before is kept as a closed
// conversation, and the present one remembers at which place there are such. Only the present one's record counts.
import { isRecord } from "../../lib/is-record.ts";
import type { StoredCard } from "./session-cards.ts";

export interface Versions {
  /** Position of the first message that differs, the beginning of a turn. */
  position: number;
  /** Closed conversations by the keys of their cards, oldest first; "" is the one that has this record. */
  keys: readonly string[];
}

const present = "";
/** What is beyond it is listed in the archive like every closed conversation. */
const mostKeys = 50;

export function readVersions(value: unknown): readonly Versions[] | undefined {
  return Array.isArray(value) ? value.filter(isVersions) : undefined;
}

function isVersions(value: unknown): value is Versions {
  if (!isRecord(value) || !Array.isArray(value.keys)) return false;
  const isPlaced = typeof value.position === "number" && Number.isSafeInteger(value.position);
  return isPlaced && value.keys.every((key) => typeof key === "string") && value.keys.includes(present);
}

/** The present one was closed as `closed`, and begins again before that position. */
export function withVersion(all: readonly Versions[], position: number, closed: string): Versions[] {
  const { keys } = all.find((each) => each.position === position) ?? { keys: [present] };
  const next = [...keys.map((key) => (key === present ? closed : key)), present];
  return [...all.filter((each) => each.position < position), { position, keys: next.slice(-mostKeys) }];
}

export interface Switch {
  position: number;
  /** Is the present one from now on. */
  chosen: string;
  /** What the present one was closed as. */
  closed: string;
}

/** `now`: of what was the present one; `old`: of the chosen one, which counts for what comes later. */
export function switchVersions(
  now: readonly Versions[],
  old: readonly Versions[],
  { position, chosen, closed }: Switch,
): Versions[] {
  const rename = (key: string) => (key === present ? closed : key === chosen ? present : key);
  return [
    ...now.filter((each) => each.position < position),
    ...now
      .filter((each) => each.position === position)
      .map(({ keys }) => ({ position, keys: keys.map(rename) })),
    ...old.filter((each) => each.position > position),
  ];
}

/** Without closed conversations that are versions of one that is not closed. */
export function withoutVersions<Card extends Pick<StoredCard, "key" | "isClosed" | "metadata">>(
  cards: readonly Card[],
): Card[] {
  const byKey = new Map(cards.map((card) => [card.key, card]));
  const hidden = new Set<string>();
  const hide = ({ metadata }: Pick<Card, "metadata">): void => {
    for (const key of (metadata.versions ?? []).flatMap(({ keys }) => keys)) {
      const card = hidden.has(key) ? undefined : byKey.get(key);
      if (card?.isClosed !== true) continue;
      hidden.add(key);
      hide(card);
    }
  };
  for (const card of cards) if (!card.isClosed) hide(card);
  return cards.filter(({ key }) => !hidden.has(key));
}
