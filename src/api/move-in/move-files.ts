// Prompt files, memory, notes and documents. A file that a person wrote here is never replaced: memory and notes get the
// lines that they lack, another prompt file is put next to the one that is there.
import { join } from "node:path";
import { phrase } from "../../i18n/phrase.ts";
import { packagePath } from "../../lib/package-root.ts";
import { writeFileAtomic } from "../../storage/files/change-files.ts";
import { type ForeignFile, type ForeignHome, largestFile } from "../../storage/foreign/foreign-home.ts";
import { readText } from "../../storage/foreign/read-foreign.ts";
import type { ForeignKeys } from "./move-settings.ts";
import { leave, type MoveItem, type Step } from "./step.ts";

const programNames = { openclaw: "OpenClaw", hermes: "Hermes" };

/** Where files go, and what of them. */
interface FilePlace {
  workspace: string;
  home: ForeignHome;
  keys: ForeignKeys;
}

export async function planFiles(place: FilePlace): Promise<Step[]> {
  const { home } = place;
  const steps = await Promise.all(home.files.map((file) => planFile(file, place)));
  const unused = home.unused.map((from) =>
    leave({ kind: "file", name: fileName(from), from }, phrase("move-in.of-the-program")),
  );
  const unreadable = home.unreadable.map((from) =>
    leave({ kind: "file", name: fileName(from), from }, phrase("move-in.unreadable")),
  );
  return [...steps, ...unused, ...unreadable];
}

async function planFile(file: ForeignFile, place: FilePlace): Promise<Step> {
  const { home, keys } = place;
  const { kind, path: from, target: name } = file;
  const item = { kind, name, from };
  const text = file.text ?? (await readText(from, largestFile));
  if (text === undefined) return leave(item, phrase("move-in.unreadable"));
  if (text.trim() === "") return leave(item, phrase("move-in.empty"));
  const work: FileWork = { ...place, file, text };
  const { path, content, action } = await judge(work);
  const planned: MoveItem = { ...item, to: path, action };
  const mark = [home.program, kind, from, text];
  if (content === undefined) return { item: planned, mark };
  return {
    item: planned,
    mark,
    holdsKey: keys.isIn(text),
    async carryOut() {
      // Judged again: another step may have written the same file.
      const now = await judge(work);
      if (now.content !== undefined) await writeFileAtomic(now.path, now.content);
    },
  };
}

interface FileWork extends FilePlace {
  file: ForeignFile;
  text: string;
}

interface Judgement {
  path: string;
  /** Absent: nothing is to be written. */
  content?: string;
  action: MoveItem["action"];
}

async function judge({ file, keys, workspace, home, ...work }: FileWork): Promise<Judgement> {
  const text = keys.take(work.text);
  const path = join(workspace, file.target);
  const present = await readText(path, largestFile);
  if (present === undefined || (await isTemplate(present, file.target)))
    return { path, content: `${text.trimEnd()}\n`, action: "add" };
  if (present.trim() === text.trim()) return { path, action: "same" };
  if (file.kind === "memory" || file.kind === "note") {
    const missing = findMissing(present, text);
    if (missing === "") return { path, action: "same" };
    const heading = `## ${programNames[home.program]}`;
    return { path, content: `${present.trimEnd()}\n\n${heading}\n\n${missing}\n`, action: "merge" };
  }
  const beside = path.replace(/\.md$/, `.${home.program}.md`);
  const other = await readText(beside, largestFile);
  if (other !== undefined) return { path: beside, action: "same" };
  return { path: beside, content: `${text.trimEnd()}\n`, action: "beside" };
}

async function isTemplate(text: string, name: string): Promise<boolean> {
  const template = await readText(packagePath("templates", name), largestFile);
  return template !== undefined && template.trim() === text.trim();
}

/** The lines of a text that another one does not have; "" where it has them all, but for headings. */
function findMissing(present: string, text: string): string {
  const known = new Set(present.split("\n").map((line) => line.trim()));
  const lines = text.split("\n").filter((line) => line.trim() === "" || !known.has(line.trim()));
  const isNews = lines.some((line) => line.trim() !== "" && !/^#+\s/.test(line));
  return isNews
    ? lines
        .join("\n")
        .replaceAll(/\n{3,}/g, "\n\n")
        .trim()
    : "";
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
