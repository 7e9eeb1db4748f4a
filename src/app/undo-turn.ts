// `/undo`: the files of the last turn put back through the same door that the tools use, and what is said about it.
import { rm } from "node:fs/promises";
import { toScopedKey } from "../bus/scope.ts";
import type { Origin } from "../bus/types.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import type { Snapshots } from "../guards/snapshots.ts";
import type { Words } from "../i18n/words.ts";
import { ToolError } from "../runner/tool.ts";

export interface UndoParts {
  snapshots: Snapshots;
  roots: FileRoots;
  words: Words;
}

export async function undoTurn(
  { snapshots, roots, words: { undo } }: UndoParts,
  sessionKey: string,
  origin: Origin,
): Promise<string> {
  const show = (paths: string[]) => paths.map((path) => roots.display(path, origin)).join(", ");
  try {
    const undone = await snapshots.undo(toScopedKey(sessionKey, origin), async (path, bytes) => {
      if (bytes === undefined) await rm(await roots.resolveWrite(path, origin));
      else await roots.writeInside(path, bytes, origin);
    });
    if (undone === undefined) return undo.nothing;
    const { restored, left, commands } = undone;
    return [
      ...(restored.length === 0 ? [] : [undo.restored(show(restored))]),
      ...(left.length === 0 ? [] : [undo.left(show(left))]),
      ...(commands.length === 0 ? [] : [undo.commands(commands.map((line) => `\`${line}\``).join(", "))]),
    ].join("\n");
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}
