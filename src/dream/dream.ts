// Dream: goes through what was said since the last time and keeps what matters. It edits a copy; checks judge it; a
// journal lands all of it or nothing. Knows no schedule and no channel.
import { phraseOfDisk } from "../i18n/user-error.ts";
import { toLocalIso } from "../lib/clock.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { Log } from "../lib/log.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { SkillEntry } from "../skills/skill.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import * as landing from "../storage/documents/landing.ts";
import type { Documents, MemoryStore } from "../storage/documents/memory-store.ts";
import { StagedCopy } from "../storage/documents/staged-copy.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import { ownerScope, type Scope } from "../storage/scope.ts";
import {
  type Directive,
  type DreamFailure,
  type DreamModel,
  dreamFiles,
  toPasses,
} from "./dream-analysis.ts";
import { type DreamProblem, isRevision, toProblem } from "./dream-checks.ts";
import { type PassContext, runPass } from "./dream-pass.ts";
import { toCounts, toRecords } from "./dream-records.ts";
import { describeExperience, findOwnSkills, proposeRevisions, toSkillFile } from "./skill-revisions.ts";

export interface DreamOptions extends Pick<PassContext, "runner" | "clock" | "ids" | "readPrompt"> {
  documents: Documents;
  skills: SkillsLoader;
  lock: HomeLock;
  log: Log;
}

