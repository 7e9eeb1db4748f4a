// The folder that is watched, over IMAP: which letters are new, their bytes, and a mark on those that were taken.
// Knows nothing of what is in them.
import type { ImapFlow, SearchObject } from "imapflow";
import { ChannelError, ChannelSetupError } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import type { EmailConfig } from "./email-config.ts";

/** On letters that are to stay unread, or that were not for us. */
const takenMark = "$NanobotTaken";
/** Older than the keys by which the inbox knows a letter again: such mail is left alone. */
const oldestMs = 30 * 24 * 60 * 60 * 1000;
/** With IDLE the server tells at once; a look at this pace also shows that it is still there. */
const idleMs = 60_000;
/**
 * A server that compares the times of folders misses a letter that arrives while it looks, and says nothing of it once IDLE
 * has begun. The next look finds it: the first comes soon, and each pause is twice the one before it, so that no letter
 * waits longer than the folder had been quiet.
 */
const secondLookMs = 2_000;
const largestLetter = 16 * 1024 * 1024;

export interface MailboxOptions {
  config: EmailConfig;
  clock: Clock;
}

export interface RawLetter {
  uid: number;
  /** Unique while the folder exists. */
  id: string;
  source: Uint8Array;
}

export class Mailbox {
  readonly #client: ImapFlow;
  readonly #options: MailboxOptions;
  readonly #lost = Promise.withResolvers<never>();
  #news = Promise.withResolvers<void>();

  constructor(client: ImapFlow, options: MailboxOptions) {
    this.#client = client;
    this.#options = options;
    this.#lost.promise.catch(() => {});
    const lost = phrase("channels.disconnected", { platform: options.config.imapHost });
    client.on("error", () => this.#lost.reject(new ChannelError(lost)));
    client.on("close", () => this.#lost.reject(new ChannelError(lost)));
    client.on("exists", () => this.#news.resolve());
  }

  static async open(options: MailboxOptions, signal: AbortSignal): Promise<Mailbox> {
    const { config } = options;
    const { ImapFlow } = await import("imapflow");
    const client = new ImapFlow({
      host: config.imapHost,
      port: config.imapPort,
      secure: config.imapUseSsl,
      // A password never crosses a network in the clear.
      ...(!config.imapUseSsl && { doSTARTTLS: isLoopbackHost(config.imapHost) ? undefined : true }),
      auth: { user: config.imapUsername, pass: config.imapPassword },
      connectionTimeout: 30_000,
      disableAutoIdle: true,
      logger: false,
    });
    const mailbox = new Mailbox(client, options);
    signal.throwIfAborted();
    onAbort(signal, () => client.close());
    try {
      await client.connect();
      await client.mailboxOpen(config.imapMailbox);
    } catch (error) {
      client.close();
      throw toOpenError(error, config);
    }
    mailbox.#demandMarks();
    return mailbox;
  }

  close(): void {
    this.#client.close();
  }

  /** From now on: resolves when something arrives. To be asked before looking. */
  nextNews(): Promise<void> {
    this.#news = Promise.withResolvers<void>();
    return this.#news.promise;
  }

  /** Letters that nobody has read or taken, the oldest first. */
  async listNew(): Promise<number[]> {
    await this.#client.noop();
    const since = new Date(this.#options.clock.now() - oldestMs);
    const query: SearchObject = { seen: false, deleted: false, since, not: { keyword: takenMark } };
    const uids = await this.#client.search(query, { uid: true });
    return (uids || []).toSorted((a, b) => a - b);
  }

  /** Undefined when it is gone; of a very large one only the beginning. */
  async fetch(uid: number): Promise<RawLetter | undefined> {
    const query = { uid: true, source: { maxLength: largestLetter } };
    const fetched = await this.#client.fetchOne(String(uid), query, { uid: true });
    if (!fetched || fetched.source === undefined) return undefined;
    const { mailbox } = this.#client;
    const validity = mailbox ? mailbox.uidValidity : 0;
    return { uid, id: `uid:${validity}.${uid}`, source: fetched.source };
  }

  /** It is not read again. Only accepted letters are moved. */
  async mark(uid: number, isTaken: boolean): Promise<void> {
    const { markSeen, postAction, postActionMoveMailbox, postActionExpunge } = this.#options.config;
    const asRead = this.#takesMarks() ? isTaken && markSeen : markSeen;
    const range = { uid: String(uid) };
    await this.#client.messageFlagsAdd(range, [asRead ? "\\Seen" : takenMark]);
    if (!isTaken) return;
    if (postAction === "move" && postActionMoveMailbox)
      await this.#client.messageMove(range, postActionMoveMailbox);
    if (postAction !== "delete") return;
    if (postActionExpunge) await this.#client.messageDelete(range);
    else await this.#client.messageFlagsAdd(range, ["\\Deleted"]);
  }

  /**
   * Until something arrives, or it is time for a look. True when something arrived. Rejects when the connection is lost.
   * `quietLooks`: how often in a row there was nothing.
   */
  async rest(news: Promise<void>, quietLooks: number): Promise<boolean> {
    const { clock, config } = this.#options;
    const hasIdle = this.#client.capabilities.has("IDLE");
    const longest = hasIdle ? idleMs : config.pollIntervalSeconds * 1000;
    const isOver = new AbortController();
    if (hasIdle) this.#client.idle().catch(() => {});
    try {
      const pause = clock.sleep(Math.min(secondLookMs * 2 ** quietLooks, longest), isOver.signal);
      const arrived = news.then(() => true);
      return await Promise.race([arrived, this.#lost.promise, pause.then(() => false)]);
    } finally {
      isOver.abort();
    }
  }

  #takesMarks(): boolean {
    const { mailbox } = this.#client;
    const flags = mailbox ? mailbox.permanentFlags : undefined;
    return flags === undefined || flags.has("\\*") || flags.has(takenMark);
  }

  #demandMarks(): void {
    if (this.#options.config.markSeen || this.#takesMarks()) return;
    throw new ChannelSetupError(phrase("channels.no-mail-marks"));
  }
}

function toOpenError(error: unknown, { imapHost, imapMailbox }: EmailConfig): Error {
  const { authenticationFailed, mailboxMissing, responseStatus } = error as ImapError;
  if (authenticationFailed)
    return new ChannelSetupError(phrase("channels.imap-credentials", { host: imapHost }));
  if (mailboxMissing || responseStatus === "NO")
    return new ChannelSetupError(phrase("channels.no-mail-folder", { folder: imapMailbox }));
  return new ChannelError(phrase("channels.unreachable", { platform: imapHost }));
}

interface ImapError {
  authenticationFailed?: boolean;
  mailboxMissing?: boolean;
  responseStatus?: string;
}
