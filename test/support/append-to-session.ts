// A process of its own that appends to a session: node append-to-session.ts <home> <key> <id> <text>
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createHomeLock } from "../../src/storage/home-lock.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";

const [home = "", key = "", id = "", text = ""] = process.argv.slice(2);
const lock = createHomeLock({ home, clock: systemClock });
const store = await SessionManager.open({
  root: join(home, "sessions"),
  workspace: join(home, "workspace"),
  clock: systemClock,
  log: silentLog,
  lock,
});
const release = await lock.acquire(`appending ${id}`);
const session = await store.open(key, "owner");
await session.append([{ id, turn: id, message: { role: "user", content: text } }], { sync: true });
release();
process.stdout.write(`${session.recent.length}\n`);
