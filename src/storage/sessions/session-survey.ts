// All conversations of all people, for work on the home as a whole, such as a correction of what an older version
// wrote.
import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Session } from "./session.ts";
import { SessionCards } from "./session-cards.ts";

export interface SurveyedSession {
  key: string;
  open(): Promise<Session>;
  /** Changes the bytes of its file: only to take out what should never have been in it. */
  rewrite(change: (text: string) => string): Promise<void>;
}

export async function surveySessions(
  folders: readonly string[],
  sessions: OpenSessions,
): Promise<SurveyedSession[]> {
  const lists = folders.map((folder) =>
    new SessionCards(folder).list({ archived: true }).catch(ignoreMissing),
  );
  const cards = (await Promise.all(lists)).flatMap((list) => list ?? []);
  return cards.map(({ sessionKey: key, path }) => ({
    key,
    open: async () => (await sessions.readClosed(key, path)) ?? sessions.openUnkept(key, []),
    async rewrite(change) {
      const text = await readFile(path, "utf8");
      const changed = change(text);
      if (changed !== text) await writeFileAtomic(path, changed, { mode: 0o600 });
    },
  }));
}
