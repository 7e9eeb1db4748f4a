// `chat.undo`: the files of the last turn put back under the same guards that the tools have.
import { dirname } from "node:path";
import * as z from "zod";
import type { Origin } from "../../bus/types.ts";
import { FileError } from "../../guards/file-error.ts";
import type { FileRoots } from "../../guards/file-roots.ts";
import { UserError } from "../../i18n/user-error.ts";
import type { Restore } from "../../storage/changes/undo-log.ts";
import { changeMode, makeFolder, moveFile, removeFile } from "../../storage/files/change-files.ts";
import { toScopedKey } from "../../storage/scope.ts";
import { operation } from "../operation.ts";
import { chatOf } from "./conversation-services.ts";

export interface Undone {
  restored: string[];
  /** Changed since then by another hand. */
  left: string[];
  /** Changed by commands, and too large or too many to have been kept: the first of them, and how many there are. */
  lost: string[];
  lostCount: number;
  /** Commands ran where there are more files than are looked at. */
  isPartial: boolean;
  /** Of the turn: what they did elsewhere is not undone. */
  commands: string[];
}

export const undoTurn = operation({
  name: "chat.undo",
  about: "Puts back the files that the last turn of this conversation changed.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ conversation: { undo, roots } }, _, caller): Promise<{ undone: Undone | null }> {
    const { sessionKey, origin } = chatOf(caller);
    const show = (paths: string[]) => paths.map((path) => roots.display(path, origin));
    try {
      const undone = await undo.undo(toScopedKey(sessionKey, origin), createRestore(roots, origin));
      if (undone === undefined) return { undone: null };
      const { restored, left, lost } = undone;
      return { undone: { ...undone, restored: show(restored), left: show(left), lost: show(lost) } };
    } catch (error) {
      if (error instanceof FileError) throw new UserError(error.phrase);
      throw error;
    }
  },
});

function createRestore(roots: FileRoots, origin: Origin): Restore {
  return {
    async write(path, bytes, mode) {
      const real = await roots.writeInside(path, bytes, origin);
      if (mode !== undefined) await changeMode(real, mode);
    },
    remove: async (path) => removeFile(await roots.resolveWrite(path, origin)),
    async move(path, to) {
      const target = await roots.resolveWrite(to, origin);
      await makeFolder(dirname(target));
      await moveFile(await roots.resolveWrite(path, origin), target);
    },
  };
}
