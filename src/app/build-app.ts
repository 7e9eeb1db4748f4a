// The only place that constructs everything: from a home and an environment to an assistant that can be talked to.

import { join } from "node:path";
import type { Command } from "../agent/commands.ts";
import { AgentLoop } from "../agent/loop.ts";
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { ChatServices, ConversationServices } from "../api/chat/chat-services.ts";
import type { ShownNotes } from "../api/chat/shown-log.ts";
import { toCommands } from "../api/commands/command.ts";
import { slashCommands } from "../api/commands/index.ts";
import { createSaveConfig } from "../api/config/save-config.ts";
import type { RunOperation } from "../api/run-operation.ts";
import type { AssistantServices, InstallationServices } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import { createOwnCommands } from "../api/terminal/own-command.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { AnswerAddress, Origin, Piece } from "../bus/types.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { moveIn } from "../config/moving-in.ts";
import { type Problem, tellProblems } from "../config/problem.ts";
import { collectSecrets } from "../config/secrets.ts";
import { withoutSecrets } from "../guards/prompt-secrets.ts";
import { say, type Words } from "../i18n/words.ts";
import { Background } from "../lib/background.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createIds, type Ids } from "../lib/ids.ts";
import { createLog, type Log } from "../lib/log.ts";
import { createRedactor, type Redactor } from "../lib/redact.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";
import type { Provider, ToolDefinition } from "../llm/types.ts";
import type { Recall } from "../recall/recall.ts";
import { AgentRunner } from "../runner/runner.ts";
import type { Tool } from "../runner/tool.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { removeResults } from "../storage/blobs/result-store.ts";
import { RememberedApprovals } from "../storage/grants/remembered-approvals.ts";
import { TaintedFiles } from "../storage/grants/tainted-files.ts";
import type { HomePaths } from "../storage/home.ts";
import { createHomeLock, type HomeLock, type LockHolder } from "../storage/home-lock.ts";
import { takeOverHistory } from "../storage/python/history-md.ts";
import type { Session } from "../storage/sessions/session.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";
import type { Chat } from "../tools/message.ts";
import { buildChat } from "./build-chat.ts";
import { buildContext, type ContextExtensions } from "./build-context.ts";
import { buildDream, type Dreams } from "./build-dream.ts";
import { buildFirstModel } from "./build-first-model.ts";
import { buildForeignTools } from "./build-foreign-tools.ts";
import { buildEntryLabels, buildPromptLabels } from "./build-labels.ts";
import { type BuiltMemory, buildMemory } from "./build-memory.ts";
import type { ModelParts } from "./build-model.ts";
import { buildReach } from "./build-reach.ts";
import { toMemoryTools, toPromptRecall } from "./build-recall.ts";
import { buildSockets, createOwnBus, type Sockets, type TrackedBus } from "./build-sockets.ts";
import { buildSubagents } from "./build-subagents.ts";
import { buildTools } from "./build-tools.ts";
import { buildTranscription, type Transcription } from "./build-transcription.ts";
import { buildUpkeep } from "./build-upkeep.ts";
import { checkHome, checkWorkspace } from "./check-places.ts";
import { createCounting, HomeState } from "./home-state.ts";
import { type ClientFor, createClients, toSurroundings } from "./open-client.ts";
import { openWindows } from "./open-windows.ts";
import { personRoot, resultsFolder } from "./person-folders.ts";
import { SessionModels } from "./session-models.ts";
import { ensureWorkspace } from "./workspace.ts";

