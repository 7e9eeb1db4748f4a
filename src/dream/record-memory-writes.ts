// Remembers in which turn the assistant wrote which lines of memory: what is written in a conversation can be traced
// like what Dream writes.
import type { Origin } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { isBlank } from "../lib/text.ts";
import type { ToolContext, ToolWrapper } from "../runner/tool.ts";
import type { Documents } from "../storage/documents/memory-store.ts";
import { scopeOf } from "../storage/scope.ts";

export interface MemoryWritesOptions {
  roots: {
    resolveWrite(path: string, origin: Origin): Promise<string>;
    display(path: string, origin: Origin): string;
  };
  documents: Documents;
  clock: Clock;
  log: Log;
}

const files = ["SOUL.md", "USER.md", "memory/MEMORY.md"];

export function recordMemoryWrites({ roots, documents, clock, log }: MemoryWritesOptions): ToolWrapper {
  async function record(file: string, before: string, context: ToolContext): Promise<void> {
    const { origin, sessionKey, turnId: turn, labels } = context;
    const store = documents.of(scopeOf(origin));
    const known = new Set(before.split("\n"));
    const lines = (await store.readText(file)).split("\n");
    const added = lines.filter((line) => !known.has(line) && !isBlank(line) && !line.startsWith("#"));
    const facts = {
      file,
      at: clock.now(),
      sessionKey,
      turn,
      ...(labels.size > 0 && { labels: [...labels] }),
    };
    await store.provenance.record(added.map((line) => ({ ...facts, line })));
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const { origin } = context;
        const before = new Map<string, string>();
        for (const effect of effects(args)) {
          const path = effect.type === "write" ? await roots.resolveWrite(effect.path, origin) : "";
          const file = path === "" ? "" : roots.display(path, origin);
          if (files.includes(file)) before.set(file, await documents.of(scopeOf(origin)).readText(file));
        }
        const result = await tool.execute(args, context);
        for (const [file, text] of before) {
          // The write counts even if no record of it can be kept.
          await record(file, text, context).catch((error: NodeJS.ErrnoException) => {
            if (error.code === undefined) throw error;
            log.warn("provenance-not-kept", { file, error });
          });
        }
        return result;
      },
    };
  };
}
