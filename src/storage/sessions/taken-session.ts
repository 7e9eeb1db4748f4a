// A conversation that another program had, as a closed conversation of ours: found by search, and never continued.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { toLocalIso } from "../../lib/clock.ts";
import { withLabels } from "../../lib/labels.ts";
import { writeFileAtomic } from "../files/change-files.ts";
import { ownerScope } from "../scope.ts";
import { toReplyId } from "./format/entry-id.ts";
import { formatMessage, formatMetadata } from "./format/line.ts";
import { toArchiveName, toStem } from "./session-name.ts";

export interface TakenSession {
  /** Names it among all that were ever taken. */
  key: string;
  title?: string;
  messages: ReadonlyArray<{ role: "user" | "assistant"; text: string; at: number }>;
  /** Of what users said in it, where these are not only the owner. */
  labels: readonly string[];
}

/** Where it is stored: the name follows from its key and its beginning, so that it is stored once. */
function placeTakenSession(folder: string, { key, messages }: TakenSession): string {
  return join(folder, toArchiveName(toStem(key), messages[0]?.at ?? 0, 1));
}

/** In one write. Does nothing where it is there already. */
export async function storeTakenSession(folder: string, taken: TakenSession): Promise<void> {
  const { key, title, messages, labels } = taken;
  const path = placeTakenSession(folder, taken);
  const [first, last] = [messages[0], messages.at(-1)];
  if (existsSync(path) || first === undefined || last === undefined) return;
  const metadata = formatMetadata({
    key,
    createdAt: toLocalIso(first.at),
    updatedAt: toLocalIso(last.at),
    lastConsolidated: messages.length,
    metadata: { scope: ownerScope, ...(title !== undefined && { title }) },
  });
  let turn = "taken0";
  const lines = messages.map(({ role, text, at }, index) => {
    if (role === "user") turn = `taken${index}`;
    const isUser = role === "user";
    const extra = isUser
      ? { kind: "user", said: text.length, ...withLabels(labels) }
      : { kind: "assistant", final: true };
    const id = isUser ? turn : toReplyId(turn, index);
    return formatMessage({ id, turn, message: { role, content: text }, extra }, at, toLocalIso(at));
  });
  const whole = [metadata, ...lines].flatMap((line) => [...line.pieces(), "\n"]).join("");
  await writeFileAtomic(path, whole, { mode: 0o600 });
}
