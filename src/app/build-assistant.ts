// The second step of construction: the assistant on an opened home. Each part is finished before the next one gets it;
// slash commands and the tools that call operations are registered last (connect-operations.ts).
import { CommandRouter } from "../agent/commands.ts";
import type { ModelRuntime } from "../agent/dependencies.ts";
import type { TurnShare } from "../agent/gate.ts";
import { AgentLoop } from "../agent/loop.ts";
import { createEmbeddings } from "../agent/models/embeddings.ts";
import { openWindows } from "../agent/models/learnt-windows.ts";
import { createSignInsLoader } from "../agent/models/load-sign-ins.ts";
import { Models } from "../agent/models/models.ts";
import { createSpeech, type Speak } from "../agent/models/speech.ts";
import { createTranscription, type Transcription } from "../agent/models/transcription.ts";
import { toSubagentTools, withheldTools } from "../agent/subagents.ts";
import { Upkeep } from "../agent/upkeep.ts";
import type { ChatServices, ConversationServices } from "../api/chat/chat-services.ts";
import { openPast, type ShownNotes } from "../api/chat/shown-log.ts";
import { type ForeignToolSource, openForeignTools } from "../api/extensions/foreign-tools.ts";
import { type Memory, openMemory } from "../api/memory/person-memory.ts";
import { createOwnCommands } from "../api/terminal/own-commands.ts";
import { createMemoryBus, type TrackedBus } from "../bus/memory-bus.ts";
import type { AnswerAddress, Origin, Piece } from "../bus/types.ts";
import { toModelInput } from "../config/model-input.ts";
import { type Context, type ContextExtensions, createContext } from "../context/create-context.ts";
import { createDreams, type Dreams } from "../dream/dreams.ts";
import { createFileLabels } from "../guards/labels/file-labels.ts";
import { createPromptLabels, listPromptFiles } from "../guards/labels/prompt-files.ts";
import { withoutSecrets } from "../guards/wrappers/with-redaction.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Provider } from "../llm/types.ts";
import { Consolidator } from "../memory/consolidator.ts";
import { DayNotes } from "../memory/day-notes.ts";
import type { Recall } from "../recall/recall.ts";
import {
  createEntryLabels,
  type FindEntryLabels,
  PromptRecall,
  toMemoryTools,
} from "../recall/turn-recall.ts";
import { AgentRunner } from "../runner/runner.ts";
import type { Tool } from "../runner/tool.ts";
import { describeHeartbeat } from "../schedule/heartbeat.ts";
import { createChat } from "../server/live/create-chat.ts";
import { createSockets, type Sockets } from "../server/live/socket-channels.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { Documents } from "../storage/documents/memory-store.ts";
import { channelFolder } from "../storage/home.ts";
import { scopeOf } from "../storage/scope.ts";
import type { Chat } from "../tools/message.ts";
import { type BuiltTools, buildTools } from "./build-tools.ts";
import { createTurnTools } from "./build-turn-tools.ts";
import type { Storage } from "./open-storage.ts";

/** How answers leave the process. */
export interface Delivery {
  /** Whether someone can answer an approval where a message came from. */
  canAsk(origin: Origin): boolean;
  /** Whether a channel that runs here delivers to this chat. */
  canReach(chat: Chat): boolean;
  /** Whether a channel can send files. */
  takesFiles(channel: string): boolean;
  /** A text as the messages that a channel can send of it. */
  split?(channel: string, text: string, answer?: AnswerAddress): Piece[];
}

/** Without channels only answers are delivered, and nobody can be asked. */
export const answersOnly: Delivery = { canAsk: () => false, canReach: () => false, takesFiles: () => true };

export interface AssistantOptions {
  /** Instead of the configured model, for embedding and tests. */
  provider?: Provider;
  /** In addition to the built-in ones. */
  tools?: readonly Tool[];
  /** Other files, another identity, further layers, a shorter history, a look at each prompt. */
  context?: ContextExtensions;
  /** Slots for turns that homes of this process share. */
  share?: TurnShare;
  /** There is one turn only. */
  isOnce?: boolean;
  /** Waits for MCP servers that were never seen, and says so. */
  onServerWait?(names: readonly string[]): void;
}

/** What the loop works with: the models, the messages, and what shows them. */
export interface Messaging {
  bus: TrackedBus;
  sockets: Sockets;
  transcription: Transcription;
  speak: Speak;
  /** A gateway runs the loop and the channels. */
  isServed: boolean;
}

export interface Assistant {
  storage: Storage;
  messaging: Messaging;
  models: Models;
  loop: AgentLoop;
  commands: CommandRouter;
  tools: BuiltTools;
  foreign: ForeignToolSource;
  recall: Recall;
  documents: Documents;
  memoryOf: Memory["memoryOf"];
  dreams: Dreams;
  chat: ChatServices;
  conversation: ConversationServices;
  /** Nothing of it runs after this resolves. */
  close(): Promise<void>;
}

