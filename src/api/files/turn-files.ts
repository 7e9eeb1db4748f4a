// Operations about what a turn did to files: which it made or changed, how they differ from before, and taking it back.
import { basename } from "node:path";
import * as z from "zod";
import { isInside } from "../../guards/files/real-path.ts";
import { type LastingJob, toLastingJobs } from "../../guards/labels/lasting-changes.ts";
import { lastsInPrompts } from "../../guards/labels/prompt-files.ts";
import { fail } from "../../i18n/user-error.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import type { TurnPlace } from "../../storage/changes/undo-log.ts";
import { lookAt } from "../../storage/files/folder-entries.ts";
import { type Caller, operation } from "../operation.ts";
import type { AssistantServices } from "../services.ts";
import { accessOf, readForDiff } from "./workspace-files.ts";

export interface ChangedFile {
  path: string;
  name: string;
  kind: "created" | "changed" | "removed";
  /** The earlier content can be shown and restored. */
  hasBefore: boolean;
  size: number;
  /** Later conversations begin with it. */
  isLasting: boolean;
}

export interface TurnChanges {
  files: ChangedFile[];
  more: number;
  /** What was planned and removed, unless that was taken back. */
  jobs: LastingJob[];
  isUndone: boolean;
}

const longestDiff = 200_000;
const mostFiles = 100;
const turn = { sessionKey: z.string().min(1).max(1_000), turnId: z.string().min(1).max(200) };

const changes = operation({
  name: "files.changes",
  about:
    "The files that a turn of a conversation made, changed or removed, and the jobs that it planned or removed, as far as that is still known.",
  access: "person",
  needs: "assistant",
  params: z.strictObject(turn),
  async run(services, params, caller): Promise<TurnChanges> {
    const access = accessOf(services, caller);
    const record = await services.conversation.undo.find(await placeOf(services, params, caller));
    if (record === undefined) return { files: [], more: 0, jobs: [], isUndone: false };
    const matching = record.changes.filter(
      ({ path, before, after }) => before !== after && isInside(path, access.root),
    );
    const files = await Promise.all(
      matching.slice(0, mostFiles).map(async ({ path, before, after }): Promise<ChangedFile> => {
        const kind = before === null ? "created" : after === null ? "removed" : "changed";
        const { size = 0 } = (await lookAt(path)) ?? {};
        const shown = access.show(path).replaceAll("\\", "/");
        const isLasting = lastsInPrompts(shown);
        return { path: shown, name: basename(path), kind, hasBefore: before !== undefined, size, isLasting };
      }),
    );
    return {
      files,
      more: matching.length - files.length + (record.lost?.count ?? 0),
      jobs: toLastingJobs(record, services.timeZone),
      isUndone: record.isUndone === true,
    };
  },
});

const diff = operation({
  name: "files.diff",
  about: "How a file differs from what it was before a turn; nothing where it cannot be compared.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ ...turn, path: z.string().max(4_096) }),
  async run(services, { path, ...params }, caller): Promise<{ diff?: string }> {
    const access = accessOf(services, caller);
    const place = await placeOf(services, params, caller);
    const real = await access.read(path);
    const before = await services.conversation.undo.readBefore(place, real);
    if (before === undefined) return {};
    const text = await diffLines(
      before.toString("utf8"),
      await readForDiff(services, real, caller),
      longestDiff,
    );
    return text === undefined ? {} : { diff: text };
  },
});

export const turnFileOperations = [changes, diff] as const;

/** Of a conversation that the caller may see. */
async function placeOf(
  { chat }: AssistantServices,
  { sessionKey, turnId }: Pick<TurnPlace, "sessionKey" | "turnId">,
  caller: Caller,
): Promise<TurnPlace> {
  const { scope, isReadOnly } = await chat.access.open(sessionKey, caller);
  // The owner reads the conversations of guests, whose files are not the owner's.
  if (isReadOnly && caller.role !== "owner") throw fail("chat.read-only");
  return { scope, sessionKey, turnId };
}
