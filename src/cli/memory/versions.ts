// `nanobot memory log`, `diff` and `restore`: the versions of the memory files.
import { describeChange, listVersions } from "../../app/describe-versions.ts";
import { nanobot } from "../../lib/program-command.ts";
import { CommandFailure } from "../command-failure.ts";
import { tell } from "../tell.ts";
import type { MemoryRequest } from "./open-memory.ts";

const restoreCommand = `${nanobot} memory restore`;
const mostListed = 50;

export async function listChanges(request: MemoryRequest): Promise<number> {
  const versions = await request.trail.log({ most: mostListed });
  return tell(request, versions, listVersions(versions, request.context.terminal.words, restoreCommand));
}

/** Without an id, of the newest version. */
export async function showChange(request: MemoryRequest): Promise<number> {
  const { trail, text } = request;
  const { words } = request.context.terminal;
  const [newest] = await trail.log({ most: 1 });
  const id = text === "" ? newest?.id : text;
  if (id === undefined) return tell(request, null, words.memory.versions.none);
  const change = await trail.show(id);
  return tell(request, change, describeChange(change.version, change.files, words));
}

export async function restoreVersion(request: MemoryRequest): Promise<number> {
  const { trail, text } = request;
  const { versions } = request.context.terminal.words.memory;
  if (text === "") throw new CommandFailure(versions.needsId(restoreCommand), 2);
  const version = await trail.restore(text);
  return tell(request, version, versions.restored(text, version.summary, `${restoreCommand} ${version.id}`));
}