/** Without a bus, one for the life of this process. */
export function openMessaging(storage: Storage, bus?: TrackedBus, shown?: ShownNotes): Messaging {
  const { environment, state, config, count } = storage;
  const { clock, ids, background, env, paths, log } = environment;
  const used = bus ?? createMemoryBus({ clock, ids, signal: background.signal });
  return {
    bus: used,
    sockets: createSockets({
      ...environment,
      bus: used,
      moneyOf: (turnId) => state.moneyOf(turnId),
      ...(shown ? { shown } : { past: openPast(channelFolder(paths, "web"), paths.home) }),
    }),
    transcription: createTranscription({ env, clock, count, config: () => config.loaded.config }),
    speak: createSpeech({
      env,
      clock,
      log,
      count,
      folder: paths.sentMedia,
      config: () => config.loaded.config,
    }),
    isServed: bus !== undefined,
  };
}

/** A phrase says why no model can be used. */
export async function buildAssistant(
  storage: Storage,
  messaging: Messaging,
  delivery: Delivery,
  options: AssistantOptions = {},
): Promise<Assistant | Phrase> {
  const { environment, loaded, lock, sessions, remembered, tainted, config } = storage;
  const { paths, workspace, words, ids, background } = environment;
  const models = await openModels(storage, options.provider);
  if ("code" in models) return models;
  const { agents } = loaded.config;
  const { recall, documents, memoryOf } = openOwnMemory(storage, options.isOnce ?? false);
  const findLabels = createEntryLabels(
    createFileLabels({
      workspace,
      ownFolders: [paths.toolResults],
      tainted,
      skillLabel: async () => "",
    }),
  );
  const tools = buildTools(storage, {
    disabledSkills: () => config.loaded.config.agents.defaults.disabledSkills,
    imageLimits: models.usual.imageLimits,
    documents,
    memory: toMemoryTools(recall, findLabels),
    tools: options.tools ?? [],
  });
  const { registry, roots, skills, undo, guard, processes, changes } = tools;
  const foreign = openForeignTools({
    ...environment,
    loaded,
    tools: registry,
    guard,
    ...(options.onServerWait && { onServerWait: options.onServerWait }),
  });
  const prompts = buildPrompts(storage, { skills, recall, findLabels, foreign, extensions: options.context });
  const { enabled, modelOverride } = agents.defaults.dream;
  const dreams = createDreams({
    ...environment,
    lock,
    skills,
    documents,
    isEnabled: enabled,
    chooseModel: () => chooseDreamModel(models, modelOverride),
    readPrompt: (name) => prompts.files.readInstruction(workspace, name),
  });
  await dreams.recover();
  for (const path of await tools.sandbox.finishLeft()) environment.log.warn("command.set-aside", { path });
  const commands = new CommandRouter();
  const loop = buildLoop({
    ...{ storage, messaging, delivery, models, tools, prompts, foreign, commands, documents },
    share: options.share,
  });
  registry.add(createTurnTools({ storage, messaging, delivery, tools, loop }));
  const chat = createChat({
    ...environment,
    ...messaging,
    loop,
    sessions,
    recall,
    skills,
    modelOf: (session) => models.of(session),
    runOwnCommand: createOwnCommands(registry, ids),
    lock,
    hasTitles: () => config.loaded.config.agents.defaults.generateTitles,
  });
  return {
    storage,
    messaging,
    models,
    loop,
    commands,
    tools,
    foreign,
    recall,
    documents,
    memoryOf,
    dreams,
    chat,
    conversation: { loop, sessions, models, remembered, skills, undo, roots, words },
    // Later parts are used by earlier ones.
    async close() {
      for (const part of [loop, processes, foreign, recall, changes, background, storage.state])
        await part.close();
      lock.close();
    },
  };
}

/** Undefined where none are configured. */
export function createOwnEmbeddings(
  { environment, loaded, count }: Storage,
  cause: "recall" | "api",
): ReturnType<typeof createEmbeddings> {
  const { memory, providers } = loaded.config;
  const config = { ...(memory.embeddings && { embeddings: memory.embeddings }), providers };
  return createEmbeddings({ ...environment, count, redact: environment.redactor.redact, config, cause });
}

function openOwnMemory(storage: Storage, isOnce: boolean): Memory {
  const { environment, loaded, sessions, lock } = storage;
  const { memory } = loaded.config;
  const embeddings = createOwnEmbeddings(storage, "recall");
  return openMemory({
    ...environment,
    ...(embeddings && { embeddings }),
    knowledge: memory.knowledge,
    sessions,
    lock,
    isOnce,
  });
}

