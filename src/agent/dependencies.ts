// What the loop, a turn and the model of a turn are made from. Whatever belongs to a higher module is a function type here.

import type { MessageBus } from "../bus/bus.ts";
import type { AnswerAddress, Cause, InboundMessage, Origin, Piece } from "../bus/types.ts";
import type { Epochs, TurnInput } from "../context/epochs.ts";
import { chooseTools, toCorrection } from "../context/fit-prompt.ts";
import type { LastingChange } from "../guards/labels/lasting-changes.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { cutMiddle } from "../lib/text.ts";
import type { ImageLimits } from "../llm/hosts/host.ts";
import type { ModelSettings, Provider, ToolDefinition } from "../llm/types.ts";
import { toWindow, type Window } from "../memory/fit.ts";
import type { TurnResult } from "../runner/events.ts";
import type { ToolRegistry } from "../runner/registry.ts";
import type { AgentRunner } from "../runner/runner.ts";
import type { Tool } from "../runner/tool.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { EntryKind, SaidFields } from "../storage/sessions/format/entry-facts.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { CommandRouter } from "./commands.ts";
import type { TurnShare } from "./gate.ts";
import type { SubagentsOptions } from "./subagents.ts";
import type { Upkeep } from "./upkeep.ts";

export interface TurnDependencies {
  sessions: SessionManager;
  epochs: Epochs;
  upkeep: Upkeep;
  runner: AgentRunner;
  tools: ToolRegistry;
  /** The same object while nothing changes. With a signal it is for a turn, and may wait a moment for foreign tools. */
  toolDefinitions(signal?: AbortSignal): Promise<ToolDefinition[]>;
  lock: HomeLock;
  clock: Clock;
  log: Log;
  maxSteps: number;
  /** Bound again for each turn. */
  model(session: Session): Promise<ModelRuntime>;
  rootFor(origin: Origin): string;
  /** What a turn has cost so far; undefined where no price is known. */
  moneyOf?(turnId: string): number | undefined;
  /** A turn has ended. Must not throw. */
  onEnd?(turnId: string, stop: TurnResult["stop"]): Promise<void>;
  /** What it changed of what later conversations begin with. Must not throw. */
  findLasting?(turn: { sessionKey: string; turnId: string; origin: Origin }): Promise<LastingChange[]>;
  /** Ends and removes what tools left behind for the conversation of a turn that is not kept. */
  discard?(message: InboundMessage): Promise<void>;
}

export async function toTurnInput(
  { rootFor, toolDefinitions }: TurnDependencies,
  { session, message, layers = [], tools: given = [], model, signal }: TurnRequest,
): Promise<TurnInput> {
  const { origin, media = [] } = message;
  const { name, imageLimits } = model;
  const window = { ...windowOf(model), correction: toCorrection(session.metadata.counted, name) };
  return {
    session,
    origin,
    personRoot: rootFor(origin),
    text: toSaidText(message),
    media,
    layers,
    imageLimits,
    model: name,
    window,
    tools: addTools(chooseTools(await toolDefinitions(signal), window), given),
  };
}

/** The same list where there is nothing to add: later steps compare by it. */
function addTools(own: ToolDefinition[], given: readonly Tool[]): ToolDefinition[] {
  if (given.length === 0) return own;
  const names = new Set(given.map(({ name }) => name));
  const added = given.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters.jsonSchema,
  }));
  return [...own.filter(({ name }) => !names.has(name)), ...added];
}

/** For the model, which should know who speaks in a group. */
export function toNamedText({ speaker, text }: Pick<InboundMessage, "speaker" | "text">): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}

const longestQuote = 500;

/** The same, with what a correction corrects. */
export function toSaidText(
  inbound: Pick<InboundMessage, "speaker" | "text" | "revises" | "silence">,
  { isJoined = false } = {},
): string {
  const { revises, silence } = inbound;
  const text = toNamedText(inbound);
  if (revises === undefined) return text;
  const before = cutMiddle(revises.before, longestQuote).replaceAll("\n", " ");
  const quiet = ` If that changes nothing about what you have answered, answer only ${silence}.`;
  return `${text}\n[This is the edited text of an earlier message, which said: ${before}]${isJoined ? "" : quiet}`;
}

const machineKinds: Partial<Record<Cause, EntryKind>> = {
  cron: "scheduled",
  heartbeat: "heartbeat",
  subagent: "subagent",
};

export interface SaidFacts extends Partial<SaidFields> {
  kind: EntryKind;
  /** Of a correction: the message that it corrects. */
  revises?: string;
}

/** What the runner says in the role of a user. */
export const promptFacts: SaidFacts = { kind: "prompt" };

/** What its line says of a message that starts or joins a turn. */
export function toSaidFacts(inbound: InboundMessage, fields: SaidFields): SaidFacts {
  const { kind, origin, task, revises } = inbound;
  return {
    kind: (kind === "system" && machineKinds[origin.cause]) || "user",
    ...fields,
    ...(revises && { revises: revises.id, said: Math.min(fields.said, toNamedText(inbound).length) }),
    ...(task && { task }),
  };
}

interface TurnRequest {
  session: Session;
  message: Pick<InboundMessage, "origin" | "text" | "speaker" | "media" | "revises" | "silence">;
  layers?: TurnInput["layers"];
  tools?: readonly Tool[];
  model: ModelRuntime;
  /** Of the turn that it is for. */
  signal?: AbortSignal;
}

export interface AgentLoopOptions {
  bus: MessageBus;
  turns: TurnDependencies;
  words: Words;
  clock: Clock;
  ids: Ids;
  log: Log;
  maxConcurrentTurns: number;
  /** Of this process, where it serves several homes. */
  share?: TurnShare;
  /** A moment in which messages of one chat become one turn. */
  collectMs?: number;
  /** A text as the messages that a channel can send of it. */
  split?(channel: string, text: string, answer?: AnswerAddress): Piece[];
  /** Whether someone can answer an approval where this message came from. */
  canAsk(origin: Origin): boolean;
  commands: CommandRouter;
  /** A conversation was closed: from now on its key is that of a new one. */
  onClosed?(sessionKey: string): void;
  /** Ends the commands that a session left running; how many. */
  stopProcesses(sessionKey: string): Promise<number>;
  subagents: Pick<SubagentsOptions, "most" | "onChange"> & {
    /** Where their turns differ from others. */
    turns: Pick<TurnDependencies, "epochs" | "upkeep" | "tools" | "toolDefinitions">;
  };
  /** Removes secrets from failures that a person reads. */
  redact(text: string): string;
}

/** The model that a turn is bound to when it begins; a later change of the config affects later turns only. */
export interface ModelRuntime {
  provider: Provider;
  settings: ModelSettings;
  /** For people and for epochs: host and model as one name. */
  name: string;
  host: string;
  contextWindow: number;
  /** Window that its host, or a fallback's, named when it refused a request; undefined: none was named. */
  learntWindow?(): number | undefined;
  /** It only follows rules: what needs understanding is not asked of it. */
  isOffline?: boolean;
  /** What the host and those of its fallbacks accept. */
  imageLimits?: ImageLimits;
  /** Why it was chosen; a part of a sentence. */
  why: Phrase;
}

/** What a turn may take of the model now. */
export function windowOf({ contextWindow, learntWindow, settings }: ModelRuntime): Window {
  return toWindow(Math.min(contextWindow, learntWindow?.() ?? contextWindow), settings.maxTokens);
}
