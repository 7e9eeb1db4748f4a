// Keeps secrets out of logs, errors, prompts and results: by value (fed from the config and the environment) and by shape.

export interface Redactor {
  /** A value that must never be shown. Short ones are ignored: they would blank ordinary words. */
  add(secret: string | undefined): void;
  redact(text: string): string;
  /** Only what was added: for text whose other secrets are its writer's own business. */
  redactValues(text: string): string;
}

/** Replaces a secret. A text that contains it may not be written back. */
export const secretMark = "<secret withheld>";

const shortestSecret = 8;
/** What people write where a key is asked for and none is needed. */
const dummies = new Set(["lm-studio", "not-needed", "no-key-required", "no-api-key", "undefined"]);

export function createRedactor(): Redactor {
  /** As they are, and in every form in which they might be passed on. */
  let values: string[] = [];
  let forms: string[] = [];

  const withhold = (secrets: readonly string[], text: string) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, secretMark), text);

  return {
    add(secret) {
      if (secret === undefined || secret.length < shortestSecret || dummies.has(secret)) return;
      const inJson = JSON.stringify(secret).slice(1, -1);
      values = merge(values, [secret, inJson]);
      forms = merge(forms, [secret, inJson, encodeURIComponent(secret.toWellFormed()), ...toBase64(secret)]);
    },
    redactValues: (text) => withhold(values, text),
    redact(text) {
      return secretShapes.reduce(
        (clean, { pattern, needsKeyLike = false }) => {
          const replace = (match: string, before: string, value: string) =>
            isSecretLike(value, needsKeyLike) ? before + secretMark : match;
          return clean.replace(pattern, replace);
        },
        withhold(forms, text),
      );
    },
  };
}

/** The longest first: one may be a part of another. */
function merge(known: readonly string[], more: readonly string[]): string[] {
  const usable = more.filter((form) => form.length >= shortestSecret);
  return [...new Set([...known, ...usable])].sort((a, b) => b.length - a.length);
}

/** At each of the three places where it can begin in a longer text; without what depends on its neighbours. */
function toBase64(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const first = Math.ceil((offset * 8) / 6);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
  });
}

/** Its groups: what precedes the secret and stays, the secret itself. */
interface SecretShape {
  pattern: RegExp;
  /** The value must mix letters and digits, and be no name or path. */
  needsKeyLike?: boolean;
}

/** With a beginning that nothing else has. */
const marked = [
  "[spr]k_(?:live|test)_[A-Za-z0-9]{12,}",
  "sk-(?:proj|svcacct|admin|ant|or)-[A-Za-z0-9_-]{16,}",
  "(?:nvapi|glpat|tvly|pplx|dop_v1|shpat|whsec)[-_][A-Za-z0-9_-]{20,}",
  "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}",
  String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}`,
  String.raw`AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}`,
  "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])",
  "pypi-[A-Za-z0-9_-]{40,}",
  String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
  String.raw`\d{8,10}:AA[A-Za-z0-9_-]{32,}`,
  String.raw`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
];

/** With a beginning that words have, too. */
const likely = [
  "(?:sk|xai|gsk|fc|lsv2|r8|hf|npm)[-_][A-Za-z0-9_-]{16,}",
  String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`,
  String.raw`[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])`,
];

const alone = "()(?<![A-Za-z0-9_-])";
const secretNames =
  "(?:api|access|private|signing|encrypt(?:ion)?|secret|auth)[_-]?key|secret|token|passw(?:or)?d|passphrase|pwd";

const secretShapes: SecretShape[] = [
  { pattern: new RegExp(`${alone}(${marked.join("|")})`, "g") },
  { pattern: new RegExp(`${alone}(${likely.join("|")})`, "g"), needsKeyLike: true },
  {
    pattern:
      /()(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$))/g,
  },
  { pattern: /(authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]{6,})/gi },
  { pattern: /((?:bearer|basic)\s+)([A-Za-z0-9+/=._~-]{16,})/gi, needsKeyLike: true },
  // The address of a service with the password in it.
  { pattern: /(:\/\/[^\s/:@"'`<>]*:)([^\s/@"'`<>]{3,})(?=@)/g },
  {
    pattern: /([?&](?:api_?key|key|token|access_token|secret|password|sig|signature)=)([^&\s"'`<>)]{12,})/gi,
    needsKeyLike: true,
  },
  {
    pattern: /(machine\s{1,9}\S{1,200}[\s\d|]{1,40}login\s{1,9}\S{1,200}[\s\d|]{1,40}password\s{1,9})(\S+)/g,
  },
  // As in .env files; a value that refers to another variable is none.
  { pattern: /((?:_|\b)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)=["']?)([^\s"'`#$<>(){}]{6,})/g },
  {
    pattern: new RegExp(
      String.raw`((?:${secretNames})["']?\s{0,9}[:=]\s{0,9}["']?)([A-Za-z0-9+/_.~=-]{16,})`,
      "gi",
    ),
    needsKeyLike: true,
  },
];

const placeholder =
  /^(?:x{3,}|\*{3,}|\.{3,}|<.*|\$.*|your|my|some|an?[-_]|the[-_]|example|changeme|placeholder|pass(?:word)?$|secret$|token$|none$|null$|true$|false$)/i;

function isSecretLike(value: string, needsKeyLike: boolean): boolean {
  if (placeholder.test(value) || value.includes("...")) return false;
  return !needsKeyLike || isKeyLike(value);
}

/** Not `process.env.KEY_2`, `OPENAI_API_KEY_2`, `/usr/lib/x86`, `some-long-name-2`. */
function isKeyLike(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[~./]|:\/\//.test(value) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  const words = value.split(/[-_.]/);
  return words.some((word) => word.length >= 8 && /\d/.test(word) && /[A-Za-z]/.test(word));
}
