// Dream for the assistant: which model does it, over whose memory, and with which prompts.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { LoadedConfig } from "../config/load.ts";
import { toModelInput } from "../config/model-input.ts";
import type { PromptFiles } from "../context/prompt-files.ts";
import { Dream, type DreamOutcome, type DreamRequest } from "../dream/dream.ts";
import { toRealRoot } from "../guards/real-path.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { packageRoot } from "../lib/package-root.ts";
import { chooseModel } from "../llm/choose-model.ts";
import { phraseModelProblem } from "../llm/phrase-choice.ts";
import type { Provider } from "../llm/types.ts";
import { AgentRunner } from "../runner/runner.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { HistoryLog } from "../storage/documents/history-log.ts";
import { Provenance } from "../storage/documents/provenance.ts";
import type { Versions } from "../storage/documents/versions.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { type HomeLock, HomeLockedError } from "../storage/home-lock.ts";
import { connectModel, type ModelParts } from "./build-model.ts";

export interface DreamParts extends Pick<ModelParts, "count" | "windows"> {
  paths: HomePaths;
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  words: Words;
  workspace: string;
  files: PromptFiles;
  skills: SkillsLoader;
  lock: HomeLock;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** The one that answers, for want of a choice. */
  model: ModelRuntime;
  /** Given from outside, it does everything. */
  provider?: Provider;
  versionsFor(root: string): Versions;
}

export interface Dreams {
  /** Over the memory of one person or group. */
  run(root: string, signal: AbortSignal, onProgress?: DreamRequest["onProgress"]): Promise<DreamOutcome>;
  /** Over everybody's, one after the other: for the timer. Nothing while Dream is switched off. */
  runAll(signal: AbortSignal): Promise<Map<string, DreamOutcome>>;
  recover(): Promise<void>;
}

export function buildDream(parts: DreamParts): Dreams {
  const { paths, loaded, files, skills, lock, clock, ids, log, versionsFor } = parts;
  const workspace = toRealRoot(parts.workspace);
  const dream = new Dream({
    workspace,
    folder: join(paths.run, "dream"),
    runner: new AgentRunner(clock),
    memoryOf: (root) => ({
      history: new HistoryLog(root, clock),
      provenance: new Provenance(root),
      versions: versionsFor(root),
      recordSkill: (path) => skills.recordAgentWritten(path),
    }),
    async readPrompt(name) {
      const own = await files.read(workspace, `prompts/${name}`);
      return (own ?? (await files.read(packageRoot, `templates/prompts/${name}`)))?.text ?? "";
    },
    skills,
    lock,
    clock,
    ids,
    log,
  });
  const choose = createModelChoice(parts);

  const run: Dreams["run"] = async (root, signal, onProgress) => {
    const model = await choose();
    if (model !== undefined && "code" in model)
      return { kind: "failed", failure: { reason: "model", phrase: model } };
    return dream.run({ root: toRealRoot(root), model, signal, ...(onProgress && { onProgress }) });
  };

  return {
    run,
    async runAll(signal) {
      const outcomes = new Map<string, DreamOutcome>();
      const { enabled } = loaded.config.agents.defaults.dream;
      const failures: unknown[] = [];
      const onUnreadable = (error: unknown) => void failures.push(error);
      for (const root of enabled ? await listRoots(workspace, onUnreadable) : []) {
        try {
          outcomes.set(root, await run(root, signal));
        } catch (error) {
          signal.throwIfAborted();
          log.error("dream-failed", { root, error });
          failures.push(error);
        }
      }
      // Everyone had a turn first.
      if (failures.length > 0) throw failures[0];
      return outcomes;
    },
    async recover() {
      try {
        await dream.recover();
      } catch (error) {
        // Whoever holds the home finishes it, or the next run does: nobody has to wait for it.
        if (!(error instanceof HomeLockedError) && (error as NodeJS.ErrnoException).code === undefined)
          throw error;
        log.warn("dream-not-recovered", { error });
      }
    },
  };
}

/** Connected once, when it is first needed; or why there is none. */
function createModelChoice(parts: DreamParts): () => Promise<DreamRequest["model"] | Phrase> {
  const { loaded, env, model, provider } = parts;
  const { modelOverride } = loaded.config.agents.defaults.dream;
  let chosen: Promise<ModelRuntime | Phrase> | undefined;

  async function connect(): Promise<ModelRuntime | Phrase> {
    if (modelOverride === undefined || provider !== undefined) return model;
    const input = toModelInput(loaded, env);
    const choice = chooseModel({ ...input, defaults: { ...input.defaults, modelPreset: modelOverride } });
    return choice.ok ? connectModel(choice, parts) : phraseModelProblem(choice.problem);
  }

  return async () => {
    chosen ??= connect();
    const runtime = await chosen;
    return "isOffline" in runtime && runtime.isOffline === true ? undefined : runtime;
  };
}

/** The owner's, and those of all guests and groups. */
export async function listRoots(
  workspace: string,
  onUnreadable?: (error: unknown) => undefined,
): Promise<string[]> {
  const roots = [workspace];
  for (const kind of ["people", "groups"]) {
    const names = (await readdir(join(workspace, kind)).catch(ignoreMissing).catch(onUnreadable)) ?? [];
    roots.push(...names.sort().map((name) => join(workspace, kind, name)));
  }
  return roots;
}