interface PromptParts {
  skills: SkillsLoader;
  recall: Recall;
  findLabels: FindEntryLabels;
  foreign: ForeignToolSource;
  extensions: ContextExtensions | undefined;
}

function buildPrompts({ environment, loaded, sessions, tainted }: Storage, parts: PromptParts): Context {
  const { skills, recall, findLabels, foreign, extensions } = parts;
  const { bootstrapFiles, epochIdleMinutes } = loaded.config.agents.defaults;
  return createContext(
    {
      ...environment,
      bootstrapFiles,
      epochIdleMinutes,
      withheldTools,
      facts: { heartbeat: describeHeartbeat(loaded.config.gateway.heartbeat) },
      ...(extensions && { extensions }),
    },
    {
      sessions,
      skills,
      runtimeLayers: foreign.layers,
      recall: loaded.config.memory.autoRecall ? new PromptRecall(recall, findLabels) : undefined,
      findLabels: createPromptLabels(tainted, listPromptFiles(bootstrapFiles)),
    },
  );
}

/** Undefined: there is only the offline model. A phrase says why there is no model. */
async function chooseDreamModel(
  models: Models,
  preset: string | undefined,
): Promise<ModelRuntime | Phrase | undefined> {
  const runtime = preset === undefined || models.isGiven ? models.usual : await models.find(preset);
  return "isOffline" in runtime && runtime.isOffline === true ? undefined : runtime;
}

async function openModels(storage: Storage, provider: Provider | undefined): Promise<Models | Phrase> {
  const { environment, loaded, count } = storage;
  const { env, clock, redactor } = environment;
  const isConfigured = loaded.isSet("agents.defaults.contextWindowTokens");
  return Models.open(toModelInput(loaded, env), {
    clock,
    count,
    windows: await openWindows({ ...environment, isConfigured }),
    signIns: createSignInsLoader(environment),
    guard: (model) => withoutSecrets(model, redactor.redactValues),
    ...(provider && { provider }),
  });
}

interface LoopParts
  extends Pick<
    Assistant,
    "storage" | "messaging" | "models" | "tools" | "foreign" | "commands" | "documents"
  > {
  delivery: Delivery;
  prompts: Context;
  share: TurnShare | undefined;
}

function buildLoop(parts: LoopParts): AgentLoop {
  const { storage, messaging, delivery, models, tools, prompts, foreign, commands, documents } = parts;
  const { environment, loaded, lock, sessions, state } = storage;
  const { workspace, words, clock, ids, log, redactor } = environment;
  const { defaults } = loaded.config.agents;
  const { registry, roots, processes, results, skillUse } = tools;
  const { epochs, subagentEpochs, files } = prompts;
  const turnTools = { tools: registry, toolDefinitions: foreign.definitions };
  const consolidator = new Consolidator({
    log,
    ratio: defaults.consolidationRatio,
    readPrompt: () => files.readInstruction(workspace, "consolidator_archive.md"),
  });
  const upkeep = {
    consolidator,
    documents,
    idleMs: defaults.idleCompactAfterMinutes * 60_000,
    pending: sessions.pending,
    lock,
    clock,
    log,
  };
  return new AgentLoop({
    bus: messaging.bus,
    turns: {
      ...turnTools,
      sessions,
      epochs,
      upkeep: new Upkeep({ ...upkeep, epochs, dayNotes: new DayNotes({ documents, sessions, clock }) }),
      runner: new AgentRunner(clock),
      lock,
      clock,
      log,
      maxSteps: defaults.maxToolIterations,
      model: (session) => models.of(session),
      rootFor: (origin) => roots.rootFor(origin),
      moneyOf: (turnId) => state.moneyOf(turnId),
      onEnd: (turnId, stop) => skillUse.finish(turnId, stop),
      findLasting: tools.findLasting,
      discard: async ({ sessionKey, origin }) => {
        await processes.stopSession(sessionKey);
        await results.remove(scopeOf(origin), sessionKey);
      },
    },
    words,
    clock,
    ids,
    log,
    commands,
    maxConcurrentTurns: defaults.maxConcurrentTurns,
    ...(parts.share && { share: parts.share }),
    collectMs: loaded.config.channels.collectMs,
    ...(delivery.split && { split: delivery.split }),
    canAsk: delivery.canAsk,
    redact: redactor.redact,
    stopProcesses: (sessionKey) => processes.stopSession(sessionKey),
    onClosed: (sessionKey) => messaging.sockets.live.close(sessionKey),
    subagents: {
      most: defaults.maxConcurrentSubagents,
      onChange: (subagent) => messaging.sockets.showSubagent(subagent),
      turns: {
        ...toSubagentTools(turnTools),
        epochs: subagentEpochs,
        // It is never told to stay: sessions of subagents are not archived.
        upkeep: new Upkeep({ ...upkeep, epochs: subagentEpochs }),
      },
    },
  });
}
