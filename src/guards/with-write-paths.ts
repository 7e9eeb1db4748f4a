// Lets a tool write nothing but the files that are named, for runs that have one purpose. Knows no tool by name.
import { ToolError, type ToolWrapper } from "../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";

/** Paths as `roots` shows them. */
export function withWritePaths(roots: FileRoots, paths: readonly string[]): ToolWrapper {
  return (tool) => ({
    ...tool,
    async execute(args, context) {
      const { origin } = context;
      for (const effect of tool.effects?.(args) ?? []) {
        if (effect.type !== "write") continue;
        const shown = roots.display(await roots.resolveWrite(effect.path, origin), origin);
        if (!paths.includes(shown))
          throw new ToolError(`${tool.name} may only write ${paths.join(", ")}. Use one of these paths.`);
      }
      return tool.execute(args, context);
    },
  });
}
