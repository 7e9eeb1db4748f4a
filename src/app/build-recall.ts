// Recall for the assistant: what may be searched for whom, as its tools and its prompts want it.
import { resolve } from "node:path";
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { PlanOptions } from "../context/turn-plan.ts";
import type { Clock } from "../lib/clock.ts";
import { withLabels } from "../lib/labels.ts";
import type { Log } from "../lib/log.ts";
import { Recall, type RecalledEntry } from "../recall/recall.ts";
import { expandTilde, type HomePaths } from "../storage/home.ts";
import { scopeOf } from "../storage/scope.ts";
import { toReference } from "../storage/sessions/reference.ts";
import type { ToolsOptions } from "../tools/index.ts";
import type { FoundMemory } from "../tools/memory-search.ts";
import type { FindEntryLabels } from "./build-labels.ts";

export interface RecallParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
}

export function buildRecall(
  { paths, loaded, workspace, env, clock, log }: RecallParts,
  sessionsFolder: string,
): Recall {
  const knowledge = loaded.config.memory.knowledge.map((folder) =>
    resolve(workspace, expandTilde(folder, env)),
  );
  return new Recall({ home: paths.home, sessionsFolder, workspace, knowledge, clock, log });
}

export function toMemoryTools(
  recall: Recall,
  findLabels: FindEntryLabels,
): NonNullable<ToolsOptions["memory"]> {
  const toFound = async (entry: RecalledEntry, origin: Origin): Promise<FoundMemory> => {
    const { reference, at, role, speaker, name, text } = entry;
    const labels = withLabels(await findLabels([entry], origin));
    return { reference, at, who: speaker || role, where: name, text, ...labels };
  };
  return {
    async search(query, { origin, signal }) {
      const { hits, sessions } = await recall.search({ ...query, scope: scopeOf(origin) }, signal);
      return { found: await Promise.all(hits.map((hit) => toFound(hit, origin))), sessions };
    },
    async read(reference, { around }, { origin, signal }) {
      signal.throwIfAborted();
      const entries = await recall.read(reference, { scope: scopeOf(origin), around });
      return Promise.all(entries.map((entry) => toFound(entry, origin)));
    },
  };
}

/** For the prompt of a turn; undefined when it is switched off. */
export function toPromptRecall(
  { loaded }: RecallParts,
  recall: Recall,
  findLabels: FindEntryLabels,
): PlanOptions["recall"] {
  if (!loaded.config.memory.autoRecall) return undefined;
  return async ({ text, origin, session, isPreview = false }) => {
    if (isPreview) return { note: "", labels: [], entries: [] };
    const sentFrom = Math.max(session.metadata.epoch?.from ?? 0, session.lastConsolidated);
    const exclude = session.slice(sentFrom).map(({ id }) => toReference(session.key, id));
    const { note, entries } = await recall.recallFor(text, { scope: scopeOf(origin), exclude });
    return { note, labels: await findLabels(entries, origin), entries };
  };
}
