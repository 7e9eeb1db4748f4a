// Keeps what a call is about to change, so that its turn can be undone. Judges effects, never names.

import type { ToolWrapper } from "../runner/tool.ts";
import type { Snapshots } from "../storage/blobs/snapshots.ts";
import { toScopedKey } from "../storage/scope.ts";
import type { FileRoots } from "./file-roots.ts";

export function withSnapshots(snapshots: Snapshots, roots: FileRoots): ToolWrapper {
  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const declared = effects(args);
        const paths = declared.flatMap((effect) => (effect.type === "write" ? [effect.path] : []));
        const resolved = await Promise.all(paths.map((path) => roots.resolveWrite(path, context.origin)));
        const taken = await Promise.all(resolved.map((path) => snapshots.take(path)));
        const place = { ...context, sessionKey: toScopedKey(context.sessionKey, context.origin) };
        try {
          return await tool.execute(args, context);
        } finally {
          for (const [index, path] of resolved.entries())
            await snapshots.recordChange(place, path, taken[index]);
          for (const effect of declared) {
            if (effect.type === "run") await snapshots.recordCommand(place, effect.command);
          }
        }
      },
    };
  };
}
