// The redo journal of Dream: what is about to change, on the disk before anything does, so that after a crash all of it
// is done or none. What a person changed in between is left as the person wants it.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { syncFolder, writeFileAtomic } from "../lib/atomic-file.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { hashText, readText, type StagedChange } from "./dream-stage.ts";
import type { HistoryLog } from "./history-log.ts";
import type { Provenance } from "./provenance.ts";
import { writeTracked } from "./tracked-file.ts";
import type { Version, Versions } from "./versions.ts";

const landingSchema = z.object({
  root: z.string(),
  /** Where Dream has read to, afterwards. */
  cursor: z.int(),
  files: z.array(z.object({ path: z.string(), before: z.string(), after: z.string(), text: z.string() })),
  records: z.array(
    z.object({
      file: z.string(),
      line: z.string(),
      at: z.number(),
      cursors: z.array(z.int()).optional(),
      labels: z.array(z.string()).optional(),
    }),
  ),
});

export type DreamLanding = z.infer<typeof landingSchema>;

/** The memory of one person. */
export interface DreamMemory {
  history: HistoryLog;
  provenance: Provenance;
  versions: Versions;
  /** Told of each skill that was written. */
  recordSkill(path: string): Promise<void>;
}

export interface Landed {
  version: Version | undefined;
  /** Files that somebody else changed at that moment. */
  left: string[];
}

export const cursorFile = "memory/.dream_cursor";

/** Durable when it returns. */
export async function writeJournal(folder: string, name: string, landing: DreamLanding): Promise<string> {
  const path = join(folder, `${name}.json`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, JSON.stringify(landing));
  await syncFolder(dirname(folder));
  return path;
}

/** Oldest first. What cannot be read is no journal of ours. */
export async function findJournals(folder: string): Promise<Array<{ path: string; landing: DreamLanding }>> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const journals = [];
  for (const name of names.filter((one) => one.endsWith(".json")).sort()) {
    const path = join(folder, name);
    const landing = landingSchema.safeParse(parse(await readFile(path, "utf8")));
    if (landing.success) journals.push({ path, landing: landing.data });
  }
  return journals;
}

/** Each step can be repeated, so that whoever finds the journal may begin anew. */
export async function land(path: string, landing: DreamLanding, memory: DreamMemory): Promise<Landed> {
  const { root, cursor, files, records } = landing;
  const left: string[] = [];
  for (const file of files) {
    const now = await readText(root, file.path);
    const hash = now === "foreign" ? now : hashText(now.content);
    if (hash === file.before) await writeTracked(root, file.path, Buffer.from(file.text));
    else if (hash !== file.after) left.push(file.path);
  }
  const { history, versions, provenance, recordSkill } = memory;
  if ((await history.readDreamCursor()) < cursor) await history.writeDreamCursor(cursor);
  const landed = files.map((file) => file.path).filter((one) => !left.includes(one));
  for (const one of landed) if (one.startsWith("skills/")) await recordSkill(join(root, one));
  const version = await versions.commit({ kind: "dream", paths: [...landed, cursorFile] });
  await provenance.record(records.filter(({ file }) => !left.includes(file)));
  await rm(path);
  await syncFolder(dirname(path));
  return { version, left };
}

export function toLandingFiles(changes: readonly StagedChange[]): DreamLanding["files"] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: hashText(before),
    after: hashText(after),
    text: after,
  }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
