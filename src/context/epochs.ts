// Prompts of a session over time: keeps its epoch's prefix frozen, tells the model what changed, and makes it fit.
import type { Origin } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ImageLimits } from "../lib/scale-image.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import type { Message, ToolDefinition, UserMessage } from "../llm/types.ts";
import { replay } from "../session/replay.ts";
import type { Session } from "../session/session.ts";
import { appendText } from "./attachments.ts";
import { type ContextBuilder, joinLayers } from "./builder.ts";
import { readDailyNotes } from "./daily-notes.ts";
import * as epochs from "./epoch.ts";
import { chooseStart, chooseStartWithin, estimateMessageTokens, inputBudget, type Window } from "./fit.ts";
import type { PromptFileVersion, RenderedLayer } from "./layer.ts";
import type { Prefix, PrefixStore } from "./prefix-store.ts";
import type { PromptFiles } from "./prompt-files.ts";

export interface EpochsOptions {
  builder: ContextBuilder;
  files: PromptFiles;
  prefixes: PrefixStore;
  timeZone: string;
  idleMs: number;
  clock: Clock;
  log: Log;
  /** Instructions that a message asks for by `$name`, in full. */
  findSkills?(text: string): Promise<string>;
}

export interface TurnInput {
  session: Session;
  origin: Origin;
  personRoot: string;
  text: string;
  media: string[];
  /** What the model's host takes. */
  imageLimits?: ImageLimits;
  /** Host and model, as one name. */
  model: string;
  window: Window;
  tools: ToolDefinition[];
}

export interface PreparedTurn {
  epoch: epochs.Epoch;
  userMessage: UserMessage;
  /** The block at the end of the user's message, for surfaces that want to hide it. */
  runtimeContext: string;
  /** Estimated tokens of the whole request. */
  estimate: number;
}

export class Epochs {
  readonly #options: EpochsOptions;

  constructor(options: EpochsOptions) {
    this.#options = options;
  }

  /** Everything about the coming request except the sending: opens the epoch, renders the message, makes it fit. */
  async prepare(input: TurnInput): Promise<PreparedTurn> {
    const { builder } = this.#options;
    const layers = await builder.renderLayers({ ...input, ...input.window });
    const fresh = toPrefix(layers, input.tools);
    const seen = epochs.toSeen(filesOf(layers), input.tools);
    const current = await this.#currentEpoch(input);
    const notes = await this.#describeNews(input, layers, current);
    const runtimeContext = builder.buildRuntimeContext(input.origin, notes);
    const userMessage = await this.#toUserMessage(input, runtimeContext);
    const { from, tokens } = fitSession(input, current?.prefix ?? fresh, userMessage);
    const isLasting = current !== undefined && from === current.record.from;
    const epoch = isLasting
      ? { prefix: current.prefix, record: { ...current.record, seen } }
      : await this.#beginEpoch(fresh, { model: input.model, from, seen });
    return { epoch, userMessage, runtimeContext, estimate: tokens };
  }

  /** The messages of the request: the frozen system text, then history as it was sent, the current message included. */
  toMessages(session: Session, { record, prefix }: epochs.Epoch): Message[] {
    return this.#options.builder.arrange(prefix.system, replay(session.messages, { from: record.from }));
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
    const turnStart = messages.findLastIndex((message) => message.id === turnId);
    const from = turnStart < 0 ? start : Math.min(start, turnStart);
    return { ...prepared, epoch: { prefix, record: { ...record, from } }, estimate: budget };
  }

  /** The epoch that goes on with this turn; undefined when a new one has to begin. */
  async #currentEpoch({ session, model }: TurnInput): Promise<epochs.Epoch | undefined> {
    const { clock, idleMs, prefixes, log } = this.#options;
    const record = epochs.readEpochRecord(session.metadata.epoch);
    const lastActiveAt = session.messages.at(-1)?.at ?? 0;
    const reason = epochs.reasonForNewEpoch({ record, model, now: clock.now(), lastActiveAt, idleMs });
    if (record === undefined || reason !== undefined) {
      log.debug("epoch-begins", { session: session.key, reason });
      return undefined;
    }
    const prefix = await prefixes.load(record.hash);
    return prefix === undefined ? undefined : { record, prefix };
  }

  /** What the model should know beside the prompt: within an epoch what changed, at its start the daily notes. */
  async #describeNews(
    { personRoot, tools }: TurnInput,
    layers: RenderedLayer[],
    current: epochs.Epoch | undefined,
  ): Promise<string[]> {
    if (current !== undefined) return epochs.describeChanges(current, filesOf(layers), tools);
    const { files, clock, timeZone } = this.#options;
    return readDailyNotes(files, { personRoot, now: clock.now(), timeZone });
  }

  async #toUserMessage(
    { text, media, imageLimits }: TurnInput,
    runtimeContext: string,
  ): Promise<UserMessage> {
    const { builder, findSkills } = this.#options;
    const said = await builder.buildUserContent(text, media, imageLimits);
    const skills = (await findSkills?.(text)) ?? "";
    const blocks = [skills, runtimeContext].filter((block) => block !== "");
    return { role: "user", content: blocks.reduce(appendText, said) };
  }

  async #beginEpoch(
    prefix: Prefix,
    facts: Pick<epochs.EpochRecord, "model" | "from" | "seen">,
  ): Promise<epochs.Epoch> {
    const hash = await this.#options.prefixes.save(prefix);
    return { prefix, record: { hash, startedAt: this.#options.clock.now(), ...facts } };
  }
}

function fitSession({ session, window }: TurnInput, prefix: Prefix, userMessage: UserMessage) {
  const { messages, lastConsolidated } = session;
  const stored = epochs.readEpochRecord(session.metadata.epoch)?.from ?? 0;
  const from = Math.min(Math.max(stored, lastConsolidated), messages.length);
  const fixedTokens = estimatePrefix(prefix) + estimateMessageTokens(userMessage);
  return chooseStart({ messages, from, fixedTokens, budget: inputBudget(window) });
}

function toPrefix(layers: RenderedLayer[], tools: ToolDefinition[]): Prefix {
  const sources = Object.fromEntries(filesOf(layers).map(({ name, text }) => [name, text]));
  return { system: joinLayers(layers), tools, sources };
}

function filesOf(layers: RenderedLayer[]): PromptFileVersion[] {
  return layers.flatMap((layer) => layer.files ?? []);
}

function estimatePrefix({ system, tools }: Prefix): number {
  return estimateTokens(system) + estimateJsonTokens(tools);
}
