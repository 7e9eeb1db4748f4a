// A call that changes something begins only while this process may act for its home, and what it may have changed without
// telling is looked for. Innermost: nothing is asked or awaited between the check and the call.
import type { Effect, ToolWrapper } from "../runner/tool.ts";
import type { HomeDurability } from "../storage/durability.ts";

export function withHeldHome(durability: () => HomeDurability): ToolWrapper {
  return (tool) => {
    if (tool.readOnly === true) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const engine = durability();
        engine.assertHeld();
        try {
          return await tool.execute(args, context);
        } finally {
          if (tool.effects?.(args).some(isOpaque) ?? true) engine.mayHaveChanged();
        }
      },
    };
  };
}

/** Commands and programs of others do not say which files they change. */
function isOpaque({ type }: Effect): boolean {
  return type === "run" || type === "call";
}
