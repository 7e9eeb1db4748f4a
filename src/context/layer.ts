// A layer is one section of the system prompt: a name, where it came from, and its text.

export interface LayerInput {
  /** Whose files are read: the workspace, or a guest's or group's folder in it. */
  personRoot: string;
  workspace: string;
  /** What prompt files may still take together. */
  budget: TextBudget;
  /** Tokens that the model takes; default: plenty. */
  contextWindow?: number;
  /** The prompt is only looked at: nothing at all may be written. */
  isPreview?: boolean;
}

export interface TextBudget {
  characters: number;
  tokens: number;
}

export interface RenderedLayer {
  name: string;
  source: string;
  text: string;
  /** What a later change is measured against: source file -> hash of its text. */
  files?: PromptFileVersion[];
  /** Sources of untrusted content in its text. */
  labels?: string[];
  /** What its text is put together from, where that is worth a row of its own. */
  parts?: LayerPart[];
}

export interface LayerPart {
  name: string;
  text: string;
}

export interface PromptFileVersion {
  name: string;
  hash: string;
  text: string;
}

/** An implementer must not read what has not changed, and must leave out by returning undefined, not "". */
export interface Layer {
  name: string;
  render(input: LayerInput): Promise<RenderedLayer | undefined>;
}

export const layerSeparator = "\n\n---\n\n";

export function joinLayers(layers: readonly RenderedLayer[]): string {
  return layers.map(({ text }) => text).join(layerSeparator);
}
