// `chat.undo`: the files of the last turn put back under the same guards that the tools have.

import * as z from "zod";
import { FileError } from "../../guards/file-error.ts";
import { UserError } from "../../i18n/user-error.ts";
import { removeFile } from "../../storage/files/change-files.ts";
import { toScopedKey } from "../../storage/scope.ts";
import { operation } from "../operation.ts";
import { chatOf } from "./conversation-services.ts";

export interface Undone {
  restored: string[];
  /** Changed since then by another hand. */
  left: string[];
  /** Of the turn: what they did is not undone. */
  commands: string[];
}

export const undoTurn = operation({
  name: "chat.undo",
  about: "Puts back the files that the last turn of this conversation changed.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ conversation: { snapshots, roots } }, _, caller): Promise<{ undone: Undone | null }> {
    const { sessionKey, origin } = chatOf(caller);
    const show = (paths: string[]) => paths.map((path) => roots.display(path, origin));
    try {
      const undone = await snapshots.undo(toScopedKey(sessionKey, origin), async (path, bytes) => {
        if (bytes === undefined) await removeFile(await roots.resolveWrite(path, origin));
        else await roots.writeInside(path, bytes, origin);
      });
      if (undone === undefined) return { undone: null };
      const { restored, left, commands } = undone;
      return { undone: { restored: show(restored), left: show(left), commands } };
    } catch (error) {
      if (error instanceof FileError) throw new UserError(error.phrase);
      throw error;
    }
  },
});
