// The block `channels.email`: two servers, and what is done with mail.
import * as z from "zod";
import type { PhraseCode } from "../../i18n/phrase.ts";

const port = (usual: number) => z.int().min(1).max(65_535).default(usual);
const text = z.string().min(1);

export const emailSchema = z
  .object({
    consentGranted: z
      .literal(true)
      .describe("You agree that the assistant reads and answers the mail in this mailbox"),
    imapHost: text.describe("IMAP server, for reading mail"),
    imapPort: port(993).describe("IMAP port"),
    imapUsername: text.describe("IMAP user name"),
    imapPassword: text.describe("IMAP password, usually an app password"),
    imapMailbox: text.default("INBOX").describe("Folder to watch"),
    imapUseSsl: z.boolean().default(true).describe("Use TLS from the start; otherwise STARTTLS"),
    smtpHost: text.describe("SMTP server, for sending mail"),
    smtpPort: port(587).describe("SMTP port"),
    smtpUsername: z.string().default("").describe("SMTP user name; empty means no login"),
    smtpPassword: z.string().default("").describe("SMTP password"),
    smtpUseTls: z.boolean().default(true).describe("Require STARTTLS"),
    smtpUseSsl: z.boolean().default(false).describe("Use TLS from the start, usually with port 465"),
    fromAddress: z.string().default("").describe("Address of the assistant; empty means the user name"),
    pollIntervalSeconds: z
      .number()
      .min(5)
      .default(30)
      .describe("Seconds between checks for new mail, if the server does not support IDLE"),
    markSeen: z.boolean().default(true).describe("Mark processed mail as read"),
    postAction: z.enum(["delete", "move"]).nullish().describe("What to do with processed mail"),
    postActionMoveMailbox: z.string().nullish().describe("Folder for processed mail"),
    postActionExpunge: z.boolean().default(false).describe("Remove deleted mail at once"),
    autoReplyEnabled: z
      .boolean()
      .default(true)
      .describe("Send answers; otherwise only messages that a tool sends"),
    maxBodyChars: z.int().min(1).default(12_000).describe("Maximum length of a mail's text, in characters"),
    subjectPrefix: z.string().default("Re: ").describe("Prefix for the subject of an answer"),
    verifyDkim: z
      .boolean()
      .default(true)
      .describe("Accept only mail whose DKIM signature your mail server confirmed"),
    verifySpf: z
      .boolean()
      .default(true)
      .describe("Accept only mail whose sending server (SPF) your mail server confirmed"),
    authenticationServer: z
      .string()
      .default("")
      .describe(
        "Name that your mail server uses in its Authentication-Results header; empty means the first such header counts",
      ),
    allowedAttachmentTypes: z
      .array(z.string())
      .default([])
      .describe(
        "Attachment types to accept, such as `application/pdf` or `image/*`; `*` means all, empty means none",
      ),
    maxAttachmentSize: z.int().min(1).default(2_000_000).describe("Maximum size of an attachment, in bytes"),
    maxAttachmentsPerEmail: z.int().min(0).default(5).describe("Maximum number of attachments per mail"),
  })
  .refine(({ postAction, postActionMoveMailbox }) => postAction !== "move" || postActionMoveMailbox, {
    path: ["postActionMoveMailbox"],
    message: "channels.needs-mailbox" satisfies PhraseCode,
  })
  .refine((config) => isAddress(ownAddress(config)), {
    path: ["fromAddress"],
    message: "channels.needs-address" satisfies PhraseCode,
  });

export type EmailConfig = z.infer<typeof emailSchema>;

interface OwnNames {
  fromAddress: string;
  smtpUsername: string;
  imapUsername: string;
}

export function ownAddress({ fromAddress, smtpUsername, imapUsername }: OwnNames): string {
  return (fromAddress || smtpUsername || imapUsername).toLowerCase();
}

/** One plain address: nothing that a mail program could take for two, or for a command. */
export function isAddress(value: string): boolean {
  return value.length <= 254 && /^[^\s<>()[\],;:"\\@]+@[^\s<>()[\],;:"\\@]+$/.test(value);
}
