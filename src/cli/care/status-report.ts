// What `nanobot status` knows, without any key. Nothing is changed, but that loading keeps a copy of a good config.
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { toModelInput } from "../../config/model-input.ts";
import { tellProblems } from "../../config/problem.ts";
import { say, type Words } from "../../i18n/words.ts";
import { readVersion } from "../../lib/package-root.ts";
import type { ModelChoice } from "../../llm/choice/choose-model.ts";
import { chooseModel, phraseChoice, phraseModelProblem } from "../../llm/choice/choose-model.ts";
import { hasWorkspace } from "../../storage/check-places.ts";
import type { HomePaths } from "../../storage/home.ts";
import { findPythonGateway } from "../../storage/python/python-gateway.ts";
import { countSessions } from "../../storage/sessions/session-folder.ts";
import { type Extensions, surveyExtensions } from "./extension-status.ts";
import { type Protection, surveyProtection } from "./protection.ts";

export interface StatusReport extends Partial<Extensions> {
  version: string;
  home: string;
  config: { path: string; source: ConfigSource; problems: string[]; warnings: string[] };
  workspace?: { path: string; isThere: boolean };
  model?: {
    name: string;
    host: string;
    why: string;
    key: "present" | "missing" | "not-needed";
    isOffline: boolean;
  };
  /** Why no model can be used. */
  modelProblem?: string;
  protection?: Protection;
  sessions?: number;
  pythonGateway?: number;
  /** Whether the assistant would start. */
  isReady: boolean;
}

export type ConfigSource = LoadedConfig["source"] | "broken";

export interface StatusInput {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  workspace?: string;
  words: Words;
}

export async function collectStatus({ paths, env, workspace, words }: StatusInput): Promise<StatusReport> {
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: workspace });
  const pythonGateway = await findPythonGateway(paths.run);
  const common = {
    version: readVersion(),
    home: paths.home,
    config: {
      path: paths.config,
      source: loaded.ok ? loaded.source : ("broken" as const),
      problems: tellProblems(loaded.problems, words),
      warnings: tellProblems(loaded.warnings, words),
    },
    ...(pythonGateway !== undefined && { pythonGateway }),
  };
  if (!loaded.ok) return { ...common, isReady: false };
  const chosen = chooseModel(toModelInput(loaded, env));
  const folder = loaded.config.agents.defaults.workspace;
  return {
    ...common,
    workspace: { path: folder, isThere: await hasWorkspace(folder) },
    ...(chosen.ok
      ? { model: describeModel(chosen.choice, words) }
      : { modelProblem: say(phraseModelProblem(chosen.problem), words) }),
    protection: surveyProtection(loaded, env),
    sessions: await countSessions(paths.sessions, folder),
    ...(await surveyExtensions(paths, loaded, words)),
    isReady: chosen.ok,
  };
}

function describeModel(
  { host, model, access: { apiKey }, why }: ModelChoice,
  words: Words,
): StatusReport["model"] {
  const isOffline = host.protocol === "offline";
  const needsNoKey = host.kind === "local" || host.kind === "direct";
  return {
    name: model,
    host: host.label,
    why: say(phraseChoice(why), words),
    key: apiKey !== undefined ? "present" : needsNoKey ? "not-needed" : "missing",
    isOffline,
  };
}
