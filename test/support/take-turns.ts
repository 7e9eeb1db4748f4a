// A process of its own that takes turns in a session, three appends each: node take-turns.ts <home> <name> <number>
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createHomeLock } from "../../src/storage/home-lock.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";

const [home = "", name = "", number = "0"] = process.argv.slice(2);
const [root, workspace] = [join(home, "sessions"), join(home, "workspace")];
const lock = createHomeLock({ home, clock: systemClock });
const store = await SessionManager.open({ root, workspace, clock: systemClock, log: silentLog, lock });
for (let turn = 0; turn < Number(number); turn++) {
  const release = await lock.acquire(`turn ${turn} of ${name}`);
  const session = await store.open("shared", "owner");
  for (const part of ["a", "b", "c"]) {
    const id = `${name}${turn}.${part}`;
    await session.append([{ id, turn: `${name}${turn}`, message: { role: "user", content: id } }]);
  }
  release();
}
