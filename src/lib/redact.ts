// Keeps secrets out of logs, errors and prompts: by value (fed from the config) and by shape.

export interface Redactor {
  /** A value that must never be shown. Short ones are ignored: they would blank ordinary words. */
  add(secret: string | undefined): void;
  redact(text: string): string;
}

const shapes: Array<[RegExp, string]> = [
  [/\b(sk|pk|rk|xai|gsk|nvapi|hf|ghp|gho|github_pat|xox[abprs])[-_][A-Za-z0-9_-]{12,}/g, "<secret>"],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, "<secret>"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{12,}/gi, "$1 <secret>"],
  [/(:\/\/[^\s/:@]+):[^\s/@]+@/g, "$1:<secret>@"],
  [/([?&](?:api_?key|key|token|access_token|secret|password|sig|signature)=)[^&\s"']+/gi, "$1<secret>"],
];

const shortestSecret = 8;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add(secret) {
      if (secret !== undefined && secret.length >= shortestSecret) secrets.add(secret);
    },
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, "<secret>");
      for (const [shape, replacement] of shapes) clean = clean.replaceAll(shape, replacement);
      return clean;
    },
  };
}
