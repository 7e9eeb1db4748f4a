// One skill's folder, read once: what SKILL.md says, a hash of everything, and what the scanner found.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { isInside, toShownPath } from "../guards/files/real-path.ts";
import { splitFrontMatter } from "../lib/formats/front-matter.ts";
import { takeHead } from "../lib/text.ts";
import { type FileStamp, takeStamp } from "../storage/files/file-stamp.ts";
import { type ReadBytes, toRealTarget } from "../storage/files/folder-entries.ts";
import { detectEncoding } from "../tools/files/file-content.ts";
import { noWants as nothing } from "./allowed-tools.ts";
import { noRequirements, readManifest } from "./manifest.ts";
import type { FindingRule } from "./scan-rules.ts";
import { mostFindings, scanText } from "./scanner.ts";
import type { SkillFinding, SkillReason, SkillRecord } from "./skill.ts";
import { isMain, listFiles, type SkillFile } from "./skill-files.ts";

export interface FolderReading {
  /** While none of these changes, neither does the reading. */
  stamps: FileStamp[];
  /** Undefined when the folder holds no SKILL.md. */
  skill?: SkillRecord;
  /** What SKILL.md teaches; undefined when that was not read this time. */
  body?: string;
}

export interface FolderPlace {
  folder: string;
  /** The folder that the skills of this source have to stay in, without links in its path. */
  realRoot: string;
  read: ReadBytes;
}

const largestScanned = 2 * 1024 * 1024;
const mostScanned = 8 * 1024 * 1024;
/** Beyond these a file counts by its looks, not by its content. */
export const largestHashed = 8 * 1024 * 1024;
export const mostHashed = 32 * 1024 * 1024;
const longestBody = 20_000;

/** Undefined when there is no such folder, or a link that leads nowhere. */
export async function readSkillFolder(place: FolderPlace): Promise<FolderReading | undefined> {
  const { folder, realRoot, read } = place;
  const named = join(realRoot, basename(folder));
  const outer = takeStamp(named);
  const real = toRealTarget(named);
  if (outer === undefined || real === undefined) return undefined;
  const refuse = (kind: SkillReason["kind"], subject: string) => toRefused(folder, { kind, subject });
  if (!isInside(real, realRoot)) return { stamps: [outer], skill: refuse("leads-outside", real) };
  const { files, stamps, isCut } = listFiles(real);
  if (real !== named) stamps.push(outer);
  const main = findMain(files);
  if (main === undefined) return { stamps };
  const target = toRealTarget(join(real, main));
  if (target === undefined || !isInside(target, real))
    return { stamps, skill: refuse("leads-outside", target ?? join(real, main)) };
  const contents = await readContents(real, files, { main: toShownPath(target, real), read });
  if (contents.main === undefined) return { stamps, skill: refuse("unreadable", target) };
  if (isCut) contents.findings.push(toFinding("unscanned", "..."));
  const path = join(folder, main);
  const skill = {
    path,
    manifest: await readManifest(contents.main, basename(folder)),
    hash: contents.hash,
    files: files.map((file) => file.path),
    findings: contents.findings.slice(0, mostFindings),
  };
  return { stamps, skill, body: toBody(contents.main, path) };
}

/** What SKILL.md teaches alone, for a reading that is known already. */
export async function readBody(path: string, read: ReadBytes): Promise<string | undefined> {
  const real = toRealTarget(path);
  const text = real && toText(await read(real, largestScanned));
  return text === undefined ? undefined : toBody(text, path);
}

function findMain(files: SkillFile[]): string | undefined {
  const names = files.map(({ path }) => path).filter(isMain);
  return names.find((name) => name === "SKILL.md") ?? names[0];
}

function toRefused(folder: string, unusable: SkillReason): SkillRecord {
  const empty = {
    description: "",
    always: false,
    requires: noRequirements,
    wants: nothing,
    data: {},
    notes: [],
  };
  const manifest = { name: basename(folder), ...empty };
  return { path: join(folder, "SKILL.md"), manifest, unusable, hash: "", files: [], findings: [] };
}

interface Contents {
  hash: string;
  findings: SkillFinding[];
  /** The text of SKILL.md. */
  main?: string;
}

async function readContents(
  folder: string,
  files: SkillFile[],
  { main, read }: { main: string; read: ReadBytes },
): Promise<Contents> {
  const hash = createHash("sha256");
  const contents: Contents = { hash: "", findings: [] };
  let [hashed, scanned] = [0, 0];
  for (const { path, kind, size } of files) {
    const real = join(folder, path);
    const isRead = kind === "file" && size <= largestHashed && hashed + size <= mostHashed;
    const bytes = isRead ? await read(real, largestHashed) : undefined;
    hashed += bytes?.length ?? 0;
    // What is not read is known by its looks, and a link by where it leads.
    const looks = kind === "file" ? String(takeStamp(real)) : `${kind} ${toRealTarget(real)}`;
    hash.update(`${path.length} ${path}\0${bytes?.length ?? "-"}\0`).update(bytes ?? looks);
    const isScanned = bytes !== undefined && bytes.length <= largestScanned;
    const text = isScanned && scanned + bytes.length <= mostScanned ? decode(bytes) : undefined;
    if (text !== undefined) {
      scanned += text.length;
      contents.findings.push(...scanText(path, text));
    } else contents.findings.push(...judgeUnread(path, kind, bytes));
    if (path === main) contents.main = text ?? toText(bytes ?? (await read(real, largestScanned)));
  }
  return { ...contents, hash: hash.digest("hex") };
}

function judgeUnread(path: string, kind: SkillFile["kind"], bytes: Buffer | undefined): SkillFinding[] {
  if (kind === "inner-link") return [];
  if (kind === "outer-link") return [toFinding("leads-outside", path)];
  // What is no text is an asset: it is listed, and what runs it is a command, which asks or stays in the sandbox.
  const isAsset = bytes !== undefined && decode(bytes) === undefined;
  return isAsset ? [] : [toFinding("unscanned", path)];
}

/** What can be made of SKILL.md, however long or odd it is. */
function toText(bytes: Buffer | undefined): string | undefined {
  return bytes && (decode(bytes.subarray(0, largestScanned)) ?? "");
}

/** Undefined if it is not text. */
function decode(bytes: Buffer): string | undefined {
  const encoding = detectEncoding(bytes, false);
  return encoding && new TextDecoder(encoding).decode(bytes);
}

function toFinding(rule: FindingRule, file: string): SkillFinding {
  return { rule, file, line: 0, excerpt: "" };
}

/** As much as a prompt takes. */
function toBody(text: string, path: string): string {
  const { body } = splitFrontMatter(text);
  if (body.length <= longestBody) return body;
  const head = takeHead(body, longestBody);
  const end = Math.max(head.lastIndexOf("\n"), longestBody / 2);
  return `${head.slice(0, end)}\n[... ${path} goes on; read the rest with read_file]`;
}
