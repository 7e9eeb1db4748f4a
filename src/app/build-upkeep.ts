// What keeps sessions small, and the memory that it writes to.
import { Upkeep } from "../agent/upkeep.ts";
import type { LoadedConfig } from "../config/load.ts";
import { toDay } from "../context/day.ts";
import type { Epochs } from "../context/epochs.ts";
import type { PromptFiles } from "../context/prompt-files.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { packageRoot } from "../lib/package-root.ts";
import { Consolidator } from "../memory/consolidator.ts";
import { MemoryStore } from "../storage/documents/memory-store.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";

export interface UpkeepParts {
  loaded: LoadedConfig;
  workspace: string;
  epochs: Epochs;
  files: PromptFiles;
  timeZone: string;
  sessions: SessionManager;
  lock: HomeLock;
  clock: Clock;
  log: Log;
}

export function buildUpkeep(parts: UpkeepParts): Upkeep {
  const { loaded, workspace, epochs, files, timeZone, sessions, lock, clock, log } = parts;
  const { consolidationRatio, idleCompactAfterMinutes } = loaded.config.agents.defaults;
  const prompt = "prompts/consolidator_archive.md";
  const consolidator = new Consolidator({
    log,
    ratio: consolidationRatio,
    async readPrompt() {
      const file =
        (await files.read(workspace, prompt)) ?? (await files.read(packageRoot, `templates/${prompt}`));
      return file?.text ?? "Summarise the last {{count}} messages in short lines. {{focus}}";
    },
  });
  return new Upkeep({
    consolidator,
    epochs,
    storeFor: (root) => new MemoryStore({ root, clock, toDay: (ms) => toDay(ms, timeZone) }),
    idleMs: idleCompactAfterMinutes * 60_000,
    pending: sessions.pending,
    lock,
    clock,
    log,
  });
}
