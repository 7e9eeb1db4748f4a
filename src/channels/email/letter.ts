// A mail as we understand it, from its bytes. Whatever is broken in it is left out; nothing of it is trusted.
import type { AddressObject, Attachment, ParsedMail } from "mailparser";
import { toPlainLine } from "../../lib/text.ts";
import { isAddress } from "./email-config.ts";

export interface Letter {
  /** With its angle brackets; undefined when there is none that could be answered to. */
  messageId?: string;
  /** In lower case. */
  from: string;
  name: string;
  subject: string;
  text: string;
  /** Ids of the letters that it answers to, the oldest first. */
  references: string[];
  attachments: Attachment[];
  headers: HeaderLine[];
}

export interface HeaderLine {
  /** In lower case. */
  name: string;
  value: string;
}

const mostReferences = 50;
const largestHtml = 1024 * 1024;

/** Undefined for what nobody in particular wrote. */
export async function readLetter(source: Uint8Array): Promise<Letter | undefined> {
  const { simpleParser } = await import("mailparser");
  const mail = await simpleParser(Buffer.from(source), {
    skipImageLinks: true,
    skipTextToHtml: true,
    keepCidLinks: true,
    maxHtmlLengthToParse: largestHtml,
  });
  const sender = findSender(mail.from);
  if (sender === undefined) return undefined;
  const [messageId] = findIds(mail.messageId);
  return {
    ...(messageId !== undefined && { messageId }),
    from: sender.address,
    name: toPlainLine(sender.name, 80),
    subject: toPlainLine(mail.subject ?? "", 300),
    text: (mail.text ?? "").replaceAll("\r\n", "\n"),
    references: toReferences(mail),
    attachments: mail.attachments.filter(({ related }) => !related),
    headers: mail.headerLines.map(({ key, line }) => ({ name: key, value: toValue(line) })),
  };
}

export function headersNamed({ headers }: Pick<Letter, "headers">, name: string): string[] {
  return headers.filter((header) => header.name === name).map(({ value }) => value);
}

/** Two senders are nobody in particular. */
function findSender(from: AddressObject | undefined): { address: string; name: string } | undefined {
  const [first, ...others] = from?.value ?? [];
  const address = first?.address?.toLowerCase() ?? "";
  if (others.length > 0 || !isAddress(address)) return undefined;
  return { address, name: first?.name ?? "" };
}

function toReferences({ references = [], inReplyTo = "" }: ParsedMail): string[] {
  const ids = [...findIds([references].flat().join(" ")), ...findIds(inReplyTo)];
  return [...new Set(ids)].slice(-mostReferences);
}

function findIds(text = ""): string[] {
  return text.slice(0, 20_000).match(/<[^<>\s]{1,250}>/g) ?? [];
}

function toValue(line: string): string {
  return line
    .slice(line.indexOf(":") + 1, 10_000)
    .replaceAll(/\s+/g, " ")
    .trim();
}
