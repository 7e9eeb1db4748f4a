// Dream: goes through what was said since the last time and keeps what matters. It edits a copy; checks judge it; a
// journal lands all of it or nothing. Knows no schedule and no channel.
import { basename } from "node:path";
import { phraseOfDisk } from "../i18n/phrase-of-error.ts";
import { toLocalIso } from "../lib/clock.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { Log } from "../lib/log.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import {
  type Directive,
  type DreamFailure,
  type DreamModel,
  dreamFiles,
  toPasses,
} from "./dream-analysis.ts";
import { type DreamProblem, toProblem } from "./dream-checks.ts";
import * as journal from "./dream-journal.ts";
import { type DreamGround, runPass } from "./dream-pass.ts";
import { toRecords } from "./dream-records.ts";
import { compareLines, DreamStage, type StagedChange } from "./dream-stage.ts";

export interface DreamOptions extends Pick<DreamGround, "runner" | "clock" | "ids" | "readPrompt"> {
  /** The owner's root; every other one is a guest's or a group's. */
  workspace: string;
  /** Where copies and journals lie. */
  folder: string;
  skills: SkillsLoader;
  memoryOf(root: string): journal.DreamMemory;
  lock: HomeLock;
  log: Log;
}

export interface DreamRequest {
  /** The person's folder. */
  root: string;
  /** Undefined where nothing but rules would answer. */
  model: DreamModel | undefined;
  signal: AbortSignal;
  onProgress?(progress: DreamProgress): void;
}

/** The part that begins, of all. */
export interface DreamProgress {
  part: number;
  parts: number;
}

export type DreamOutcome =
  | { kind: "nothing-new" | "no-model" }
  | { kind: "unchanged"; entries: number }
  | {
      kind: "changed";
      entries: number;
      files: Array<{ path: string; added: number; removed: number }>;
      version?: string;
      /** Files that somebody else changed at that moment. */
      left: string[];
    }
  | { kind: "refused"; problems: DreamProblem[] }
  | { kind: "failed"; failure: DreamFailure };

/** What one run is about. */
interface Run extends DreamRequest {
  model: DreamModel;
  memory: journal.DreamMemory;
  stage: DreamStage;
  entries: HistoryEntry[];
  /** The cursor that it began with. */
  from: number;
  longestFile: number;
}

const mostEntries = 20;
const mostShown = 8_000;
/** Tokens of a window that holds this much; a smaller one is shown less. */
const wholeWindow = 32_000;

export class Dream {
  readonly #options: DreamOptions;
  readonly #lock = new KeyedLock();

  constructor(options: DreamOptions) {
    this.#options = options;
  }

