// Dream: goes through what was said since the last time and keeps what matters. It edits a copy; checks judge it; a
// journal lands all of it or nothing. Knows no schedule and no channel.
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { toLocalIso } from "../lib/clock.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { Log } from "../lib/log.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import {
  type Directive,
  type DreamFailure,
  type DreamModel,
  dreamFiles,
  toPasses,
} from "./dream-analysis.ts";
import type { DreamProblem } from "./dream-checks.ts";
import {
  cursorFile,
  type DreamLanding,
  type DreamMemory,
  findJournals,
  land,
  toLandingFiles,
  writeJournal,
} from "./dream-journal.ts";
import { type DreamGround, runPass } from "./dream-pass.ts";
import { recordAdded, recordUndated } from "./dream-records.ts";
import { compareLines, DreamStage, hashText, readText, type StagedChange, toLines } from "./dream-stage.ts";
import type { HistoryEntry } from "./history-log.ts";

export interface DreamOptions extends Pick<DreamGround, "runner" | "clock" | "ids" | "readPrompt"> {
  /** The owner's root; every other one is a guest's or a group's. */
  workspace: string;
  /** Where copies and journals lie. */
  folder: string;
  skills: SkillsLoader;
  memoryOf(root: string): Omit<DreamMemory, "recordSkill">;
  lock: HomeLock;
  log: Log;
}

export interface DreamRequest {
  /** The person's folder. */
  root: string;
  /** Undefined where nothing but rules would answer. */
  model: DreamModel | undefined;
  signal: AbortSignal;
}

export interface DreamtFile {
  path: string;
  added: number;
  removed: number;
}

export type DreamOutcome =
  | { kind: "nothing-new" | "no-model" }
  | { kind: "unchanged"; entries: number }
  | { kind: "changed"; entries: number; files: DreamtFile[]; version?: string; left: string[] }
  | { kind: "refused"; problems: DreamProblem[] }
  | { kind: "failed"; failure: DreamFailure };

/** What one run is about. */
interface Run extends DreamRequest {
  model: DreamModel;
  memory: DreamMemory;
  stage: DreamStage;
  entries: HistoryEntry[];
  /** The cursor before and after. */
  from: number;
  to: number;
}

