// One conversation as a viewer sees it: its stored messages by the page, what was shown with them, and what
// happens in it now, all as of one numbered event.
import type { ModelRuntime } from "../../agent/dependencies.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { Viewer } from "../operation.ts";
import {
  type FileReference,
  findFiles,
  picturesFirst,
  toAttachments,
  toEntry,
  toWholeText,
} from "./entry-view.ts";
import { missing, type SessionAccess, type SessionCards } from "./session-access.ts";
import type { KeptTurn, ShownNotes } from "./shown-log.ts";
import type { Aside, Entry, LiveConversations, OpenedSession, Said } from "./wire.ts";

export interface ConversationParts {
  access: SessionAccess;
  cards: SessionCards;
  live: LiveConversations;
  shown: ShownNotes;
  modelOf(session: Session): Promise<ModelRuntime>;
}

export interface PageRequest {
  sessionKey: string;
  /** Entries before this one. */
  before?: string;
  /** Entries on both sides of this one. */
  around?: string;
  limit?: number;
}

const usualLimit = 100;

export class Conversations {
  readonly #parts: ConversationParts;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  async open(request: PageRequest, viewer: Viewer): Promise<OpenedSession> {
    const { access, cards, live, shown, modelOf } = this.#parts;
    const { sessionKey } = request;
    const { session, scope } = await access.open(sessionKey, viewer);
    const { path } = session;
    const card = await cards.of(sessionKey, scope);
    const { settings } = await modelOf(session);
    const page = await readPage(session, request);
    const notes = await shown.read(sessionKey);
    // Closed meanwhile: another one has the key. Or so much was said that some of it is no longer in memory.
    const isTornOff = page.isLast && session.start > page.end;
    if (session.path !== path || isTornOff) return this.open(request, viewer);
    // From here on nothing is waited for: messages and events are of the same moment. What is kept with them is read
    // last, because viewers are notified right after it was written.
    const { said, ...state } = live.stateOf(sessionKey);
    const { hasMore, to } = page;
    const messages = page.isLast ? [...page.messages, ...session.slice(page.end)] : page.messages;
    const turns = new Map(notes.turns.map((turn) => [turn.turnId, turn]));
    const tasks = new Map(notes.tasks.map((task) => [task.turnId, task]));
    const entries = messages.flatMap((message) => toEntry(message, { sessionKey, turns, tasks }) ?? []);
    const from = hasMore ? (messages[0]?.at ?? 0) : 0;
    const isHere = ({ at }: { at: number }) => at >= from && at < to;
    const waiting = new Map([...notes.said.filter(isHere), ...said].map((each) => [each.turnId, each]));
    return {
      session: { ...card, isRunning: state.running !== undefined, isAsking: state.asks.length > 0 },
      entries,
      asides: notes.asides.filter(isHere).map(
        ({ media, ...aside }): Aside => ({
          ...aside,
          ...withFiles(sessionKey, aside.id, media),
        }),
      ),
      said: [...waiting.values()]
        .filter(({ turnId }) => !session.has(turnId))
        .map(({ media, ...each }): Said => ({ ...each, ...withFiles(sessionKey, each.turnId, media) })),
      hasMore,
      ...toVersions(session, messages, page.end - page.messages.length),
      model: settings.model,
      ...state,
    };
  }

  async readEntry(sessionKey: string, entryId: string, viewer: Viewer): Promise<string> {
    const { session } = await this.#parts.access.open(sessionKey, viewer);
    const message = await findMessage(session, entryId);
    if (message === undefined) throw missing();
    return toWholeText(message);
  }

  async readAll(
    sessionKey: string,
    viewer: Viewer,
  ): Promise<{ messages: StoredMessage[]; entries: Entry[] }> {
    const { session } = await this.#parts.access.open(sessionKey, viewer);
    const turns = new Map<string, KeptTurn>();
    const messages = await session.read();
    return { messages, entries: messages.flatMap((each) => toEntry(each, { sessionKey, turns }) ?? []) };
  }

  /** Of a message, or of something that was shown with it, in the order of their addresses. */
  async filesOf(sessionKey: string, id: string, viewer: Viewer): Promise<FileReference[]> {
    const files = await this.#findFiles(sessionKey, id, viewer);
    return files.toSorted((a, b) => picturesFirst(a.path, b.path));
  }

  async #findFiles(sessionKey: string, id: string, viewer: Viewer): Promise<FileReference[]> {
    const { access, shown, live } = this.#parts;
    const { session } = await access.open(sessionKey, viewer);
    const message = await findMessage(session, id);
    if (message !== undefined) return findFiles(message);
    const notes = await shown.read(sessionKey);
    const said = [...live.stateOf(sessionKey).said, ...notes.said].find(({ turnId }) => turnId === id);
    const media = said?.media ?? notes.asides.find((aside) => aside.id === id)?.media ?? [];
    return media.map((path) => ({ path, isGiven: true }));
  }
}

interface Page {
  messages: StoredMessage[];
  /** Position after its last message. */
  end: number;
  hasMore: boolean;
  /** It goes to the end of the conversation. */
  isLast: boolean;
  /** When what comes after it was said. */
  to: number;
}

const endless = Number.POSITIVE_INFINITY;

async function readPage(
  session: Session,
  { before, around, limit = usualLimit }: PageRequest,
): Promise<Page> {
  const find = async (wanted: string) => {
    const position = await session.locate(wanted);
    if (position < 0) throw missing();
    return position;
  };
  const half = Math.floor(limit / 2);
  const end = before === undefined ? session.count : await find(before);
  const start = Math.max(0, around === undefined ? end - limit : (await find(around)) - half);
  const isLast = before === undefined || around !== undefined;
  const messages = await session.read(start, isLast ? endless : end + 1);
  const next = isLast ? undefined : messages.pop();
  return { messages, end: start + messages.length, hasMore: start > 0, isLast, to: next?.at ?? endless };
}

/** Of those messages; the first one has that position. */
function toVersions(
  { isClosed, metadata, count }: Session,
  messages: readonly StoredMessage[],
  start: number,
): Pick<OpenedSession, "versions" | "isTakenBack"> {
  const all = isClosed ? [] : (metadata.versions ?? []);
  const versions = all.flatMap(({ position, keys }) => {
    const message = messages[position - start];
    return message === undefined ? [] : [{ entryId: message.id, keys: [...keys] }];
  });
  const isTakenBack = all.some(({ position }) => position === count);
  return { ...(versions.length > 0 && { versions }), ...(isTakenBack && { isTakenBack }) };
}

async function findMessage(session: Session, id: string): Promise<StoredMessage | undefined> {
  const position = await session.locate(id);
  return position < 0 ? undefined : (await session.read(position, position + 1))[0];
}

function withFiles(sessionKey: string, id: string, media: readonly string[]): Pick<Said, "attachments"> {
  const attachments = toAttachments(sessionKey, id, media);
  return attachments === undefined ? {} : { attachments };
}
