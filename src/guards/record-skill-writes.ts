// Remembers which skills the assistant wrote itself: they are scanned like any other, and never `always`.
import type { ToolWrapper } from "../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";

/** Told the real path of what was written. */
export interface WrittenSkills {
  recordAgentWritten(path: string): Promise<void>;
}

export function recordSkillWrites(
  skills: WrittenSkills,
  roots: Pick<FileRoots, "resolveWrite">,
): ToolWrapper {
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
