// A process of its own that starts a command in the sandbox and dies at once: node die-while-running.ts <folder> <command> <ms>
import { homedir } from "node:os";
import { createSandbox } from "../../src/guards/sandbox/sandbox.ts";
import { createPlaces } from "../../src/guards/sandbox/sandbox-places.ts";
import { RunningProcess } from "../../src/tools/commands/running-process.ts";
import { owner } from "./tool-context.ts";

const [folder = "", command = "", ms = "0"] = process.argv.slice(2);
const options = { workspace: folder, userFolder: homedir(), rootFor: () => folder, readRootsFor: () => [] };
const { PATH = "" } = process.env;
const sandbox = createSandbox({
  mode: "required",
  places: createPlaces(options),
  path: PATH,
  userFolder: homedir(),
});
const launch = await sandbox.wrap({
  words: ["/bin/bash", "-c", command],
  folder: { path: folder, realPath: folder },
  env: { PATH },
  origin: owner,
  access: {},
});
new RunningProcess({ launch, hasInput: false, timeoutMs: 0 });
setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(ms));
