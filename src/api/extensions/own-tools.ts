// Custom tools, from the files in <home>/tools that were allowed. Without any, all it costs is a look at one name.

import type { Log } from "../../lib/log.ts";
import type { Tool } from "../../runner/tool.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../../storage/files/file-stamp.ts";
import { readOwnTools } from "../../tools/own-tools.ts";
import { loadOwnCode, type OwnCodeFile, type OwnCodePlace, ownCodeList } from "./own-code.ts";

/** `others` names tools that are there besides the built-in ones. */
export async function loadOwnTools(
  place: OwnCodePlace,
  others: readonly string[] = [],
): Promise<{ tools: Tool[]; files: OwnCodeFile[] }> {
  const tools: Tool[] = [];
  const taken = new Set(others);
  const files = await loadOwnCode("tools", place, (exported, file) => {
    const read = readOwnTools(exported, { file, taken });
    if (!Array.isArray(read)) return read;
    tools.push(...read);
    for (const { name } of read) taken.add(name);
    return read.map(({ name, description }) => ({ name, description }));
  });
  return { tools, files };
}

/** The tools as they are allowed now: the same list while nothing was allowed or taken back. */
export function watchOwnTools(
  { log, ...place }: OwnCodePlace & { log: Log },
  others: readonly string[],
): () => Promise<readonly Tool[]> {
  const none: readonly Tool[] = [];
  let stamp: FileStamp | undefined;
  let loaded = Promise.resolve(none);

  async function load(): Promise<readonly Tool[]> {
    const { tools, files } = await loadOwnTools(place, others);
    for (const { file, state, problem } of files)
      if (problem !== undefined || state === "changed")
        log.warn("own-tool-left-out", { file, state, problem });
    return tools;
  }

  return () => {
    if (stamp !== undefined && isUnchanged(stamp)) return loaded;
    stamp = takeStamp(ownCodeList("tools", place.paths));
    loaded = stamp === undefined ? Promise.resolve(none) : load();
    return loaded;
  };
}
