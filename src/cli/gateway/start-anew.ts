// How a gateway that was asked to starts again, once it has ended: in the same process, as another one, or by what
// supervises it.
import { spawn } from "node:child_process";
import type { GatewayConfig } from "../../server/config.ts";

/** For a supervisor: this is no failure, start me again (EX_TEMPFAIL). */
const restartCode = 75;

/** Returns the exit code where the process does not simply go on as another program. */
export function startAnew(mode: GatewayConfig["restartMode"], process: NodeJS.Process): number {
  if (mode === "exit") return restartCode;
  const { execPath, execArgv, argv, env } = process;
  const line = [...execArgv, ...argv.slice(1)];
  if (mode !== "spawn" && typeof process.execve === "function")
    process.execve(execPath, [execPath, ...line], env);
  spawn(execPath, line, { detached: true, stdio: "inherit", env }).unref();
  return 0;
}
