// An assistant without a gateway: for the terminal, for programs that embed it, and for tests.
import type { Command } from "../agent/commands.ts";
import type { ClientFor } from "../api/client.ts";
import type { TrackedBus } from "../bus/memory-bus.ts";
import { say } from "../i18n/words.ts";
import {
  type Assistant,
  type AssistantOptions,
  answersOnly,
  buildAssistant,
  type Delivery,
  openMessaging,
} from "./build-assistant.ts";
import { connectOperations, createOwnClients } from "./connect-operations.ts";
import { openStorage, type StorageOptions } from "./open-storage.ts";

export interface AppOptions extends StorageOptions, AssistantOptions, Partial<Delivery> {
  /** Instead of one for the life of this process. */
  bus?: TrackedBus;
  commands?: readonly Command[];
}

export interface App extends Assistant {
  clientFor: ClientFor;
  /** What the person should know before starting, one sentence each. */
  warnings: string[];
}

export type BuildResult = { ok: true; app: App } | { ok: false; problems: string[]; warnings: string[] };

export async function buildApp(options: AppOptions): Promise<BuildResult> {
  const { words, provider } = options;
  const opened = await openStorage({ ...options, hasModel: provider !== undefined });
  if (!opened.ok) return opened;
  const { storage } = opened;
  const messaging = openMessaging(storage, options.bus);
  const assistant = await buildAssistant(storage, messaging, { ...answersOnly, ...options }, options);
  if ("code" in assistant)
    return { ok: false, problems: [say(assistant, words)], warnings: storage.warnings };
  const clientFor = createOwnClients(assistant);
  connectOperations(assistant, clientFor, options.commands);
  const warnings = [...storage.warnings, ...assistant.models.warnings.map((each) => say(each, words))];
  return { ok: true, app: { ...assistant, clientFor, warnings } };
}
