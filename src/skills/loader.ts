// SkillsLoader: finds the skills of all sources and says which of them can be used. Reads nothing that has not changed
// since it was last read, in this process or in an earlier one.

import { createHash } from "node:crypto";
import type { SkillGrant } from "../guards/command/skill-grants.ts";
import { isInside } from "../guards/files/real-path.ts";
import type { ProgramLookup } from "../guards/sandbox/child-environment.ts";
import type { Log } from "../lib/log.ts";
import { writeFileAtomic } from "../storage/files/change-files.ts";
import { isUnchanged } from "../storage/files/file-stamp.ts";
import { type ReadBytes, readFirstBytes } from "../storage/files/folder-entries.ts";
import { readJsonFile } from "../storage/files/json-file.ts";
import { SkillTrust } from "../storage/grants/skill-trust.ts";
import { skillPlacesOf } from "../storage/home.ts";
import { type FoundSkill, judgeSkill } from "./judge-skill.ts";
import { toScannerVersion } from "./scanner.ts";
import type { SkillEntry } from "./skill.ts";
import { type FolderReading, readBody, readSkillFolder } from "./skill-folder.ts";
import { SkillSet } from "./skill-set.ts";
import { findSkillFolder, listRoot, type RootListing, type SkillRoot, toRoots } from "./sources.ts";

export interface SkillsLoaderOptions {
  workspace: string;
  /** The installation's own folder: its skills, what the user allowed, and the cache are there. */
  home: string;
  /** Further folders of skills; relative ones count from the home. */
  directories?: readonly string[];
  /** Default: those that come with the program. */
  builtIn?: string;
  /** Names of skills that are not used now. */
  disabled?(): readonly string[];
  /** Most tokens of the summary; default 4,000. */
  summaryTokens?: number;
  env: NodeJS.ProcessEnv;
  /** Programs on the PATH that commands get. */
  programs: ProgramLookup;
  /** Whether commands get to see a variable; default: none. */
  isPassedOn?(variable: string): boolean;
  /** Names of the tools that are registered at the moment. */
  tools(): readonly string[];
  platform?: NodeJS.Platform;
  /** Whether what was read is kept in the home for the next process; default true. */
  hasCache?: boolean;
  log?: Log;
  /** Instead of the file system's, to watch what is read. */
  read?: ReadBytes;
}

export class SkillsLoader {
  readonly #options: SkillsLoaderOptions;
  readonly #roots: SkillRoot[];
  readonly #trust: SkillTrust;
  readonly #read: ReadBytes;
  readonly #cachePath: string;
  #known: KnownFolders | undefined;
  #found: FoundSkill[] | undefined;
  readonly #fixed = new Map<string, RootListing>();
  #running: Promise<SkillSet> | undefined;
  /** With what it rested on: while each of these is the same, so are the skills. */
  #last: { inputs: unknown[]; skills: SkillSet } | undefined;

  constructor(options: SkillsLoaderOptions) {
    const { trust, cache } = skillPlacesOf(options.home);
    this.#options = options;
    this.#roots = toRoots(options);
    this.#trust = new SkillTrust(trust);
    this.#cachePath = cache;
    this.#read = options.read ?? readFirstBytes;
  }

  /** Folders that have to be readable wherever skills are used, whether they exist or not. */
  roots(): string[] {
    return this.#roots.map(({ path }) => path);
  }

  /** The skills as they are now: the same object as before while nothing has changed. */
  survey(): Promise<SkillSet> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** A flagged skill may be used as long as its content has this hash. */
  allow(hash: string): Promise<void> {
    return this.#trust.allow(hash);
  }

  /** It may use what its `allowed-tools` name, as long as its content has this hash. */
  grant(hash: string, isGranted: boolean): Promise<void> {
    return this.#trust.grant(hash, isGranted);
  }

  /** What is granted at the moment: to skills that can be used. */
  async grants(): Promise<SkillGrant[]> {
    const skills = await this.survey();
    const granted = skills.list({ withUnavailable: false }).filter(({ isGranted }) => isGranted);
    return Promise.all(
      granted.map(async ({ name, wants: { commands, hosts } }) => ({
        name,
        commands,
        hosts,
        text: (await skills.load(name)) ?? "",
      })),
    );
  }

