// Remembers which skills the assistant wrote itself: they are scanned like any other, and never `always`.
import type { Origin } from "../bus/types.ts";
import type { ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "./loader.ts";

export interface WriteResolver {
  resolveWrite(path: string, origin: Origin): Promise<string>;
}

export function recordSkillWrites(skills: SkillsLoader, roots: WriteResolver): ToolWrapper {
  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const result = await tool.execute(args, context);
        for (const effect of effects(args)) {
          if (effect.type !== "write") continue;
          await skills.recordAgentWritten(await roots.resolveWrite(effect.path, context.origin));
        }
        return result;
      },
    };
  };
}
