// What the tools of the program say that their calls do, for calls that were made before.
import type { Effect, Tool } from "../../runner/tool.ts";

export interface KnownCalls {
  /** Every tool passes through here once. */
  know(tool: Tool): Tool;
  /** Undefined for a tool that is not known, or that declares nothing. */
  effectsOf(name: string, args: string): readonly Effect[] | undefined;
}

export function createKnownCalls(): KnownCalls {
  const tools = new Map<string, Tool>();
  return {
    know(tool) {
      tools.set(tool.name, tool);
      return tool;
    },
    effectsOf(name, args) {
      const tool = tools.get(name);
      const parsed = tool?.effects && tool.parameters.parse(args);
      return parsed?.ok ? tool?.effects?.(parsed.value) : undefined;
    },
  };
}
