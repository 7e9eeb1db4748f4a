// Daily notes of conversations that were not archived: the first turn of a new day leaves one line for each earlier day
// on which something was said. Written by rule, without a model; what is archived later gets its summary in addition.
import { parseSessionKey } from "../bus/session-key.ts";
import type { Clock } from "../lib/clock.ts";
import { joinLabels, labelsOf } from "../lib/labels.ts";
import { toOneLine } from "../lib/text.ts";
import type { Documents } from "../storage/documents/memory-store.ts";
import { ownerScope, type Scope } from "../storage/scope.ts";
import { readEntry } from "../storage/sessions/format/entry-facts.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";

export interface DayNotesOptions {
  documents: Documents;
  sessions: SessionManager;
  clock: Clock;
}

/** A person who comes back later than this reads no notes of these days anyway. */
const longestPauseMs = 7 * 24 * 60 * 60 * 1000;
const longestQuote = 60;

export class DayNotes {
  readonly #options: DayNotesOptions;
  /** The day on which the conversations of a scope were last looked at. */
  readonly #lookedAt = new Map<Scope, string>();

  constructor(options: DayNotesOptions) {
    this.#options = options;
  }

  /** True when something was noted. The caller holds the home lock. */
  async write(scope: Scope): Promise<boolean> {
    const { documents, sessions, clock } = this.#options;
    const today = documents.options.toDay(clock.now());
    if (this.#lookedAt.get(scope) === today) return false;
    this.#lookedAt.set(scope, today);
    let count = 0;
    for (const { sessionKey, isClosed, spokenAt, metadata } of await sessions.list(scope)) {
      const isRecent = spokenAt > clock.now() - longestPauseMs && documents.options.toDay(spokenAt) < today;
      const isChat = parseSessionKey(sessionKey).kind === "chat" && metadata.subagent === undefined;
      // Closed ones are archived.
      if (!isRecent || !isChat || isClosed) continue;
      count += await this.#note(await sessions.open(sessionKey, scope), today);
    }
    return count > 0;
  }

  /** How many days got a line. */
  async #note(session: Session, today: string): Promise<number> {
    const { documents } = this.#options;
    const store = documents.of(session.metadata.scope ?? ownerScope);
    const messages = session.slice(session.lastConsolidated);
    const before = messages.findIndex(({ id }) => id === session.metadata.noted);
    const dayOf = ({ at }: StoredMessage) => (at === undefined ? today : documents.options.toDay(at));
    const open = messages.slice(before + 1).filter((message) => dayOf(message) < today);
    const days = [...Map.groupBy(open, dayOf).values()].filter((said) => said.some(isSaid));
    for (const said of days) {
      const at = said.at(-1)?.at;
      const labels = joinLabels(...said.map(labelsOf));
      await store.addNote({
        content: describeDay(said),
        labels,
        session_key: session.key,
        ...(at && { at }),
      });
    }
    if (open.length > 0) await session.updateMetadata({ noted: open.at(-1)?.id });
    return days.length;
  }
}

function isSaid(message: StoredMessage): boolean {
  const { kind, text } = readEntry(message);
  return kind === "user" && text !== "";
}

/** `7 messages, from "Book the train" to "And the way back?"` */
function describeDay(messages: readonly StoredMessage[]): string {
  const said = messages
    .filter(isSaid)
    .map((message) => `"${toOneLine(readEntry(message).text, longestQuote)}"`);
  const [first = "", last = ""] = [said[0], said.at(-1)];
  if (said.length === 1) return first;
  return `${said.length} messages, from ${first} to ${last}`;
}
