// `/model`: which model answers in this conversation, and choosing another one.

import { say, type Words } from "../i18n/words.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { toPlainLine } from "../lib/text.ts";
import type { SessionStore } from "../session/store.ts";
import type { SessionModels } from "./session-models.ts";

export interface ModelAnswerParts {
  models: SessionModels;
  sessions: SessionStore;
  lock: HomeLock;
  words: Words;
}

const mostListed = 30;
const longestName = 200;

export async function answerModel(
  { models, sessions, lock, words }: ModelAnswerParts,
  { sessionKey, isOwner }: { sessionKey: string; isOwner: boolean },
  name: string,
): Promise<string> {
  const { model: answers, ownerOnly } = words.answers;
  const session = await sessions.open(sessionKey);
  if (name === "") {
    const { settings, host } = await models.of(session);
    return [answers.current(settings.model, host), ...listKnown(models, words)].join("\n");
  }
  if (!isOwner) return ownerOnly;
  if (models.isGiven) return answers.given;
  const isDefault = name.toLowerCase() === "default";
  const model = isDefault ? models.usual : await models.connect(name);
  if ("code" in model) return toPlainLine(say(model, words), 1_000);
  const release = await lock.acquire(`session ${sessionKey}`);
  try {
    await session.updateMetadata(models.toMetadata(isDefault ? undefined : name), { sync: true });
  } finally {
    release();
  }
  return (isDefault ? answers.isDefault : answers.chosen)(model.settings.model, model.host);
}

function listKnown(models: SessionModels, { answers }: Words): string[] {
  if (models.isGiven) return [answers.model.given];
  const names = models.list();
  if (names.length === 0) return [answers.model.none];
  const rows = names.slice(0, mostListed).map((name) => `- ${toPlainLine(name, longestName)}`);
  return ["", answers.model.known, ...rows, "", answers.model.how];
}