export interface AppOptions {
  paths: HomePaths;
  /** `--workspace` */
  workspace?: string;
  env: NodeJS.ProcessEnv;
  words: Words;
  /** Also receives each line of the log. */
  echoLog?: (line: string) => void;
  /** Whether someone can answer an approval where a message came from. Default: nobody. */
  canAsk?(origin: Origin): boolean;
  /** Told when another process is at work on this home and has to be waited for. */
  onLockWait?(holder: LockHolder | undefined): void;
  /** Instead of a bus for the life of the process: its opener runs the loop and the channels. */
  openBus?(ground: BusGround): Promise<TrackedBus>;
  /** Where it is kept what was shown beside conversations. Default: nowhere. */
  shown?: ShownNotes;
  /** A text as the messages that a channel can send of it. */
  split?(channel: string, text: string, answer?: AnswerAddress): Piece[];
  /** Whether a channel that runs here delivers to this chat. Default: only answers are delivered. */
  canReach?(chat: Chat): boolean;
  /** Whether a channel can send files. Default: it can. */
  takesFiles?(channel: string): boolean;
  /** The operations of a gateway that this assistant is part of. */
  runOperation?(): RunOperation;
  /** Instead of the configured model, for embedding and tests. */
  provider?: Provider;
  /** Beside the built-in ones. */
  tools?: Tool[];
  commands?: readonly Command[];
  /** Other files, another identity, further layers, a shorter history, a look at each prompt. */
  context?: ContextExtensions;
  clock?: Clock;
}

/** What a bus from outside may be made of. */
export interface BusGround {
  ids: Ids;
  loaded: LoadedConfig;
  log: Log;
  /** What goes on beside everything else, and ends with the assistant. */
  background: Background;
  timeZone: string;
  /** Closed with the assistant. */
  state: HomeState;
  transcription: Transcription;
  sockets: Sockets;
}

