// The files of a workspace for a command, without the assistant: no model is needed.
import { toSurroundings } from "../api/client.ts";
import { type MemoryOptions, openMemory } from "../api/memory/person-memory.ts";
import type { Surroundings, WorkspaceServices } from "../api/services.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";

export type WorkspaceParts = Surroundings & Pick<MemoryOptions, "lock" | "onVersionsProblem">;

/** `opened` takes what is to be closed. */
export async function openWorkspaceServices(
  parts: WorkspaceParts,
  opened: Array<{ close(): Promise<void> }>,
): Promise<WorkspaceServices> {
  const sessions = await SessionManager.open({ ...parts, root: parts.paths.sessions });
  const { knowledge } = parts.loaded().config.memory;
  const { recall, memoryOf } = openMemory({ ...parts, knowledge, sessions });
  opened.push(recall);
  return { ...toSurroundings(parts), sessions, memoryOf };
}
