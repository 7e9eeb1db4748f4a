// The files of a workspace for a command, without the assistant: no model is needed.
import type { Surroundings, WorkspaceServices } from "../api/services.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";
import { buildMemory, type MemoryParts } from "./build-memory.ts";
import { toSurroundings } from "./open-client.ts";

export type WorkspaceParts = Surroundings & Pick<MemoryParts, "lock" | "onVersionsProblem">;

/** `opened` takes what is to be closed. */
export async function openWorkspaceServices(
  parts: WorkspaceParts,
  opened: Array<{ close(): Promise<void> }>,
): Promise<WorkspaceServices> {
  const sessions = await SessionManager.open({ ...parts, root: parts.paths.sessions });
  const { recall, memoryOf } = buildMemory({ ...parts, loaded: parts.loaded(), sessions });
  opened.push(recall);
  return { ...toSurroundings(parts), sessions, memoryOf };
}
