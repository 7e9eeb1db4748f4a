// Whether a mail comes from the address that it names, by what our own server found and wrote at its top
// (Authentication-Results, RFC 8601). Further down anyone could have written anything.
import type { EmailConfig } from "./email-config.ts";
import { headersNamed, type Letter } from "./letter.ts";

interface Finding {
  method: string;
  isPassed: boolean;
  /** Domains that it was found for. */
  domains: string[];
}

export type GenuineRules = Pick<EmailConfig, "verifyDkim" | "verifySpf" | "authenticationServer">;

/** Every check that is wanted was passed, and one of them for the very domain of the sender. */
export function isGenuine(letter: Letter, rules: GenuineRules): boolean {
  const wanted = [...(rules.verifyDkim ? ["dkim"] : []), ...(rules.verifySpf ? ["spf"] : [])];
  if (wanted.length === 0) return true;
  const passed = readFindings(letter, rules.authenticationServer).filter(({ isPassed }) => isPassed);
  const sender = letter.from.split("@")[1] ?? "";
  const isFound = (method: string) => passed.some((finding) => finding.method === method);
  const isForSender = ({ method, domains }: Finding) =>
    wanted.includes(method) && domains.some((domain) => isAligned(domain, sender));
  return wanted.every(isFound) && passed.some(isForSender);
}

/** Of our server by its name; without one only the topmost header counts, since a server writes on top. */
function readFindings(letter: Letter, server: string): Finding[] {
  const headers = headersNamed(letter, "authentication-results").map(withoutComments);
  const ours = server === "" ? headers.slice(0, 1) : headers.filter((value) => isBy(value, server));
  return ours.flatMap((value) => value.split(";").flatMap(toFinding));
}

function isBy(value: string, server: string): boolean {
  return /^\s*([^\s;]*)/.exec(value)?.[1]?.toLowerCase() === server.toLowerCase();
}

function toFinding(entry: string): Finding[] {
  const [, method, result] = /^\s*(dkim|spf)\s*=\s*(\w+)/i.exec(entry) ?? [];
  if (method === undefined || result === undefined) return [];
  const found = entry.matchAll(/\b(?:header\.[di]|smtp\.mailfrom)\s*=\s*"?([^\s"]+)/gi);
  const domains = [...found].map(([, value = ""]) => value.slice(value.lastIndexOf("@") + 1).toLowerCase());
  return [{ method: method.toLowerCase(), isPassed: result.toLowerCase() === "pass", domains }];
}

/** The same domain, or one below the other: `mail.example.org` speaks for `example.org`. */
function isAligned(domain: string, sender: string): boolean {
  if (!domain.includes(".") || !sender.includes(".")) return domain === sender;
  return domain === sender || sender.endsWith(`.${domain}`) || domain.endsWith(`.${sender}`);
}

function withoutComments(value: string): string {
  // From the inside out; they may be nested.
  let text = value;
  for (let depth = 0; depth < 5; depth += 1) text = text.replaceAll(/\([^()]*\)/g, " ");
  return text;
}
