// Preloaded into a process that `bench start` weighs: writes the most memory it ever held, in kB, to descriptor 3.
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