export interface DreamRequest {
  /** Whose memory. */
  scope: Scope;
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
  | { kind: "unchanged"; entries: number; revised?: string[] }
  | {
      kind: "changed";
      entries: number;
      files: Array<{ path: string; added: number; removed: number }>;
      version?: string;
      /** Files that were changed by others at that moment. */
      left: string[];
      /** Names of skills for which it proposes a revision. */
      revised?: string[];
    }
  | { kind: "refused"; problems: DreamProblem[] }
  | { kind: "failed"; failure: DreamFailure };

/** What one run is about. */
interface Run extends DreamRequest {
  model: DreamModel;
  memory: MemoryStore;
  stage: StagedCopy;
  /** Further folders that may be read. */
  readRoots: readonly string[];
  entries: HistoryEntry[];
  /** The cursor that it began with. */
  from: number;
  longestFile: number;
  skills: readonly SkillEntry[];
  /** Of these, the assistant's own. */
  ownSkills: readonly SkillEntry[];
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
      this.#options.log.info("dream-end", { scope: request.scope, ...outcome });
      return outcome;
    });
  }

  /** Finishes what a crash interrupted. To be called when a program starts; each run does it, too. */
  recover(): Promise<void> {
    return this.#lock.run("dream", () => this.#recover());
  }

  async #run({ model, ...request }: DreamRequest): Promise<DreamOutcome> {
    const { scope, signal } = request;
    signal.throwIfAborted();
    await this.#recover();
    const { clock, log, skills, documents } = this.#options;
    const memory = documents.of(scope);
    const from = await memory.history.readDreamCursor();
    const share = Math.min(1, (model?.contextWindow ?? wholeWindow) / wholeWindow);
    const most = Math.max(1, Math.floor(mostEntries * share));
    const entries = await memory.history.read({ after: from, most });
    if (entries.length === 0) return { kind: "nothing-new" };
    if (model === undefined) return { kind: "no-model" };
    const isOwner = scope === ownerScope;
    const listed = (await skills.survey()).list();
    const ownSkills = isOwner ? findOwnSkills(listed) : [];
    const files = Object.values(dreamFiles).filter((path) => isOwner || path !== dreamFiles.SOUL);
    const paths = [...files, ...ownSkills.map(({ name }) => toSkillFile(name))];
    const readRoots = isOwner ? skills.roots() : [];
    const { stagingFolder: parent } = documents;
    const stage = await StagedCopy.create(memory, { parent, now: clock.now(), paths });
    const foreign = paths.filter((path) => !stage.originals.has(path));
    if (foreign.length > 0) log.warn("dream-left-out", { scope, files: foreign });
    const longestFile = mostShown * share;
    const known = { skills: listed, ownSkills };
    const run: Run = { ...request, ...known, model, memory, entries, from, stage, readRoots, longestFile };
    try {
      return await this.#think(run);
    } finally {
      await stage.remove();
    }
  }

  async #think(run: Run): Promise<DreamOutcome> {
    const { runner, clock, ids, readPrompt, lock } = this.#options;
    const time = toLocalIso(clock.now()).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
    const sessionKey = `dream:${time}`;
    const experience = await describeExperience(run.memory, run.ownSkills);
    const context = { ...run, experience, runner, clock, ids, readPrompt, sessionKey };
    const directives: Directive[] = [];
    const passes = [...toPasses(run.entries, run.scope === ownerScope, [...experience.keys()])];
    for (const [index, pass] of passes.entries()) {
      run.onProgress?.({ part: index + 1, parts: passes.length });
      const result = await runPass({ ...context, earlier: directives }, pass);
      if ("failure" in result) return { kind: "failed", failure: result.failure };
      if ("problems" in result) return { kind: "refused", problems: result.problems };
      directives.push(...result.directives);
    }
    const release = await lock.acquire("dream", run.signal);
    return this.#land(run, directives).finally(release);
  }

  /** Under the home lock, and no longer to be called off. */
  async #land(run: Run, directives: Directive[]): Promise<DreamOutcome> {
    const { scope, stage, memory, entries } = run;
    const { documents, clock } = this.#options;
    const { history, versions, provenance } = memory;
    const all = await stage.changes();
    const changes = all.filter((change) => !isRevision(change));
    const files = landing.toLandingFiles(changes);
    const problems = await findConflicts(run, files);
    if (problems.length > 0) return { kind: "refused", problems };
    const cursor = Math.max(...entries.map((entry) => entry.cursor));
    const facts = { directives, id: stage.name, now: clock.now() };
    const proposed = await proposeRevisions(memory, all.filter(isRevision), facts);
    const revised = proposed.length === 0 ? {} : { revised: proposed };
    if (changes.length === 0) {
      await history.writeDreamCursor(cursor);
      await history.compact();
      return { kind: "unchanged", entries: entries.length, ...revised };
    }
    // What a person changed since the last version is not Dream's doing, and must not be undone with it.
    await versions.commit({ kind: "start", paths: [...stage.originals.keys(), landing.cursorFile] });
    const sources = { directives, provenance, now: clock.now() };
    const records = (await Promise.all(changes.map((change) => toRecords(change, sources)))).flat();
    const planned = { scope, cursor, files, records };
    const path = await landing.writeJournal(documents, stage.name, planned);
    const { version, left } = await this.#finish({ path, landing: planned });
    await history.compact();
    const landed = changes.filter((change) => !left.includes(change.path)).map(toCounts);
    const id = version && { version: version.id };
    return { kind: "changed", entries: entries.length, files: landed, left, ...id, ...revised };
  }

  async #recover(): Promise<void> {
    const { lock, log, documents } = this.#options;
    if ((await landing.findJournals(documents)).length === 0) return;
    const release = await lock.acquire("dream");
    try {
      // Those of a program that is landing right now are gone when it gives the lock away.
      for (const journal of await landing.findJournals(documents)) {
        const { left } = await this.#finish(journal);
        log.warn("dream-finished-late", { scope: journal.landing.scope, left });
      }
    } finally {
      release();
    }
  }

  #finish(journal: landing.FoundJournal): Promise<landing.Landed> {
    const { documents, skills } = this.#options;
    const store = documents.of(journal.landing.scope);
    return landing.land(journal, store, (path) => skills.recordAgentWritten(path));
  }
}

/** Files that changed while the model was thinking stay as they are. */
async function findConflicts(
  { from, memory }: Run,
  files: landing.Landing["files"],
): Promise<DreamProblem[]> {
  const changed: string[] = [];
  if ((await memory.history.readDreamCursor()) !== from) changed.push(landing.cursorFile);
  for (const { path, before } of files)
    if ((await landing.hashDocument(memory, path)) !== before) changed.push(path);
  return changed.map((path) => toProblem("changed-meanwhile", path));
}

function toDiskFailure(error: unknown): DreamOutcome {
  const said = phraseOfDisk(error);
  if (said === undefined) throw error;
  return { kind: "failed", failure: { reason: "disk", phrase: said } };
}
