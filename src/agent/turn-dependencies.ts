// What turns are made with, and a turn's input put together from it. Runs nothing.
import type { Cause, InboundMessage, Origin } from "../bus/types.ts";
import { chooseTools } from "../context/choose-tools.ts";
import type { Epochs, TurnInput } from "../context/epochs.ts";
import { toCorrection } from "../context/token-count.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { ToolRegistry } from "../runner/registry.ts";
import type { AgentRunner } from "../runner/runner.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { EntryKind, SaidFields } from "../storage/sessions/format/entry-facts.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { type ModelRuntime, windowOf } from "./model-runtime.ts";
import type { Upkeep } from "./upkeep.ts";

export interface TurnDependencies {
  sessions: SessionManager;
  epochs: Epochs;
  upkeep: Upkeep;
  runner: AgentRunner;
  tools: ToolRegistry;
  /** One object for as long as nothing changes. With a signal it is for a turn, and may wait a moment for foreign tools. */
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
  /** Ends and removes what tools left behind for the conversation of a turn that is not kept. */
  discard?(message: InboundMessage): Promise<void>;
}

export async function toTurnInput(
  { rootFor, toolDefinitions }: TurnDependencies,
  { session, message, layers = [], model, signal }: TurnGround,
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
    tools: chooseTools(await toolDefinitions(signal), window),
  };
}

/** For the model, which should know who speaks in a group. */
export function toSaidText({ speaker, text }: Pick<InboundMessage, "speaker" | "text">): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}

const machineKinds: Partial<Record<Cause, EntryKind>> = {
  cron: "scheduled",
  heartbeat: "heartbeat",
  subagent: "subagent",
};

export interface SaidFacts extends Partial<SaidFields> {
  kind: EntryKind;
}

/** What the runner says in the role of a user. */
export const promptFacts: SaidFacts = { kind: "prompt" };

/** What its line says of a message that starts or joins a turn. */
export function toSaidFacts({ kind, origin }: InboundMessage, fields: SaidFields): SaidFacts {
  return { kind: (kind === "system" && machineKinds[origin.cause]) || "user", ...fields };
}

interface TurnGround {
  session: Session;
  message: Pick<InboundMessage, "origin" | "text" | "speaker" | "media">;
  layers?: TurnInput["layers"];
  model: ModelRuntime;
  /** Of the turn that it is for. */
  signal?: AbortSignal;
}
