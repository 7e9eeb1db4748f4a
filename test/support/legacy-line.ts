// A user's message as 0.1.0 stored it: nothing but its text says what came with it.
import type { SessionManager } from "../../src/storage/sessions/session-manager.ts";

export async function appendLegacyLine(
  sessions: SessionManager,
  key: string,
  content: string,
): Promise<void> {
  const session = await sessions.open(key, (await sessions.scopeOf(key)) ?? "owner");
  const id = `legacy-${session.count}`;
  await session.append([
    { id, turn: id, message: { role: "user", content } },
    { id: `${id}.1`, turn: id, message: { role: "assistant", content: "ok" }, extra: { latency_ms: 1 } },
  ]);
}
