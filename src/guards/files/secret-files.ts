// What files that hold nothing but secrets say, when a command may read them: its output is cleaned of it, whatever the
// command makes of the lines around.
import type { Origin } from "../../bus/types.ts";
import { isSecretFile } from "../../lib/formats/secret-fields.ts";
import { type Effect, ToolError } from "../../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";

const largestFile = 64 * 1024;
const mostFiles = 20;
const shortestSecret = 4;

/** Those that the words of a command name. */
export function createSecretFinder(
  roots: Pick<FileRoots, "openForReading">,
): (effect: Effect & { type: "run" }, context: { origin: Origin }) => Promise<string[]> {
  async function readSecrets(path: string, origin: Origin): Promise<string[]> {
    const file = await roots.openForReading(path, origin).catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
    });
    try {
      if (file === undefined || file.size > largestFile) return [];
      const text = await file.handle.readFile("utf8");
      // The password is the last of the fields of a line, or all of it.
      const parts = text.split("\n").flatMap((line) => [line.trim(), line.trim().split(":").at(-1) ?? ""]);
      return parts.filter((part) => part.length >= shortestSecret).sort((a, b) => b.length - a.length);
    } finally {
      await file?.handle.close();
    }
  }

  return async ({ command, workingDirectory = "." }, { origin }) => {
    const words = command
      .split(/[\s"'`;|&<>()=]+/)
      .filter(isSecretFile)
      .slice(0, mostFiles);
    const paths = words.flatMap((word) => [word, `${workingDirectory}/${word}`]);
    return [...new Set((await Promise.all(paths.map((path) => readSecrets(path, origin)))).flat())];
  };
}
