// SessionManager: the only way to the conversations of a workspace. Every call says for whom: what is another person's or
// group's is refused, or is as if it were not there.
import { basename, dirname, join } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import { removeFile } from "../files/change-files.ts";
import { ownerScope, type Scope } from "../scope.ts";
import {
  joinForgotten,
  toBranchMetadata,
  toClaimedMetadata,
  toRewoundMetadata,
  toSwitchedMetadata,
} from "./metadata.ts";
import { OpenSessions } from "./open-sessions.ts";
import { PendingArchive } from "./pending-archive.ts";
import { toEntryId } from "./reference.ts";
import type { Session } from "./session.ts";
import { copyBeginning, findCut } from "./session-branch.ts";
import { type ListOptions, SessionCards, type StoredCard } from "./session-cards.ts";
import { prepareFolder, type SessionManagerOptions } from "./session-folder.ts";
import { fromConversationKey, toConversationKey, toFileName, toStem } from "./session-name.ts";
import { type SurveyedSession, surveySessions } from "./session-survey.ts";
import { SessionTrash } from "./session-trash.ts";
import { storeTakenSession, type TakenSession } from "./taken-session.ts";

export type { SessionManagerOptions };

export interface BranchTarget {
  /** Key of the new conversation. */
  to: string;
  /** Id of the message that is not taken along; absent: all of it is. */
  before?: string | undefined;
}

export interface Rewound {
  text: string;
  /** Key of what it was before; absent where it has no file. */
  version?: string;
}

export interface ChosenVersion {
  /** Of the message that begins what differs. */
  entryId: string;
  /** Key of a closed conversation. */
  version: string;
}

export interface EntryPlace {
  /** The key of the conversation, as on its card. */
  conversation: string;
  entryId: string;
}

export class SessionManager {
  readonly folder: string;
  /** Closed conversations that wait to be archived. */
  readonly pending: PendingArchive;
  readonly #cards: SessionCards;
  readonly #trash: SessionTrash;
  readonly #open: OpenSessions;

  /** Settles where the sessions of the workspace are, and takes over those of older places. */
  static async open(options: SessionManagerOptions): Promise<SessionManager> {
    return new SessionManager(await prepareFolder(options), options);
  }

  private constructor(folder: string, { root, clock, log }: SessionManagerOptions) {
    this.folder = folder;
    this.#open = new OpenSessions(folder, dirname(root), clock, log);
    this.#cards = new SessionCards(folder);
    this.#trash = new SessionTrash(folder, clock);
    this.pending = new PendingArchive(join(folder, "pending"), clock, (key, name) =>
      this.#open.readClosed(key, join(folder, name)),
    );
  }

  /**
   * The session of a chat, with what other processes did to it meanwhile; its file appears with the first message. Refused
   * where the conversation under this key is of another scope.
   */
  async open(key: string, scope: Scope): Promise<Session> {
    const session = await this.#open.open(key);
    if (!isOf(session, scope)) throw fail("chat.not-found");
    return session;
  }

  /** A conversation by the key of its card, closed ones included; undefined where this scope has none. */
  async find(conversation: string, scope: Scope): Promise<Session | undefined> {
    const session = await this.#openAny(conversation);
    return session !== undefined && isOf(session, scope) ? session : undefined;
  }

  /** Whose a conversation is; undefined for one that is new. */
  async scopeOf(conversation: string): Promise<Scope | undefined> {
    const session = await this.#openAny(conversation);
    return session?.scope ?? (session === undefined || session.count === 0 ? undefined : ownerScope);
  }