  /** To be called after a tool or Dream wrote to a path: a skill that it is in can never be `always`. */
  async recordAgentWritten(path: string): Promise<void> {
    const folder = findSkillFolder(path, this.#roots);
    if (folder === undefined) return;
    await this.survey();
    await this.#trust.recordWritten(folder, this.#known?.get(folder)?.skill?.hash ?? "");
  }

  async #look(): Promise<SkillSet> {
    const found = await this.#findAll();
    const { programs, tools, env, isPassedOn = () => false, platform = process.platform } = this.#options;
    const [names, disabled] = [tools(), this.#options.disabled?.() ?? []];
    const [trust, hasProgram] = [await this.#trust.view(), programs()];
    const inputs = [found, trust, hasProgram, names.join(" "), disabled.join(" ")];
    if (this.#last?.inputs.every((part, index) => part === inputs[index])) return this.#last.skills;
    const around = { hasProgram, env, isPassedOn, platform, tools: new Set(names), trust };
    const skills = new SkillSet({
      entries: found.map((skill) => judgeSkill(skill, { ...around, disabled: new Set(disabled) })),
      roots: this.roots(),
      readBody: (entry) => this.#readBody(entry),
      summaryTokens: this.#options.summaryTokens ?? 4000,
    });
    this.#last = { inputs, skills };
    return skills;
  }

  async #findAll(): Promise<FoundSkill[]> {
    const { hasCache = true } = this.#options;
    const known = this.#known ?? (hasCache ? await loadKnownFolders(this.#cachePath) : new Map());
    const present: KnownFolders = new Map();
    const skills: FoundSkill[] = [];
    let isChanged = false;
    for (const { path: root, source, isFixed } of this.#roots) {
      const { realRoot, folders } = this.#listRoot(root, isFixed);
      for (const folder of folders) {
        const old = known.get(folder);
        const isKnown =
          old !== undefined && ((isFixed && this.#found !== undefined) || isStillTrue(old, realRoot));
        const reading = isKnown ? old : await readSkillFolder({ folder, realRoot, read: this.#read });
        if (reading === undefined) continue;
        isChanged ||= !isKnown;
        present.set(folder, reading);
        if (reading.skill !== undefined) skills.push({ record: reading.skill, folder, source, hidden: [] });
      }
    }
    isChanged ||= present.size !== known.size;
    if (this.#found !== undefined && !isChanged) return this.#found;
    this.#known = present;
    this.#found = keepFirst(skills);
    if (isChanged && hasCache) await this.#saveCache(present);
    return this.#found;
  }

  #listRoot(path: string, isFixed: boolean | undefined): RootListing {
    const listing = this.#fixed.get(path) ?? listRoot(path);
    if (isFixed) this.#fixed.set(path, listing);
    return listing;
  }

  async #saveCache(known: KnownFolders): Promise<void> {
    try {
      await saveKnownFolders(this.#cachePath, known);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      this.#options.log?.warn("skills-cache-not-written", { path: this.#cachePath, error });
    }
  }

  async #readBody({ folder, path, hash }: SkillEntry): Promise<string | undefined> {
    const reading = this.#known?.get(folder);
    if (reading?.skill?.hash !== hash) return undefined;
    // What was changed since has not been scanned.
    const isScanned = () => reading.stamps.every(isUnchanged);
    if (reading.body !== undefined || !isScanned()) return reading.body;
    const body = await readBody(path, this.#read);
    if (!isScanned()) return undefined;
    reading.body = body;
    return body;
  }
}

function isStillTrue({ stamps }: FolderReading, realRoot: string): boolean {
  const [first] = stamps;
  return first !== undefined && isInside(first[0], realRoot) && stamps.every(isUnchanged);
}

/** The first of a name wins. */
function keepFirst(skills: FoundSkill[]): FoundSkill[] {
  const byName = new Map<string, FoundSkill>();
  for (const skill of skills) {
    const { name } = skill.record.manifest;
    const winner = byName.get(name);
    if (winner === undefined) byName.set(name, skill);
    else winner.hidden.push(skill.record.path);
  }
  return [...byName.values()];
}

type KnownFolders = Map<string, FolderReading>;

const version = 2;

async function loadKnownFolders(path: string): Promise<KnownFolders> {
  const file = await readJsonFile(path);
  if (file.state !== "read") return new Map();
  const { folders, digest } = file.value;
  if (typeof folders !== "string" || digest !== toDigest(folders)) return new Map();
  return new Map(JSON.parse(folders) as Array<[string, FolderReading]>);
}

async function saveKnownFolders(path: string, known: KnownFolders): Promise<void> {
  const entries = [...known].map(([folder, { stamps, skill }]) => [folder, { stamps, skill }]);
  const folders = JSON.stringify(entries);
  const content = JSON.stringify({ digest: toDigest(folders), folders });
  await writeFileAtomic(path, content, { mode: 0o600, forceMode: true });
}

function toDigest(folders: string): string {
  return createHash("sha256").update(`${version} ${toScannerVersion()} ${folders}`).digest("hex");
}
