// The documents of a workspace, without an assistant.
import { join } from "node:path";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { Documents } from "../../src/storage/documents/memory-store.ts";

export function openDocuments(
  home: string,
  clock: Clock = systemClock,
  toDay: (ms: number) => string = () => "2026-11-15",
): Documents {
  return new Documents({
    paths: { home, run: join(home, "run") },
    workspace: join(home, "workspace"),
    name: "workspace",
    clock,
    toDay,
  });
}
