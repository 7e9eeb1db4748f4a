// A process of its own that reads a session and then tries to append to it: node read-session.ts <home> <key>
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";

const [home = "", key = ""] = process.argv.slice(2);
const [root, workspace] = [join(home, "sessions"), join(home, "workspace")];
const store = await SessionManager.open({ root, workspace, clock: systemClock, log: silentLog });
const session = await store.open(key, "owner");
process.stdout.write(`${JSON.stringify(session.recent.map(({ content }) => content))}\n`);
await session
  .append([{ id: "T9", turn: "T9", message: { role: "user", content: "more" } }])
  .catch((error: Error) => process.stdout.write(`${error.message}\n`));
