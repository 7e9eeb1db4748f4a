// Mail, over IMAP and SMTP. A thread of letters is a session. A letter counts as taken only when it is safe with us.
import type { Attachment } from "mailparser";
import type { Channel, ChannelInbox } from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { untilAborted } from "../../lib/abort.ts";
import { toLabel } from "../../lib/labels.ts";
import { takeHead } from "../../lib/text.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { type EmailConfig, emailSchema, ownAddress } from "./email-config.ts";
import { isGenuine } from "./is-genuine.ts";
import { headersNamed, type Letter, readLetter } from "./letter.ts";
import { Mailbox, type RawLetter } from "./mailbox.ts";
import { toOwnText } from "./own-text.ts";
import { openPost, type Post } from "./post.ts";
import { readThreadId, Threads, toThread, toThreadId } from "./threads.ts";

export const email = defineChannel<EmailConfig>({
  schema: emailSchema,
  create: async (config, context) => new Email(config, context, await openPost(config)),
  async check(config, { clock }, signal) {
    const mailbox = await Mailbox.open({ config, clock }, signal);
    mailbox.close();
    await untilAborted((await openPost(config)).check(), signal);
    return ownAddress(config);
  },
});

class Email implements Channel {
  readonly name = "email";
  readonly capabilities: Channel["capabilities"] = {
    format: "email",
    // A letter has two forms, plain and HTML, and both are made from it.
    markup: "markdown",
    streaming: "none",
    isQuiet: true,
    media: true,
    typing: false,
    // A letter can be forged and may come days later: nothing is approved by one.
    canAsk: false,
  };
  readonly #config: EmailConfig;
  readonly #context: ChannelContext;
  readonly #post: Post;
  readonly #threads: Threads;

  constructor(config: EmailConfig, context: ChannelContext, post: Post) {
    this.#config = config;
    this.#context = context;
    this.#post = post;
    this.#threads = new Threads(context.folder);
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    try {
      const mailbox = await Mailbox.open({ config: this.#config, clock }, signal);
      try {
        await untilAborted(this.#post.check(), signal);
        await this.#watch(mailbox, inbox, signal);
      } finally {
        mailbox.close();
      }
    } catch (error) {
      // It is aborted by closing the connection.
      if (!signal.aborted) throw error;
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    if (!this.#config.autoReplyEnabled && part.kind !== "message") return {};
    const thread = part.thread === undefined ? undefined : await this.#threads.find(part);
    return { platformId: await this.#post.send(part, readThreadId(part.thread), thread) };
  }

  async #watch(mailbox: Mailbox, inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    for (let quietLooks = 0; !signal.aborted; ) {
      const news = mailbox.nextNews();
      const letters = await mailbox.listNew();
      for (const uid of letters) {
        if (signal.aborted) return;
        await this.#take(uid, mailbox, inbox);
        inbox.reportAlive();
      }
      inbox.reportAlive();
      const hasNews = await mailbox.rest(news, quietLooks);
      quietLooks = hasNews || letters.length > 0 ? 0 : quietLooks + 1;
    }
  }

  async #take(uid: number, mailbox: Mailbox, inbox: ChannelInbox): Promise<void> {
    const raw = await mailbox.fetch(uid);
    if (raw === undefined) return;
    const letter = await this.#read(raw);
    const isTaken = letter !== undefined && (await this.#receive(letter, raw.id, inbox));
    await mailbox.mark(uid, isTaken);
  }

  /** Undefined if it is skipped. A letter that cannot be read must not hold up those behind it. */
  async #read(raw: RawLetter): Promise<Letter | undefined> {
    const { log } = this.#context;
    const pass = (reason: string) => log.info("message-ignored", { channel: this.name, id: raw.id, reason });
    let letter: Letter | undefined;
    try {
      letter = await readLetter(raw.source);
    } catch (error) {
      log.warn("letter-not-read", { channel: this.name, id: raw.id, error });
      return undefined;
    }
    if (letter === undefined) pass("nobody wrote it");
    else if (letter.from === ownAddress(this.#config)) pass("written by ourselves");
    else if (isAutomatic(letter)) pass("written by a program");
    else if (!isGenuine(letter, this.#config)) pass("its sender is not proven");
    else return letter;
    return undefined;
  }

  async #receive(letter: Letter, id: string, inbox: ChannelInbox): Promise<boolean> {
    const { from, name, messageId = id, references } = letter;
    const thread = toThread(toThreadId(references, messageId));
    // Before it is received, since the answer may be sent at once.
    await this.#threads.add({ channel: this.name, chatId: from, thread }, letter);
    return inbox.receive({
      platformId: messageId,
      chat: { id: from, isGroup: false, thread },
      sender: { id: from, name },
      text: this.#toText(letter),
      media: await this.#keep(letter.attachments, inbox),
      labels: [toLabel("mail", from)],
      isAddressed: true,
    });
  }

  /** The subject comes first, so that no letter begins with a slash and is taken for a command. */
  #toText({ subject, text, references }: Letter): string {
    const { maxBodyChars } = this.#config;
    const newText = toOwnText(text, references.length > 0);
    const shown = takeHead(newText, maxBodyChars);
    const rest = newText.length - shown.length;
    return `Subject: ${subject}\n\n${shown}${rest > 0 ? `\n[${rest} more characters were left out]` : ""}`;
  }

  async #keep(attachments: Attachment[], inbox: ChannelInbox): Promise<string[]> {
    const { allowedAttachmentTypes, maxAttachmentSize, maxAttachmentsPerEmail } = this.#config;
    const wanted = attachments
      .filter(({ contentType }) => allowedAttachmentTypes.some((type) => isType(contentType, type)))
      .filter(({ content }) => content.length <= maxAttachmentSize)
      .slice(0, maxAttachmentsPerEmail);
    const kept: string[] = [];
    for (const { filename = "attachment", content } of wanted) {
      const path = await inbox.keep({ name: filename, bytes: toBytes(content) });
      if (path !== undefined) kept.push(path);
    }
    return kept;
  }
}

function isType(type: string, pattern: string): boolean {
  if (pattern === "*" || pattern === "*/*") return true;
  const [given, wanted] = [type.toLowerCase(), pattern.toLowerCase()];
  return wanted.endsWith("/*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}

async function* toBytes(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

const machines = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+-].*)?$/;
const listHeaders = ["list-id", "list-unsubscribe", "x-autoreply", "x-autorespond", "feedback-id"];

/** Whether a program wrote a mail: lists, bounces, notes of absence. Answering one could go on forever. */
function isAutomatic(letter: Letter): boolean {
  const says = (name: string, pattern: RegExp) =>
    headersNamed(letter, name).some((value) => pattern.test(value));
  return (
    machines.test(letter.from.split("@", 1)[0] ?? "") ||
    says("auto-submitted", /^(?!no\b)/i) ||
    says("precedence", /^(bulk|junk|list|auto_reply)\b/i) ||
    says("return-path", /^<\s*>$/) ||
    says("content-type", /^multipart\/report\b/i) ||
    listHeaders.some((name) => headersNamed(letter, name).length > 0)
  );
}
