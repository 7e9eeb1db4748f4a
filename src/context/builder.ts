// ContextBuilder: layers -> system prompt, history -> messages, the current message with its runtime context.
// Knows how a prompt is put together; does not know how it is sent or stored.
import type { Origin } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { toWellFormed } from "../lib/text.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import type { Message, ToolDefinition, UserMessage } from "../llm/types.ts";
import { replay } from "../session/replay.ts";
import type { Session } from "../session/session.ts";
import { describeChanges, type EpochRecord, readEpochRecord, reasonForNewEpoch, toSeen } from "./epoch.ts";
import { chooseStart, chooseStartWithin, inputBudget, type Window } from "./fit.ts";
import { type Layer, layerSeparator, type PromptFileVersion, type RenderedLayer } from "./layer.ts";
import type { Prefix, PrefixStore } from "./prefix-store.ts";
import { renderRuntimeContext } from "./runtime-context.ts";

export interface ContextBuilderOptions {
  layers: Layer[];
  prefixes: PrefixStore;
  workspace: string;
  timeZone: string;
  epochIdleMs: number;
  clock: Clock;
  log: Log;
}

export interface TurnInput {
  session: Session;
  origin: Origin;
  personRoot: string;
  text: string;
  media: string[];
  /** Host and model, as one name. */
  model: string;
  window: Window;
  tools: ToolDefinition[];
}

export interface PreparedTurn {
  epoch: Epoch;
  userMessage: UserMessage;
  /** The block at the end of the user's message, for surfaces that want to hide it. */
  runtimeContext: string;
  /** Estimated tokens of the whole request. */
  estimate: number;
}

export interface Epoch {
  record: EpochRecord;
  prefix: Prefix;
}

const mostPromptCharacters = 150_000;

export class ContextBuilder {
  readonly #options: ContextBuilderOptions;

  constructor(options: ContextBuilderOptions) {
    this.#options = options;
  }

  async buildSystemPrompt(personRoot: string, contextWindow: number): Promise<string> {
    return joinLayers(await this.renderLayers(personRoot, contextWindow));
  }

  /** A layer that fails to render is left out with a logged reason; the turn goes on. */
  async renderLayers(personRoot: string, contextWindow: number): Promise<RenderedLayer[]> {
    const { layers, workspace, log } = this.#options;
    // A quarter of the window at most, at some four characters a token.
    const budget = Math.min(mostPromptCharacters, contextWindow);
    const rendered = await Promise.allSettled(
      layers.map((layer) => layer.render({ personRoot, workspace, budget })),
    );
    return rendered.flatMap((outcome, index) => {
      if (outcome.status === "fulfilled") return outcome.value ?? [];
      log.error("layer-failed", { layer: layers[index]?.name, error: outcome.reason });
      return [];
    });
  }

  buildRuntimeContext(origin: Origin, notes: string[] = []): string {
    const { clock, timeZone } = this.#options;
    return renderRuntimeContext({ now: clock.now(), timeZone, origin, notes });
  }

  buildUserContent(text: string, media: string[]): string {
    const attachments = media.map((path) => `[Attachment: ${path}]`);
    return toWellFormed([text, ...attachments].filter((line) => line !== "").join("\n"));
  }

  /** Everything about the coming request except the sending: opens the epoch, renders the message, makes it fit. */
  async prepare(input: TurnInput): Promise<PreparedTurn> {
    const layers = await this.renderLayers(input.personRoot, input.window.contextWindow);
    const seen = toSeen(filesOf(layers), input.tools);
    const current = await this.#currentEpoch(input);
    const notes =
      current === undefined ? [] : describeChanges(current.record.seen, filesOf(layers), input.tools);
    const runtimeContext = this.buildRuntimeContext(input.origin, notes);
    const content = `${this.buildUserContent(input.text, input.media)}\n\n${runtimeContext}`;
    const prefix = current?.prefix ?? { system: joinLayers(layers), tools: input.tools };
    const { from, tokens } = fitSession(input, prefix, content);
    const isLasting = current !== undefined && from === current.record.from;
    const epoch = isLasting
      ? { prefix, record: { ...current.record, seen } }
      : await this.#beginEpoch(
          { system: joinLayers(layers), tools: input.tools },
          { model: input.model, from, seen },
        );
    return { epoch, userMessage: { role: "user", content }, runtimeContext, estimate: tokens };
  }

  /** The messages of the request: the frozen system text, then history as it was sent, the current message included. */
  buildMessages(session: Session, { record, prefix }: Epoch): Message[] {
    return [{ role: "system", content: prefix.system }, ...replay(session.messages, { from: record.from })];
  }

  /** After a provider said that the context is too long: only what fits half of it, but always the turn itself. */
  shrink(input: TurnInput, prepared: PreparedTurn, turnId: string): PreparedTurn {
    const { messages } = input.session;
    const { record, prefix } = prepared.epoch;
    const budget = Math.floor(Math.min(prepared.estimate, inputBudget(input.window)) / 2);
    const start = chooseStartWithin({
      messages,
      from: record.from,
      fixedTokens: estimatePrefix(prefix),
      budget,
    });
    const turnStart = messages.findLastIndex((message) => message.turn === turnId && message.id === turnId);
    const from = turnStart < 0 ? start : Math.min(start, turnStart);
    return { ...prepared, epoch: { prefix, record: { ...record, from } }, estimate: budget };
  }

  /** The epoch that goes on with this turn; undefined when a new one has to begin. */
  async #currentEpoch({ session, model }: TurnInput): Promise<Epoch | undefined> {
    const { clock, epochIdleMs: idleMs, prefixes, log } = this.#options;
    const record = readEpochRecord(session.metadata.epoch);
    const lastActiveAt = session.messages.at(-1)?.at ?? 0;
    const reason = reasonForNewEpoch({ record, model, now: clock.now(), lastActiveAt, idleMs });
    if (record === undefined || reason !== undefined) {
      log.debug("epoch-begins", { session: session.key, reason });
      return undefined;
    }
    const prefix = await prefixes.load(record.hash);
    return prefix === undefined ? undefined : { record, prefix };
  }

  async #beginEpoch(prefix: Prefix, facts: Pick<EpochRecord, "model" | "from" | "seen">): Promise<Epoch> {
    const hash = await this.#options.prefixes.save(prefix);
    return { prefix, record: { hash, startedAt: this.#options.clock.now(), ...facts } };
  }
}

function fitSession(
  { session, window }: TurnInput,
  prefix: Prefix,
  content: string,
): { from: number; tokens: number } {
  const { messages, lastConsolidated } = session;
  const stored = readEpochRecord(session.metadata.epoch)?.from ?? 0;
  const from = Math.min(Math.max(stored, lastConsolidated), messages.length);
  const fixedTokens = estimatePrefix(prefix) + estimateTokens(content);
  return chooseStart({ messages, from, fixedTokens, budget: inputBudget(window) });
}

function filesOf(layers: RenderedLayer[]): PromptFileVersion[] {
  return layers.flatMap((layer) => layer.files ?? []);
}

function joinLayers(layers: RenderedLayer[]): string {
  return layers.map(({ text }) => text).join(layerSeparator);
}

function estimatePrefix({ system, tools }: Prefix): number {
  return estimateTokens(system) + estimateJsonTokens(tools);
}
