// How a command is handed to the shell of the system.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export function toShellWords(command: string, { PATH = "" }: Record<string, string>): [string, ...string[]] {
  if (process.platform === "win32") {
    return ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", command];
  }
  const folders = PATH.split(delimiter);
  const bash = folders.map((folder) => join(folder, "bash")).find((path) => existsSync(path));
  return [bash ?? "/bin/sh", "-c", command];
}
