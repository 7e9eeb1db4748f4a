// Small models have small windows: the tools that they are told of must not fill them.

import { remember } from "../lib/remember.ts";
import { estimateJsonTokens } from "../lib/tokens.ts";
import type { ToolDefinition } from "../llm/types.ts";
import { estimateBudget, type Window } from "../memory/fit.ts";

const smallWindow = 8_192;
/** Of what a request may take. */
const largestShare = 0.35;

/** With these everything can still be done, if less comfortably. */
const essential = new Set(["read_file", "write_file", "list_dir", "exec"]);

/** Choices from one list: the same tools are always the same object, which later steps compare by. */
const choicesOf = remember((_tools: ToolDefinition[]) => new Map<string, ToolDefinition[]>());
const estimateTool = remember((tool: ToolDefinition) => estimateJsonTokens(tool));

export function chooseTools(tools: ToolDefinition[], window: Window): ToolDefinition[] {
  // In steps, so that a count that changes a little from turn to turn does not change the tools.
  const correction = Math.ceil((window.correction ?? 1) * 4) / 4;
  const most = Math.floor(estimateBudget({ ...window, correction }) * largestShare);
  const candidates =
    window.contextWindow < smallWindow
      ? tools.filter(({ name }) => essential.has(name))
      : [
          ...tools.filter(({ name }) => essential.has(name)),
          ...tools.filter(({ name }) => !essential.has(name)),
        ];
  let tokens = 0;
  const chosen = new Set<ToolDefinition>();
  for (const tool of candidates) {
    const own = estimateTool(tool);
    if (tokens + own > most) continue;
    tokens += own;
    chosen.add(tool);
  }
  if (chosen.size === tools.length) return tools;
  const kept = tools.filter((tool) => chosen.has(tool));
  const key = kept.map(({ name }) => name).join("\n");
  const choices = choicesOf(tools);
  const known = choices.get(key) ?? kept;
  choices.set(key, known);
  return known;
}
