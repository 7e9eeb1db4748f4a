// What turns are made with, and a turn's input put together from it. Runs nothing.
import type { InboundMessage, Origin } from "../bus/types.ts";
import { chooseTools } from "../context/choose-tools.ts";
import type { Epochs, Inspection, TurnInput } from "../context/epochs.ts";
import { toCorrection } from "../context/token-count.ts";
import type { Clock } from "../lib/clock.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import type { Log } from "../lib/log.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { ToolRegistry } from "../runner/registry.ts";
import type { AgentRunner } from "../runner/runner.ts";
import type { Session } from "../session/session.ts";
import type { SessionStore } from "../session/store.ts";
import { type ModelRuntime, windowOf } from "./model-runtime.ts";
import type { Upkeep, Upkept } from "./upkeep.ts";

export type { Upkept } from "./upkeep.ts";

export interface TurnDependencies {
  sessions: SessionStore;
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
  /** Bound anew for each turn. */
  model(session: Session): Promise<ModelRuntime>;
  rootFor(origin: Origin): string;
  /** Ends and removes what tools left behind for the conversation of a turn that is not kept. */
  discard?(message: InboundMessage): Promise<void>;
}

/** A message that is only imagined, to look at what it would send. */
export interface ImaginedMessage {
  sessionKey: string;
  origin: Origin;
  text: string;
}

/** What the next request of a session would contain. Changes nothing, also while a turn runs. */
export async function inspectContext(
  dependencies: TurnDependencies,
  { sessionKey, origin, text }: ImaginedMessage,
): Promise<Inspection> {
  const session = await dependencies.sessions.open(sessionKey);
  const message = { origin, text, media: [] };
  const model = await dependencies.model(session);
  return dependencies.epochs.inspect(await toTurnInput(dependencies, { session, message, model }));
}

/** A session as its upkeep sees it, when no message is there to be answered. */
export async function toUpkept(
  dependencies: TurnDependencies,
  { sessionKey, origin }: Pick<ImaginedMessage, "sessionKey" | "origin">,
): Promise<Upkept> {
  const session = await dependencies.sessions.open(sessionKey);
  const model = await dependencies.model(session);
  const message = { origin, text: "" };
  return { model, input: await toTurnInput(dependencies, { session, message, model }) };
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

interface TurnGround {
  session: Session;
  message: Pick<InboundMessage, "origin" | "text" | "speaker" | "media">;
  layers?: TurnInput["layers"];
  model: ModelRuntime;
  /** Of the turn that it is for. */
  signal?: AbortSignal;
}