  /**
   * The session of a chat for something that is said in it: one that is nobody's yet belongs to this scope from now on,
   * before anything of it is stored. Undefined where it is another's, unless it has this turn already, which goes on in it.
   */
  claim(key: string, scope: Scope, turn?: string): Promise<Session | undefined> {
    return this.#open.exclusively(key, async (session) => {
      if (session.scope === scope) return session;
      // New, or imported from the Python original, which does not separate people.
      const isFree = session.count === 0 || session.scope === undefined;
      if (isFree) await session.updateMetadata(toClaimedMetadata(session.scope, scope));
      return isFree || (turn !== undefined && session.has(turn)) ? session : undefined;
    });
  }

  /** A conversation that is gone with its turn, begun with what was said before. */
  openUnkept(...given: Parameters<OpenSessions["openUnkept"]>): Promise<Session> {
    return this.#open.openUnkept(...given);
  }

  /**
   * Ends a conversation: its file is kept under a name with the time, and the next `open` begins a new one. With
   * `toArchive` it is noted as to be archived before its file has that name. Its key from now on; undefined without one.
   */
  async close(key: string, scope: Scope, { toArchive = false } = {}): Promise<string | undefined> {
    const path = await this.#close(key, scope, toArchive);
    return path === undefined ? undefined : toConversationKey(basename(path), key);
  }

  /** A conversation of another program, as a closed one of the owner. Does nothing where it is there already. */
  take(taken: TakenSession): Promise<void> {
    return storeTakenSession(this.folder, taken);
  }

  /** The cards of a scope, the most recent first. `archived`: also of what was closed. */
  async list(scope: Scope, options: ListOptions = {}): Promise<StoredCard[]> {
    return (await this.#cards.list(options)).filter((card) => card.scope === scope);
  }

  /** Of everyone: only for the owner, to whom the home belongs, and for work on the home as a whole. */
  listAll(options: ListOptions = {}): Promise<StoredCard[]> {
    return this.#cards.list(options);
  }

  /** Undefined while it has no file, and where it is another's. */
  async cardOf(conversation: string, scope: Scope): Promise<StoredCard | undefined> {
    const card = await this.#cards.of(conversation);
    return card?.scope === scope ? card : undefined;
  }

  /** All conversations that a session key ever had in this scope, the present one first. */
  async *findAll(
    sessionKey: string,
    scope: Scope,
  ): AsyncGenerator<{ conversation: string; session: Session }> {
    const present = await this.find(sessionKey, scope);
    if (present !== undefined) yield { conversation: sessionKey, session: present };
    for (const card of await this.list(scope, { archived: true, versions: true })) {
      if (card.sessionKey !== sessionKey || !card.isClosed) continue;
      const session = await this.find(card.key, scope);
      if (session !== undefined) yield { conversation: card.key, session };
    }
  }

  /** Where an entry stands that is referred to: in the session, or in one of its closed conversations. */
  async locate(sessionKey: string, reference: string, scope: Scope): Promise<EntryPlace | undefined> {
    const entryId = toEntryId(reference, sessionKey);
    for await (const { conversation, session } of this.findAll(sessionKey, scope))
      if (session.has(entryId)) return { conversation, entryId };
    return undefined;
  }

  /** A new conversation of the same scope under another key, with all before a user's message, whose text it returns. */
  async branch(conversation: string, scope: Scope, { to, before }: BranchTarget): Promise<string> {
    const session = await this.#findKnown(conversation, scope);
    const cut = await findCut(session, before);
    await copyBeginning(session.path, join(this.folder, toFileName(toStem(to))), {
      key: to,
      from: session,
      most: cut.position,
      forgotten: session.metadata.forgotten ?? [],
      toMetadata: (old) => toBranchMetadata(old, session.metadata),
    });
    return cut.text;
  }

  /** Takes back everything from a user's message on, whose text it returns. The whole is kept as another version of it. */
  async rewind(key: string, scope: Scope, entryId: string): Promise<Rewound> {
    const session = await this.open(key, scope);
    const { metadata, path } = session;
    const { position, text } = await findCut(session, entryId);
    const closed = await this.#close(key, scope, false);
    if (closed === undefined) return { text };
    const version = toConversationKey(basename(closed), key);
    await copyBeginning(closed, path, {
      key,
      from: session,
      most: position,
      forgotten: metadata.forgotten ?? [],
      toMetadata: (old) => toRewoundMetadata(old, metadata, { position, closed: version }),
    });
    return { text, version };
  }

  /** That version of what a message began is the present one from now on. The key of what was, as a version. */
  async switchVersion(key: string, scope: Scope, { entryId, version }: ChosenVersion): Promise<string> {
    const session = await this.open(key, scope);
    const { metadata, path } = session;
    const { position } = await findCut(session, entryId);
    const versions = metadata.versions?.find((each) => each.position === position);
    const isKnown = versions?.keys.includes(version) === true;
    const chosen = isKnown ? await this.#findKnown(version, scope) : undefined;
    if (chosen === undefined) throw fail("chat.not-found");
    const source = await this.#close(key, scope, false);
    const closed = toConversationKey(basename(source ?? path), key);
    const place = { position, chosen: version, closed };
    await copyBeginning(chosen.path, path, {
      key,
      from: chosen,
      most: chosen.count,
      forgotten: joinForgotten(metadata, chosen.metadata),
      toMetadata: (old) => toSwitchedMetadata(old, metadata, place),
    });
    await removeFile(chosen.path);
    return closed;
  }

  /** Puts a conversation aside; what `restore` takes, or undefined where there is no file. */
  async remove(conversation: string, scope: Scope): Promise<string | undefined> {
    const { path } = await this.#findKnown(conversation, scope);
    const { isClosed, key } = fromConversationKey(conversation);
    const closed = isClosed ? path : await this.#close(key, scope, false);
    return closed === undefined ? undefined : this.#trash.take(closed);
  }

  /** Without a way back; false where there is none. */
  async erase(key: string, scope: Scope): Promise<boolean> {
    const path = await this.#close(key, scope, false);
    if (path !== undefined) await removeFile(path);
    return path !== undefined;
  }

  /** Whose a removed conversation is; undefined where there is none. */
  async scopeOfRemoved(name: string): Promise<Scope | undefined> {
    const path = await this.#trash.find(name);
    const session = path === undefined ? undefined : await this.#open.readClosed(name, path);
    return session && (session.scope ?? ownerScope);
  }

  /** Brings back what was removed; the key of the conversation. */
  async restore(name: string, scope: Scope): Promise<string> {
    const path = await this.#trash.find(name);
    if (path === undefined || (await this.scopeOfRemoved(name)) !== scope) throw fail("chat.not-found");
    return this.#trash.restore(path);
  }

  /** Removes for good what can no longer be brought back. */
  pruneRemoved(): Promise<void> {
    return this.#trash.prune();
  }

  /** Every conversation of everyone, removed ones included: for work on the home as a whole. */
  survey(): Promise<SurveyedSession[]> {
    return surveySessions([this.folder, this.#trash.folder], this.#open);
  }

  #close(key: string, scope: Scope, toArchive: boolean): Promise<string | undefined> {
    return this.#open.exclusively(key, async (session) => {
      if (!isOf(session, scope)) throw fail("chat.not-found");
      return this.#open.close(session, async (path) => {
        if (toArchive) await this.pending.note(basename(path), session);
      });
    });
  }

  async #findKnown(conversation: string, scope: Scope): Promise<Session> {
    const session = await this.find(conversation, scope);
    if (session === undefined) throw fail("chat.not-found");
    return session;
  }

  async #openAny(conversation: string): Promise<Session | undefined> {
    const { key, name, isClosed } = fromConversationKey(conversation);
    return isClosed ? this.#open.readClosed(key, join(this.folder, name)) : this.#open.open(key);
  }
}

/** One that nobody has claimed is the owner's; while nothing was said in it, it is anyone's. */
function isOf(session: Session, scope: Scope): boolean {
  return (session.scope ?? (session.count === 0 ? scope : ownerScope)) === scope;
}
