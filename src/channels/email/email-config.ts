// The block `channels.email`: two servers, and what is done with mail.
import * as z from "zod";
import type { PhraseCode } from "../../i18n/phrase.ts";

const port = (usual: number) => z.int().min(1).max(65_535).default(usual);
const text = z.string().min(1);

export const emailSchema = z
  .object({
    consentGranted: z
      .literal(true)
      .describe("The owner of the mailbox agrees that its mail is read and answered"),
    imapHost: text.describe("Server that the mail is read from"),
    imapPort: port(993).describe("Its port"),
    imapUsername: text.describe("User name there"),
    imapPassword: text.describe("Password there, mostly one for apps"),
    imapMailbox: text.default("INBOX").describe("Folder that is watched"),
    imapUseSsl: z.boolean().default(true).describe("TLS from the start; otherwise STARTTLS"),
    smtpHost: text.describe("Server that takes mail to be sent"),
    smtpPort: port(587).describe("Its port"),
    smtpUsername: z.string().default("").describe("User name there; empty: no login"),
    smtpPassword: z.string().default("").describe("Password there"),
    smtpUseTls: z.boolean().default(true).describe("STARTTLS is demanded"),
    smtpUseSsl: z.boolean().default(false).describe("TLS from the start, mostly with port 465"),
    fromAddress: z.string().default("").describe("Address of the assistant; empty: the user name"),
    pollIntervalSeconds: z
      .number()
      .min(5)
      .default(30)
      .describe("Where the server cannot tell by itself (IDLE)"),
    markSeen: z.boolean().default(true).describe("Mail that was taken counts as read"),
    postAction: z.enum(["delete", "move"]).nullish().describe("What happens to mail that was taken"),
    postActionMoveMailbox: z.string().nullish().describe("Folder that it is moved to"),
    postActionExpunge: z.boolean().default(false).describe("Deleted mail is removed at once"),
    autoReplyEnabled: z
      .boolean()
      .default(true)
      .describe("Answers are sent; otherwise only what a tool sends"),
    maxBodyChars: z.int().min(1).default(12_000).describe("Longest text of a mail that is read"),
    subjectPrefix: z.string().default("Re: ").describe("Before the subject of an answer"),
    verifyDkim: z.boolean().default(true).describe("Only mail whose signature the own server found good"),
    verifySpf: z.boolean().default(true).describe("Only mail whose sending server the own server found good"),
    authenticationServer: z
      .string()
      .default("")
      .describe("Name by which the own server signs its checks; empty: the topmost one counts"),
    allowedAttachmentTypes: z
      .array(z.string())
      .default([])
      .describe("Such as `application/pdf` or `image/*`; `*` for all; empty: none"),
    maxAttachmentSize: z.int().min(1).default(2_000_000).describe("Largest attachment in bytes"),
    maxAttachmentsPerEmail: z.int().min(0).default(5).describe("Attachments of one mail"),
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
