// Texts that are sent as a file because they are too long for messages.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { announceChange } from "../served-homes.ts";

/** Under the same name each time: what is tried again is not written twice. At once, because parts are stored at once. */
export function keepSentText(folder: string, text: string): string {
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  const path = join(folder, name, "answer.md");
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  announceChange(dirname(path));
  return path;
}