export interface App {
  loaded: LoadedConfig;
  workspace: string;
  /** What the person should know before starting, one sentence each. */
  warnings: string[];
  model: ModelRuntime;
  /** The config as it is now; what is fixed at the start follows `loaded`. */
  current(): LoadedConfig;
  /** The model that answers now where no session has its own. */
  currentModel(): ModelRuntime;
  /** For calls of models beside turns. */
  count: ModelParts["count"];
  /** Takes what the config says of models now; what cannot be used is returned, and nothing changes. */
  reload(): Promise<Problem[]>;
  bus: MessageBus;
  loop: AgentLoop;
  sessions: SessionManager;
  /** The model that answers in a session. */
  modelOf(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  /** What operations on one of its conversations work on. */
  conversation: ConversationServices;
  /** What operations about all conversations work on. */
  chat: ChatServices;
  sockets: Sockets;
  recall: Recall;
  dreams: Dreams;
  /** The memory of a person or a group, for whoever asks about it. */
  memoryOf: BuiltMemory["memoryOf"];
  /** Takes out what is taken out of every prompt. */
  redact(text: string): string;
  skills: SkillsLoader;
  /** What the model may call now. */
  toolDefinitions(): Promise<ToolDefinition[]>;
  /** Held by whoever writes to the home. */
  lock: HomeLock;
  /** Operations as a person calls them: of the gateway of this home, or in this process. */
  clientFor: ClientFor;
  timeZone: string;
  ids: Ids;
  log: Log;
  background: Background;
  /** Nothing of it runs any more when this resolves. */
  close(): Promise<void>;
}

export type BuildResult = { ok: true; app: App } | { ok: false; problems: string[]; warnings: string[] };

/** What everything is made of. */
interface Ground extends AppOptions, Pick<ModelParts, "count" | "windows">, BusGround {
  clock: Clock;
  workspace: string;
  redactor: Redactor;
  lock: HomeLock;
}

export async function buildApp(options: AppOptions): Promise<BuildResult> {
  const { paths, env, words, clock = systemClock } = options;
  const unusableHome = await checkHome(paths, options.words);
  if (unusableHome !== undefined) return { ok: false, problems: [unusableHome], warnings: [] };
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  const problems = tellProblems(loaded.problems, words);
  const warnings = tellProblems(loaded.warnings, words);
  if (!loaded.ok) return { ok: false, problems, warnings };
  const { workspace } = loaded.config.agents.defaults;
  const unusable = await checkWorkspace(workspace, options.words);
  if (unusable !== undefined) return { ok: false, problems: [unusable], warnings };
  const redactor = createAppRedactor(options, loaded);
  const log = createAppLog(options, redactor, clock);
  const background = new Background(log);
  const ids = createIds(clock);
  const timeZone = loaded.config.agents.defaults.timezone ?? readSystemTimeZone(env);
  const state = new HomeState({ paths, workspace, clock, ids, log, words, timeZone });
  const lock = createHomeLock({ home: paths.home, clock, onWait: options.onLockWait });
  const count = createCounting({ state, loaded, clock, log });
  const windows = await openWindows({ paths, loaded, background, log });
  const base = {
    ...options,
    windows,
    clock,
    loaded,
    workspace,
    redactor,
    log,
    background,
    ids,
    timeZone,
    state,
    lock,
    count,
  };
  const transcription = buildTranscription({ env, clock, count, loaded: () => bound.loaded });
  const ground: Ground = { ...base, transcription, sockets: buildSockets(base) };
  const built = await buildFirstModel(ground);
  if ("phrase" in built) return { ok: false, problems: [say(built.phrase, words)], warnings };
  const moved = await moveIn({ home: paths, load: loaded, clock });
  await ensureWorkspace(workspace);
  // A memory that cannot be looked at keeps nobody from talking; doctor names it.
  await takeOverHistory(workspace, clock).catch((error: unknown) =>
    log.error("history-not-moved", { error }),
  );
  const guard = (model: ModelRuntime): ModelRuntime => ({
    ...model,
    provider: withoutSecrets(model.provider, redactor.redactValues),
  });
  const bound: Bound = {
    model: guard(built.model),
    loaded,
    models: new SessionModels({
      ...ground,
      guard,
      usual: () => bound,
      isGiven: options.provider !== undefined,
    }),
    async reload() {
      const fresh = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
      if (!fresh.ok || fresh.problems.length > 0) return fresh.problems;
      const next = await buildFirstModel({ ...ground, loaded: fresh });
      if ("phrase" in next) return [{ path: "", phrase: next.phrase }];
      for (const secret of fresh.secrets) redactor.add(secret);
      Object.assign(bound, { model: guard(next.model), loaded: fresh });
      return [];
    },
  };
  const app = await construct(ground, bound);
  const told = [
    ...warnings,
    ...problems,
    ...tellProblems(moved, words),
    ...built.warnings.map((each) => say(each, words)),
  ];
  const { reload } = bound;
  const present = { current: () => bound.loaded, currentModel: () => bound.model, reload, count };
  return { ok: true, app: { ...app, ...present, warnings: told } };
}

function createAppRedactor({ env }: AppOptions, { secrets }: LoadedConfig): Redactor {
  const redactor = createRedactor();
  for (const secret of [...secrets, ...collectSecrets(env)]) redactor.add(secret);
  return redactor;
}

function createAppLog({ paths, echoLog: echo }: AppOptions, redactor: Redactor, clock: Clock): Log {
  return createLog({ path: join(paths.logs, "nanobot.log"), clock, redactor, ...(echo && { echo }) });
}

interface Bound {
  model: ModelRuntime;
  loaded: LoadedConfig;
  /** Those that were chosen in sessions. */
  models: SessionModels;
  reload(): Promise<Problem[]>;
}

function openGrants({ home }: HomePaths, clock: Clock) {
  const remembered = new RememberedApprovals(join(home, "approvals.json"), clock);
  return { remembered, tainted: new TaintedFiles(join(home, "taint.jsonl")) };
}

/** One after the other: what is later in the list is used by what comes before it. */
async function closeAll(
  { background, state, lock }: Ground,
  parts: Array<{ close(): Promise<void> }>,
): Promise<void> {
  for (const part of parts) await part.close();
  await background.close();
  await state.close();
  lock.close();
}

/** The parts are there by the time that one is called. */
function createOwnClients(
  ground: Ground,
  bound: Bound,
  parts: () => Omit<AssistantServices, keyof InstallationServices>,
): ClientFor {
  const { reload } = bound;
  const saveConfig = createSaveConfig({ ...ground, reload });
  const surroundings = toSurroundings({ ...ground, loaded: () => bound.loaded, saveConfig });
  const stagedSkills = new StagedSkills();
  const skills = async () => parts().chat.skills;
  const assistant = async () => ({ ...surroundings, stagedSkills, skills, ...parts() });
  return createClients({
    ...ground,
    ...surroundings,
    ...(ground.runOperation && { run: ground.runOperation }),
    isApart: true,
    open: { installation: assistant, workspace: assistant, assistant },
  });
}

/** `bound.model` is the one that answers from now on; what is fixed at the start follows the first one. */
async function construct(
  ground: Ground,
  bound: Bound,
): Promise<Omit<App, "warnings" | "reload" | "current" | "currentModel" | "count">> {
  const { model, models } = bound;
  const { paths, loaded, workspace, clock, log, words, redactor, ids, lock, timeZone } = ground;
  const { maxToolIterations, maxConcurrentTurns } = loaded.config.agents.defaults;
  const { sockets, background } = ground;
  const bus = sockets.connect((await ground.openBus?.(ground)) ?? createOwnBus(ground));
  const sessions = await SessionManager.open({ root: paths.sessions, workspace, clock, log, lock });
  const { recall, versionsFor, memoryOf } = buildMemory({ ...ground, sessions });
  const modelOf: App["modelOf"] = (session) => models.of(session);
  const toConversation = () => ({ loop, sessions, models, remembered, undo, roots, words });
  const clientFor = createOwnClients(ground, bound, () => ({
    conversation: toConversation(),
    chat,
    sessions,
    memoryOf,
    modelOf,
    redact: redactor.redactValues,
    inspect: (message) => loop.inspect(message),
    dream: (whose, signal, onProgress) => dreams.run(personRoot(workspace, whose), signal, onProgress),
  }));
  const { remembered, tainted } = openGrants(paths, clock);
  const findLabels = buildEntryLabels({ ...ground, tainted });
  const memory = toMemoryTools(recall, findLabels);
  const { tools, roots, skills, undo, guard, processes, changes } = buildTools({
    ...ground,
    ...buildReach({ ...ground, clientFor }, bus, () => loop),
    disabledSkills: () => bound.loaded.config.agents.defaults.disabledSkills,
    imageLimits: model.imageLimits,
    memory,
    remembered,
    tainted,
    sessions,
  });
  const built = buildContext(ground, {
    sessions,
    skills,
    recall: toPromptRecall(ground, recall, findLabels),
    findLabels: buildPromptLabels({ ...ground, tainted }, loaded),
  });
  const dreams = buildDream({ ...ground, ...built, skills, lock, ids, model, versionsFor });
  await dreams.recover();
  const foreign = buildForeignTools({ ...ground, tools, guard });
  const toolDefinitions = foreign.definitions;
  const shared = { sessions, tools, toolDefinitions };
  const loop = new AgentLoop({
    bus,
    turns: {
      ...shared,
      ...built,
      upkeep: buildUpkeep({ ...ground, ...built, lock, sessions }),
      runner: new AgentRunner(clock),
      lock,
      clock,
      log,
      maxSteps: maxToolIterations,
      model: (session) => models.of(session),
      rootFor: (origin) => roots.rootFor(origin),
      moneyOf: (turnId) => ground.state.moneyOf(turnId),
      discard: async ({ sessionKey, origin }) => {
        await processes.stopSession(sessionKey);
        await removeResults(resultsFolder(paths, origin), sessionKey);
      },
    },
    words,
    clock,
    ids,
    log,
    commands: [
      ...toCommands(slashCommands, { clientFor, now: () => clock.now() }),
      ...(ground.commands ?? []),
    ],
    maxConcurrentTurns,
    collectMs: loaded.config.channels.collectMs,
    ...(ground.split && { split: ground.split }),
    canAsk: ground.canAsk ?? (() => false),
    redact: redactor.redact,
    stopProcesses: (sessionKey) => processes.stopSession(sessionKey),
    onClosed: (sessionKey) => sockets.live.close(sessionKey),
    subagents: buildSubagents({ ...ground, ...built, ...shared }),
  });
  const close = () => closeAll(ground, [loop, processes, foreign, recall, changes]);
  const known = { loop, sessions, recall, skills, modelOf };
  const runOwnCommand = createOwnCommands(tools, ids);
  const chat = buildChat({ ...ground, ...known, runOwnCommand, bus, isServed: ground.openBus !== undefined });
  const found = { conversation: toConversation(), chat, sockets, dreams, memoryOf, toolDefinitions };
  const rest = { lock, log, background, clientFor, timeZone, ids, redact: redactor.redactValues };
  return { loaded, workspace, model, bus, ...known, ...found, ...rest, close };
}
