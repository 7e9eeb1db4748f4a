// Sending letters over SMTP: one letter for one part, to the one address of its chat and to nobody else.
import { basename } from "node:path";
import type { Transporter } from "nodemailer";
import { ChannelError, ChannelSetupError, SendError } from "../../bus/channel.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { toOneLine } from "../../lib/text.ts";
import { toHtml, toPlain } from "../markup.ts";
import { type EmailConfig, isAddress, ownAddress } from "./email-config.ts";
import { digest, type Thread, toMessageId } from "./threads.ts";

export async function openPost(config: EmailConfig): Promise<Post> {
  const { createTransport } = await import("nodemailer");
  const { smtpUsername: user, smtpPassword: pass } = config;
  const transport = createTransport({
    host: config.smtpHost,
    port: config.smtpPort,
    secure: config.smtpUseSsl,
    requireTLS: config.smtpUseTls && !config.smtpUseSsl,
    ignoreTLS: !config.smtpUseTls && !config.smtpUseSsl,
    ...(user !== "" && { auth: { user, pass } }),
    connectionTimeout: 30_000,
    greetingTimeout: 30_000,
    socketTimeout: 60_000,
    disableUrlAccess: true,
  });
  return new Post(config, transport);
}

export class Post {
  readonly #config: EmailConfig;
  readonly #transport: Transporter;

  constructor(config: EmailConfig, transport: Transporter) {
    this.#config = config;
    this.#transport = transport;
  }

  /** Throws when letters could not be sent like this. */
  async check(): Promise<void> {
    try {
      await this.#transport.verify();
    } catch (error) {
      const { smtpHost } = this.#config;
      if ((error as SmtpError).code === "EAUTH")
        throw new ChannelSetupError(phrase("channels.smtp-credentials", { host: smtpHost }));
      throw new ChannelError(phrase("channels.unreachable", { platform: smtpHost }));
    }
  }

  /** The id of the letter. */
  async send(part: OutboundPart, threadId: string | undefined, thread: Thread | undefined): Promise<string> {
    if (!isAddress(part.chatId))
      throw new SendError(phrase("channels.no-mail-address", { address: part.chatId }), {
        isPermanent: true,
      });
    const from = ownAddress(this.#config);
    const domain = from.split("@")[1] ?? "localhost";
    const id = toMessageId(part.id, threadId ?? digest(part.id).slice(0, 16), domain);
    const { replyTo } = part;
    const answered = replyTo?.startsWith("<") ? replyTo : thread?.references.at(-1);
    const isAnswer = answered !== undefined;
    try {
      await this.#transport.sendMail({
        from: { name: "", address: from },
        to: { name: "", address: part.chatId },
        envelope: { from, to: [part.chatId] },
        messageId: id,
        subject: this.#toSubject(part, thread),
        text: toPlain(part.text),
        html: toPage(part.text),
        ...(isAnswer && { inReplyTo: answered, references: toReferences(thread, answered) }),
        headers: { "Auto-Submitted": isAnswer ? "auto-replied" : "auto-generated" },
        attachments: part.media.map((path) => ({ path, filename: basename(path) })),
      });
    } catch (error) {
      throw toSendError(error, this.#config);
    }
    return id;
  }

  #toSubject({ text }: OutboundPart, thread: Thread | undefined): string {
    if (thread === undefined) return toOneLine(toPlain(text), 78) || "(no subject)";
    const subject = thread.subject.replace(/^((re|aw|sv|回复|回覆|答复)\s*(\[\d+\])?\s*[:：]\s*)+/i, "");
    return `${this.#config.subjectPrefix}${subject}`;
  }
}

function toReferences(thread: Thread | undefined, answered: string): string[] {
  const before = (thread?.references ?? []).filter((id) => id !== answered);
  return [...before, answered];
}

/** Lines break where they were broken; code keeps its own. */
function toPage(markdown: string): string {
  const pieces = toHtml(markdown).split(/(<pre>[\s\S]*?<\/pre>)/);
  const shown = pieces.map((piece) => (piece.startsWith("<pre>") ? piece : piece.replaceAll("\n", "<br>\n")));
  return `<!DOCTYPE html><html><body>${shown.join("")}</body></html>`;
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
}

/** A server's text may quote what was sent to it, so only its number is passed on. */
function toSendError(error: unknown, { smtpHost }: EmailConfig): Error {
  const { code, responseCode } = error as SmtpError;
  if (code === "EAUTH") return new SendError(phrase("channels.smtp-credentials", { host: smtpHost }));
  if (code === "ESTREAM" || code === "ENOENT")
    return new SendError(phrase("channels.file-unreadable"), { isPermanent: true });
  if (responseCode === undefined)
    return new ChannelError(phrase("channels.unreachable", { platform: smtpHost }));
  const isPermanent = responseCode >= 500;
  return new SendError(
    phrase("channels.mail-refused", { host: smtpHost, status: responseCode }),
    isPermanent ? { isPermanent } : { retryAfterMs: 60_000 },
  );
}
