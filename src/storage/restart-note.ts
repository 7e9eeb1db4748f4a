// run/restart.json: who asked for a restart of the gateway, so that the new one can say that it is back.
import type { ChatAddress } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";
import type { Language } from "../i18n/words.ts";
import { StateFile } from "./files/state-file.ts";
import type { HomePaths } from "./home.ts";

export interface RestartNote extends ChatAddress {
  at: number;
  language?: Language;
}

export async function noteRestart({ restart }: HomePaths, origin: Origin, now: number): Promise<void> {
  const { channel, chatId, thread, language } = origin;
  await new StateFile(restart).write({ at: now, channel, chatId, thread, language });
}

/** Once. */
export async function takeRestart({ restart }: HomePaths): Promise<RestartNote | undefined> {
  const file = new StateFile(restart);
  const { value } = await file.read();
  if (value === undefined) return undefined;
  await file.remove();
  const { at, channel, chatId, thread, language } = value;
  if (typeof at !== "number" || typeof channel !== "string" || typeof chatId !== "string") return undefined;
  const isKnown = language === "english" || language === "chinese";
  const address = { channel, chatId, ...(typeof thread === "string" && { thread }) };
  return { at, ...address, ...(isKnown && { language }) };
}
