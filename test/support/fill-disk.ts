// A process of its own that appends to a session on a disk that runs full, and goes on when there is room again:
// node fill-disk.ts <folder on the small disk>. Prints what happened as JSON.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { StoredFileError } from "../../src/storage/files/stored-file-error.ts";
import { createHomeLock } from "../../src/storage/home-lock.ts";
import type { NewEntry } from "../../src/storage/sessions/format/message.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";

const [home = ""] = process.argv.slice(2);
const [root, workspace] = [join(home, "sessions"), join(home, "workspace")];
const lock = createHomeLock({ home, clock: systemClock });
const openStore = () => SessionManager.open({ root, workspace, clock: systemClock, log: silentLog, lock });
const filler = join(home, "filler");

function entry(number: number): NewEntry {
  const content = `${number} ${"x".repeat(3000)}`;
  return { id: `T${number}`, turn: `T${number}`, message: { role: "user", content } };
}

const session = await (await openStore()).open("k", "owner");
await session.append([entry(0)]);
await writeFile(filler, Buffer.alloc(64 * 1024));
const appended = [0];
const errors: string[] = [];
for (let number = 1; errors.length < 4; number += 2) {
  try {
    // Two at once, so that the disk can run full between them.
    await session.append([entry(number), entry(number + 1)]);
    appended.push(number, number + 1);
  } catch (error) {
    if (!(error instanceof StoredFileError)) throw error;
    errors.push(error.message);
    number -= 2;
  }
}
const release = await lock.acquire("a full disk locks nobody out");
await rm(filler);
const next = appended.length;
await session.append([entry(next), entry(next + 1)], { sync: true });
appended.push(next, next + 1);
release();
const loaded = await (await openStore()).open("k", "owner");
process.stdout.write(
  JSON.stringify({
    errors,
    appended,
    inMemory: session.recent.map(({ id }) => id),
    onDisk: loaded.recent.map(({ id, content }) => `${id} ${String(content).length}`),
  }),
);
