// Keeps secrets out of logs, errors, prompts and results: by value (fed from the config and the environment) and by shape.
import { isSecretLike, secretShapes } from "./secret-shapes.ts";

export interface Redactor {
  /** A value that must never be shown. Short ones are ignored: they would blank ordinary words. */
  add(secret: string | undefined): void;
  redact(text: string): string;
  /** Only what was added: for text whose other secrets are its writer's own business. */
  redactValues(text: string): string;
}

/** Stands for what was taken out. Nothing that holds it may be written back. */
export const secretMark = "<secret withheld>";

const shortestSecret = 8;
/** What people write where a key is asked for and none is needed. */
const dummies = new Set(["lm-studio", "not-needed", "no-key-required", "no-api-key", "undefined"]);

export function createRedactor(): Redactor {
  /** As they stand, and in every form in which they might be passed on. */
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
