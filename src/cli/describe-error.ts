// What a person reads when a command ends by an error: a sentence without secrets, in their language, never a stack.
import { SkillError } from "../app/skills/skill-error.ts";
import { collectSecrets } from "../config/secrets.ts";
import { phraseOfError } from "../i18n/phrase-of-error.ts";
import { retell } from "../i18n/retell.ts";
import { say, type Words } from "../i18n/words.ts";
import { createRedactor } from "../lib/redact.ts";
import { neutralise } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";

/** Of what a person asked for and cannot have; their messages say why. */
const wishes = ["ScheduleError", "ControlError", "GatewayRefusal"];

/** A failure of the world whose message is for a person. */
export function isTold(error: unknown): error is Error {
  return (
    error instanceof CommandFailure ||
    phraseOfError(error) !== undefined ||
    isWish(error) ||
    isSentence(error) ||
    isOfSystem(error)
  );
}

export function describeError(error: unknown, words: Words, env: NodeJS.ProcessEnv): string {
  if (error instanceof CommandFailure || error instanceof SkillError) return error.message;
  const said = phraseOfError(error);
  if (said !== undefined) return redact(say(said, words), env);
  const reason = error instanceof Error ? error.message : String(error);
  if (isWish(error)) return redact(retell(reason, words, "wish"), env);
  return redact(isSentence(error) ? retell(reason, words) : describeFault(error, reason, words), env);
}

const isWish = (error: unknown) => error instanceof Error && wishes.includes(error.name);

/** A failure of the world that whoever met it has already put into words for a person. */
function isSentence(error: unknown): boolean {
  if (!(error instanceof Error) || !error.message.endsWith(".")) return false;
  return (
    ["SessionFileError", "FileWriteError", "StateDatabaseError"].includes(error.name) ||
    isOfSystem(error.cause)
  );
}

function describeFault(error: unknown, reason: string, { failure }: Words): string {
  if (isOfSystem(error) && error.code === "ENOENT") return failure.missingPath(neutralise(error.path));
  if (isOfSystem(error)) return failure.unusablePath(neutralise(error.path), error.code);
  return failure.unexpected(reason.replace(/\.$/, ""));
}

/** EACCES, EROFS, ENOTDIR and the like, about a path. */
function isOfSystem(error: unknown): error is { code: string; path: string } {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && typeof path === "string";
}

export function redact(text: string, env: NodeJS.ProcessEnv): string {
  const redactor = createRedactor();
  for (const secret of collectSecrets(env)) redactor.add(secret);
  return redactor.redact(text);
}