const mostEntries = 20;
const abandonedMs = 24 * 60 * 60 * 1000;

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

  async #run(request: DreamRequest): Promise<DreamOutcome> {
    const { root, model, signal } = request;
    signal.throwIfAborted();
    await this.#recover();
    const memory = this.#memoryOf(root);
    const from = await memory.history.readDreamCursor();
    const entries = await memory.history.read({ after: from, most: mostEntries });
    if (entries.length === 0) return { kind: "nothing-new" };
    if (model === undefined) return { kind: "no-model" };
    const stage = await this.#createStage(root);
    const to = Math.max(...entries.map(({ cursor }) => cursor));
    try {
      return await this.#think({ root, model, signal, memory, entries, from, to, stage });
    } finally {
      await stage.remove();
    }
  }

  #createStage(root: string): Promise<DreamStage> {
    const { folder: parent, clock, skills } = this.#options;
    const isOwner = this.#isOwner(root);
    const paths = Object.values(dreamFiles).filter((path) => isOwner || path !== dreamFiles.SOUL);
    return DreamStage.create({
      root,
      parent,
      now: clock.now(),
      paths,
      readRoots: isOwner ? skills.roots() : [],
    });
  }

  async #think(run: Run): Promise<DreamOutcome> {
    const { runner, clock, ids, readPrompt, skills } = this.#options;
    const time = toLocalIso(clock.now()).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
    const known = (await skills.survey()).list();
    const { provenance } = run.memory;
    const ground = { ...run, provenance, skills: known, runner, clock, ids, readPrompt };
    const directives: Directive[] = [];
    for (const pass of toPasses(run.entries, this.#isOwner(run.root))) {
      const result = await runPass({ ...ground, sessionKey: `dream:${time}` }, pass);
      if ("failure" in result) return { kind: "failed", failure: result.failure };
      if ("problems" in result) return { kind: "refused", problems: result.problems };
      directives.push(...result.directives);
    }
    const release = await this.#options.lock.acquire("dream", run.signal);
    return this.#land(run, directives).finally(release);
  }

  /** Under the home lock, and no longer to be called off. */
  async #land(run: Run, directives: Directive[]): Promise<DreamOutcome> {
    const { root, stage, to, memory, entries } = run;
    const { history, versions } = memory;
    const changes = await stage.changes();
    const problems = await findConflicts(run, changes);
    if (problems.length > 0) return { kind: "refused", problems };
    if (changes.length === 0) {
      await history.writeDreamCursor(to);
      await history.compact();
      return { kind: "unchanged", entries: entries.length };
    }
    // What a person changed since the last version is not Dream's doing, and must not be undone with it.
    await versions.commit({ kind: "start", paths: [...stage.paths, cursorFile] });
    const records = await this.#toRecords(run, changes, directives);
    const landing: DreamLanding = { root, cursor: to, files: toLandingFiles(changes), records };
    const journal = await writeJournal(this.#options.folder, basename(stage.folder), landing);
    const { version, left } = await land(journal, landing, memory);
    await history.compact();
    const files = changes.filter(({ path }) => !left.includes(path)).map(toDreamtFile);
    return { kind: "changed", entries: entries.length, files, left, ...(version && { version: version.id }) };
  }

  async #toRecords(
    { stage, memory }: Run,
    changes: StagedChange[],
    directives: Directive[],
  ): Promise<DreamLanding["records"]> {
    const records = recordAdded(changes, directives, this.#options.clock.now());
    for (const change of changes.filter(({ before }) => before !== undefined)) {
      const dates = await memory.provenance.ageOf(change.path, toLines(change.before));
      records.push(...recordUndated(change, dates, await stage.dateOf(change.path)));
    }
    return records;
  }

  async #recover(): Promise<void> {
    const { folder, lock, log, clock } = this.#options;
    const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
    if (names.length === 0) return;
    const release = await lock.acquire("dream");
    try {
      for (const { path, landing } of await findJournals(folder)) {
        const { left } = await land(path, landing, this.#memoryOf(landing.root));
        log.warn("dream-finished-late", { root: landing.root, left });
      }
      // Copies begin their names with the time: those of programs that died are not looked at again.
      for (const name of names)
        if (clock.now() - Number.parseInt(name, 10) > abandonedMs)
          await rm(join(folder, name), { recursive: true, force: true });
    } finally {
      release();
    }
  }

  #memoryOf(root: string): DreamMemory {
    const { memoryOf, skills } = this.#options;
    return { ...memoryOf(root), recordSkill: (path) => skills.recordAgentWritten(path) };
  }

  #isOwner(root: string): boolean {
    return root === this.#options.workspace;
  }
}

/** What somebody else changed while the model was thinking stays as it is. */
async function findConflicts({ root, from, memory }: Run, changes: StagedChange[]): Promise<DreamProblem[]> {
  if ((await memory.history.readDreamCursor()) !== from)
    return [{ kind: "otherRun", path: cursorFile, found: "", most: "" }];
  const problems: DreamProblem[] = [];
  for (const { path, before } of changes) {
    const now = await readText(root, path);
    if (now !== "foreign" && hashText(now.content) === hashText(before)) continue;
    problems.push({ kind: "changedMeanwhile", path, found: "", most: "" });
  }
  return problems;
}

function toDreamtFile({ path, before, after }: StagedChange): DreamtFile {
  const { added, removed } = compareLines(before, after);
  return { path, added: added.length, removed: removed.length };
}

function toDiskFailure(error: NodeJS.ErrnoException): DreamOutcome {
  if (!/^E[A-Z]+$/.test(error.code ?? "")) throw error;
  return { kind: "failed", failure: { reason: "disk", detail: error.message } };
}
