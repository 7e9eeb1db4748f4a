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
import { readDailyNotes } from "./daily-notes.ts";
import {
  describeChanges,
  type Epoch,
  type EpochRecord,
  readEpochRecord,
  reasonForNewEpoch,
  toSeen,
} from "./epoch.ts";
import { chooseStart, chooseStartWithin, inputBudget, type Window } from "./fit.ts";
import { type Layer, layerSeparator, type PromptFileVersion, type RenderedLayer } from "./layer.ts";
import type { Prefix, PrefixStore } from "./prefix-store.ts";
import type { PromptFiles } from "./prompt-files.ts";
import { renderRuntimeContext } from "./runtime-context.ts";

export interface ContextBuilderOptions {
  layers: Layer[];
  files: PromptFiles;
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
    const fresh = toPrefix(layers, input.tools);
    const seen = toSeen(filesOf(layers), input.tools);
    const current = await this.#currentEpoch(input);
    const runtimeContext = this.buildRuntimeContext(
      input.origin,
      await this.#describeNews(input, layers, current),
    );
    const content = `${this.buildUserContent(input.text, input.media)}\n\n${runtimeContext}`;
    const { from, tokens } = fitSession(input, current?.prefix ?? fresh, content);
    const isLasting = current !== undefined && from === current.record.from;
    const epoch = isLasting
      ? { prefix: current.prefix, record: { ...current.record, seen } }
      : await this.#beginEpoch(fresh, { model: input.model, from, seen });
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

  /** What the model should know beside the prompt: within an epoch what changed, at its start the daily notes. */
  async #describeNews(
    input: TurnInput,
    layers: RenderedLayer[],
    current: Epoch | undefined,
  ): Promise<string[]> {
    if (current !== undefined) return describeChanges(current, filesOf(layers), input.tools);
    const { files, clock, timeZone } = this.#options;
    return readDailyNotes(files, { personRoot: input.personRoot, now: clock.now(), timeZone });
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

function toPrefix(layers: RenderedLayer[], tools: ToolDefinition[]): Prefix {
  const sources = Object.fromEntries(filesOf(layers).map(({ name, text }) => [name, text]));
  return { system: joinLayers(layers), tools, sources };
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
