// The first step of construction: the config and everything durable of a home, and nothing that needs a model.
import { createCounting, HomeState } from "../api/home/home-state.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { toModelInput } from "../config/model-input.ts";
import { moveIn } from "../config/moving-in.ts";
import { tellProblems } from "../config/problem.ts";
import { collectSecrets } from "../config/secrets.ts";
import { CurrentConfig } from "../config/watch-config.ts";
import { say, type Words } from "../i18n/words.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createIds, type Ids } from "../lib/ids.ts";
import { createLog, type Log } from "../lib/log.ts";
import { Background } from "../lib/process/background.ts";
import { readSystemTimeZone } from "../lib/process/time-zone.ts";
import { createRedactor, type Redactor } from "../lib/redact.ts";
import { chooseModel, phraseModelProblem } from "../llm/choice/choose-model.ts";
import type { ProviderWrapper } from "../llm/types.ts";
import { canBeWorkspace, checkHome } from "../storage/check-places.ts";
import { ensureWorkspace } from "../storage/documents/templates.ts";
import { isStorageTrouble } from "../storage/files/storage-trouble.ts";
import { RememberedApprovals } from "../storage/grants/remembered-approvals.ts";
import { TaintedFiles } from "../storage/grants/tainted-files.ts";
import type { HomePaths } from "../storage/home.ts";
import { createHomeLock, type HomeLock, type LockHolder } from "../storage/home-lock.ts";
import { adoptHistoryLines, takeOverHistory } from "../storage/python/history-md.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";

export interface StorageOptions {
  paths: HomePaths;
  /** `--workspace` */
  workspace?: string;
  env: NodeJS.ProcessEnv;
  words: Words;
  /** A model is supplied from outside: that of the config need not be usable. */
  hasModel?: boolean;
  /** Also receives each line of the log. */
  echoLog?: (line: string) => void;
  /** Called when another process works on this home and has to be waited for. */
  onLockWait?(holder: LockHolder | undefined): void;
  clock?: Clock;
}

/** The process and the home that everything is built on. */
export interface Environment {
  paths: HomePaths;
  workspace: string;
  env: NodeJS.ProcessEnv;
  words: Words;
  clock: Clock;
  ids: Ids;
  log: Log;
  timeZone: string;
  redactor: Redactor;
  /** Background work, which ends with the assistant. */
  background: Background;
}

export interface Storage {
  environment: Environment;
  /** The config at the start. What can change while the program runs follows `config`. */
  loaded: LoadedConfig;
  config: CurrentConfig;
  lock: HomeLock;
  state: HomeState;
  /** Records each call of the named model in the ledger, within the budget. */
  count: (name: string) => ProviderWrapper;
  sessions: SessionManager;
  remembered: RememberedApprovals;
  tainted: TaintedFiles;
  /** One sentence each. */
  warnings: string[];
}

export type StorageResult =
  | { ok: true; storage: Storage }
  | { ok: false; problems: string[]; warnings: string[] };

export async function openStorage(options: StorageOptions): Promise<StorageResult> {
  const { paths, env, words, clock = systemClock } = options;
  const obstacle = await checkHome(paths);
  if (obstacle !== undefined) return { ok: false, problems: [say(obstacle, words)], warnings: [] };
  const source = { home: paths, env, workspaceOverride: options.workspace };
  const loaded = await loadConfig(source);
  const problems = tellProblems(loaded.problems, words);
  const warnings = tellProblems(loaded.warnings, words);
  if (!loaded.ok) return { ok: false, problems, warnings };
  const { workspace, timezone } = loaded.config.agents.defaults;
  if (!(await canBeWorkspace(workspace)))
    return { ok: false, problems: [words.failure.notAFolder(workspace)], warnings };
  // Before anything is written: a config without a usable model leaves the home as it is.
  const choice = chooseModel(toModelInput(loaded, env));
  if (!choice.ok && options.hasModel !== true)
    return { ok: false, problems: [say(phraseModelProblem(choice.problem), words)], warnings };
  const redactor = createRedactor();
  for (const secret of [...loaded.secrets, ...collectSecrets(env)]) redactor.add(secret);
  const log = createLog({
    path: paths.log,
    clock,
    redactor,
    ...(options.echoLog && { echo: options.echoLog }),
  });
  const environment: Environment = {
    paths,
    workspace,
    env,
    words,
    clock,
    ids: createIds(clock),
    log,
    timeZone: timezone ?? readSystemTimeZone(env),
    redactor,
    background: new Background(log),
  };
  const lock = createHomeLock({ home: paths.home, clock, onWait: options.onLockWait });
  const state = new HomeState(environment);
  const moved = await moveIn({ home: paths, load: loaded, clock });
  await ensureWorkspace(workspace).catch((error: unknown) => {
    // A disk that takes nothing for now is reported when something has to be stored.
    if (!isStorageTrouble(error)) throw error;
    log.error("templates-not-copied", { error });
  });
  // A memory that cannot be read keeps nobody from talking; doctor names it.
  for (const takeOver of [takeOverHistory, adoptHistoryLines])
    await takeOver(workspace, clock).catch((error: unknown) => log.error("history-not-moved", { error }));
  return {
    ok: true,
    storage: {
      environment,
      loaded,
      config: new CurrentConfig(source, loaded),
      lock,
      state,
      count: createCounting({ state, budget: loaded.config.budget, clock, log }),
      sessions: await SessionManager.open({ root: paths.sessions, workspace, clock, log, lock }),
      remembered: new RememberedApprovals(paths.approvals, clock),
      tainted: new TaintedFiles(paths.taint),
      warnings: [...warnings, ...problems, ...tellProblems(moved, words)],
    },
  };
}
