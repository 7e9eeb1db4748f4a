// A process of its own that holds the lock of a home until it is told to end: node hold-home-lock.ts <home> <purpose>
import { systemClock } from "../../src/lib/clock.ts";
import { createHomeLock } from "../../src/storage/home-lock.ts";

const [home = "", purpose = ""] = process.argv.slice(2);
const release = await createHomeLock({ home, clock: systemClock }).acquire(purpose);
const stay = setInterval(() => {}, 60_000);
process.once("SIGTERM", () => {
  release();
  clearInterval(stay);
});
process.stdout.write("held\n");
