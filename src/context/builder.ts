// ContextBuilder: layers -> system prompt, history -> messages, the current message with its runtime context.
// Knows how a prompt is put together; does not know sessions, nor how a prompt is sent.
import { dirname, join } from "node:path";
import type { Origin } from "../bus/types.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { type Log, silentLog } from "../lib/log.ts";
import { readSystemTimeZone } from "../lib/process/time-zone.ts";
import { remember } from "../lib/remember.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { ImageLimits } from "../llm/hosts/host.ts";
import type { Message } from "../llm/types.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { createDefaultLayers, createWorkspaceSkills } from "./layers/default-layers.ts";
import { joinLayers, type Layer, PromptFiles, type RenderedLayer, type TextBudget } from "./layers/layer.ts";
import { findMentionedSkills, renderNamedSkills } from "./layers/skills.ts";
import { renderRuntimeContext } from "./runtime-context.ts";
import { appendText, buildUserContent, type UserContent } from "./user-message.ts";

export interface ContextBuilderOptions {
  workspace: string;
  /** Where the images of messages are kept; default: `media` next to the workspace. */
  mediaFolder?: string;
  /** In the order of the prompt: earlier ones weigh more. Default: identity, prompt files, memory and skills. */
  layers?: Layer[];
  /** For `skillNames`; default: those of the workspace, of the folder around it and of the program. */
  skills?: SkillsLoader;
  /** IANA name; default: the system's. */
  timeZone?: string;
  clock?: Clock;
  /** For layers that failed. */
  log?: Log;
  /**
   * Shortens the history before it is sent. Must be pure, and must return a legal history; one that drops from the
   * front gives up the provider's cache each time.
   */
  compressHistory?(history: readonly Message[]): readonly Message[];
  /** Sees every prompt before it is sent; must not change it. */
  inspect?(messages: readonly Message[]): void;
}

/** For whom a prompt is, and how much of it fits. */
interface PromptTarget {
  /** Whose USER, MEMORY and notes are read; default: the workspace. */
  personRoot?: string;
  /** Tokens; the files of the prompt take a quarter of it at most. */
  contextWindow?: number;
  /** It is only looked at: nothing at all may be written. */
  isPreview?: boolean;
  /** Skills to load in full for this call. */
  skillNames?: readonly string[];
}

export interface CurrentMessage extends PromptTarget {
  text: string;
  media?: string[];
  /** What the model's host takes. */
  imageLimits?: ImageLimits;
  origin: Origin;
  history?: readonly Message[];
}

const mostCharacters = 150_000;
const usualWindow = 200_000;

export class ContextBuilder {
  readonly #options: ContextBuilderOptions & { layers: Layer[]; skills: SkillsLoader };

  /** A workspace alone is enough. */
  constructor(given: ContextBuilderOptions | string) {
    const options = typeof given === "string" ? { workspace: given } : given;
    const { workspace } = options;
    const skills = options.skills ?? createWorkspaceSkills(workspace, dirname(workspace));
    const layers = options.layers ?? createDefaultLayers({ files: new PromptFiles(), skills });
    this.#options = { ...options, skills, layers };
  }

  async buildSystemPrompt(target: PromptTarget = {}): Promise<string> {
    const { skillNames = [] } = target;
    const named = skillNames.length > 0 && (await renderNamedSkills(this.#options.skills, skillNames));
    return joinLayers([...(await this.renderLayers(target)), ...(named ? [named] : [])]);
  }

  /** A layer that fails to render is left out with a logged reason; the turn goes on. */
  async renderLayers(target: PromptTarget = {}): Promise<RenderedLayer[]> {
    const { personRoot, contextWindow = usualWindow, isPreview = false } = target;
    const { layers, workspace, log = silentLog } = this.#options;
    const rendered: RenderedLayer[] = [];
    // What one layer uses is missing for the next ones.
    let budget = { characters: mostCharacters, tokens: Math.floor(contextWindow / 4) };
    for (const layer of layers) {
      const input = { personRoot: personRoot ?? workspace, workspace, budget, contextWindow, isPreview };
      const result = await layer.render(input).catch((error: unknown) => {
        log.error("layer-failed", { layer: layer.name, error });
        return undefined;
      });
      if (result === undefined || result.text.trim() === "") continue;
      rendered.push(result);
      if (result.files !== undefined && !result.isOutsideBudget) budget = takeLayer(budget, result);
    }
    return rendered;
  }

  buildRuntimeContext(origin: Origin, notes: string[] = []): string {
    const { clock = systemClock, timeZone = readSystemTimeZone() } = this.#options;
    return renderRuntimeContext({ now: clock.now(), timeZone, origin, notes });
  }

  /** Images among the files come before the text, which ends with a line for each other file. */
  buildUserContent(text: string, media: readonly string[] = [], limits?: ImageLimits): Promise<UserContent> {
    const { workspace, mediaFolder: folder = join(dirname(workspace), "media") } = this.#options;
    return buildUserContent(text, media, { folder, limits });
  }

  /** The whole list without a session: for embedding. */
  async buildMessages(current: CurrentMessage): Promise<Message[]> {
    const { text, media, imageLimits, origin, history = [], skillNames, ...target } = current;
    const system = await this.buildSystemPrompt(target);
    const said = await this.buildUserContent(text, media, imageLimits);
    // With the message, as by `$name`: the prefix stays what it was.
    const skills = await findMentionedSkills(this.#options.skills, text, skillNames);
    const added = [skills, this.buildRuntimeContext(origin)].filter(Boolean).join("\n\n");
    const content = appendText(said.content, added);
    return this.arrange(system, [...history, { role: "user", content }]);
  }

  /** System text and history as one prompt, compressed, and inspected if it is to be sent. */
  arrange(system: string, history: readonly Message[], { isPreview = false } = {}): Message[] {
    const { compressHistory, inspect } = this.#options;
    const messages: Message[] = [
      { role: "system", content: system },
      ...(compressHistory?.(history) ?? history),
    ];
    if (!isPreview) inspect?.(messages);
    return messages;
  }
}

// A layer that has not changed is the same object in the next turn.
const tokensOf = remember(({ text }: RenderedLayer) => estimateTokens(text));

function takeLayer({ characters, tokens }: TextBudget, layer: RenderedLayer): TextBudget {
  return { characters: characters - layer.text.length, tokens: tokens - tokensOf(layer) };
}
