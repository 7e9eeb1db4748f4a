// A process that opens an index, asks it something and closes it before the answer, sooner and later: node close-recall.ts <home>.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { Recall } from "../../src/recall/recall.ts";

const [home = ""] = process.argv.slice(2);
const places = { sessionsFolder: join(home, "sessions"), workspace: join(home, "workspace"), knowledge: [] };
for (let round = 0; round < 12; round++) {
  const recall = new Recall({ home, ...places, clock: systemClock, log: silentLog });
  const asked = recall.refresh().catch(() => {});
  await pause(10 * round);
  await recall.close();
  await asked;
}
process.stdout.write("closed");