  /** One at a time; a second one waits, and finds nothing new then. */
  run(request: DreamRequest): Promise<DreamOutcome> {
    return this.#lock.run("dream", async () => {
      const outcome = await this.#run(request).catch(toDiskFailure);
      this.#options.log.info("dream-end", { root: request.root, ...outcome });
      return outcome;
    });
  }

  /** Finishes what a crash interrupted. To be called when a program starts; each run does it, too. */
  recover(): Promise<void> {
    return this.#lock.run("dream", () => this.#recover());
  }

  async #run({ model, ...request }: DreamRequest): Promise<DreamOutcome> {
    const { root, signal } = request;
    signal.throwIfAborted();
    await this.#recover();
    const { folder: parent, clock, log, skills, workspace, memoryOf } = this.#options;
    const memory = memoryOf(root);
    const from = await memory.history.readDreamCursor();
    const share = Math.min(1, (model?.contextWindow ?? wholeWindow) / wholeWindow);
    const most = Math.max(1, Math.floor(mostEntries * share));
    const entries = await memory.history.read({ after: from, most });
    if (entries.length === 0) return { kind: "nothing-new" };
    if (model === undefined) return { kind: "no-model" };
    const isOwner = root === workspace;
    const paths = Object.values(dreamFiles).filter((path) => isOwner || path !== dreamFiles.SOUL);
    const readRoots = isOwner ? skills.roots() : [];
    const stage = await DreamStage.create({ root, parent, now: clock.now(), paths, readRoots });
    const foreign = paths.filter((path) => !stage.originals.has(path));
    if (foreign.length > 0) log.warn("dream-left-out", { root, files: foreign });
    const run: Run = { ...request, model, memory, entries, from, stage, longestFile: mostShown * share };
    try {
      return await this.#think(run);
    } finally {
      await stage.remove();
    }
  }

  async #think(run: Run): Promise<DreamOutcome> {
    const { runner, clock, ids, readPrompt, workspace, lock } = this.#options;
    const time = toLocalIso(clock.now()).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
    const skills = (await this.#options.skills.survey()).list();
    const { provenance } = run.memory;
    const sessionKey = `dream:${time}`;
    const ground = { ...run, provenance, skills, runner, clock, ids, readPrompt, sessionKey };
    const directives: Directive[] = [];
    const passes = [...toPasses(run.entries, run.root === workspace)];
    for (const [index, pass] of passes.entries()) {
      run.onProgress?.({ part: index + 1, parts: passes.length });
      const result = await runPass(ground, pass);
      if ("failure" in result) return { kind: "failed", failure: result.failure };
      if ("problems" in result) return { kind: "refused", problems: result.problems };
      directives.push(...result.directives);
    }
    const release = await lock.acquire("dream", run.signal);
    return this.#land(run, directives).finally(release);
  }

  /** Under the home lock, and no longer to be called off. */
  async #land(run: Run, directives: Directive[]): Promise<DreamOutcome> {
    const { root, stage, memory, entries } = run;
    const { history, versions, provenance } = memory;
    const changes = await stage.changes();
    const files = journal.toLandingFiles(changes);
    const problems = await findConflicts(run, files);
    if (problems.length > 0) return { kind: "refused", problems };
    const cursor = Math.max(...entries.map((entry) => entry.cursor));
    if (changes.length === 0) {
      await history.writeDreamCursor(cursor);
      await history.compact();
      return { kind: "unchanged", entries: entries.length };
    }
    // What a person changed since the last version is not Dream's doing, and must not be undone with it.
    await versions.commit({ kind: "start", paths: [...stage.originals.keys(), journal.cursorFile] });
    const sources = { directives, provenance, now: this.#options.clock.now() };
    const records = (await Promise.all(changes.map((change) => toRecords(change, sources)))).flat();
    const landing = { root, cursor, files, records };
    const path = await journal.writeJournal(this.#options.folder, basename(stage.folder), landing);
    const { version, left } = await journal.land(path, landing, memory);
    await history.compact();
    const told = changes.filter((change) => !left.includes(change.path)).map(toTold);
    const id = version && { version: version.id };
    return { kind: "changed", entries: entries.length, files: told, left, ...id };
  }

  async #recover(): Promise<void> {
    const { folder, lock, log, memoryOf, workspace } = this.#options;
    if ((await journal.findJournals(folder, workspace)).length === 0) return;
    const release = await lock.acquire("dream");
    try {
      // Those of a program that is landing right now are gone when it gives the lock away.
      for (const { path, landing } of await journal.findJournals(folder, workspace)) {
        const { left } = await journal.land(path, landing, memoryOf(landing.root));
        log.warn("dream-finished-late", { root: landing.root, left });
      }
    } finally {
      release();
    }
  }
}

/** What somebody else changed while the model was thinking stays as it is. */
async function findConflicts(
  { root, from, memory }: Run,
  files: journal.DreamLanding["files"],
): Promise<DreamProblem[]> {
  const changed: string[] = [];
  if ((await memory.history.readDreamCursor()) !== from) changed.push(journal.cursorFile);
  for (const { path, before } of files)
    if ((await journal.hashFile(root, path)) !== before) changed.push(path);
  return changed.map((path) => toProblem("changed-meanwhile", path));
}

function toTold({ path, before, after }: StagedChange): { path: string; added: number; removed: number } {
  const { added, removed } = compareLines(before, after);
  return { path, added: added.length, removed: removed.length };
}

function toDiskFailure(error: unknown): DreamOutcome {
  const said = phraseOfDisk(error);
  if (said === undefined) throw error;
  return { kind: "failed", failure: { reason: "disk", phrase: said } };
}
