// The files that can be recalled: which there are, and whose. Reads nothing in them. Links are not followed: what they
// lead to may belong to another person.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { lookAt } from "../files/file-stamp.ts";
import { ownerScope, type Scope } from "../scope.ts";
import { scopeFolders, toScope } from "../scope-folders.ts";
import { fromStem, parseFileName, toConversationKey } from "../sessions/session-name.ts";
import type { Source, SourceKind, SourceLookups } from "./recall-index.ts";

export interface RecallPlaces {
  sessionsFolder: string;
  workspace: string;
  /** The owner's folders of documents, in addition to `knowledge` in the workspace. */
  knowledge: readonly string[];
}

const mostDocuments = 10_000;
const largestText = 1024 * 1024;
/** Messages that were too long for a prompt. */
const attachments = "attachments";
const largestAttachment = 32 * 1024 * 1024;
const notRead =
  /^\.|^node_modules$|\.(?:png|jpe?g|gif|webp|pdf|zip|gz|docx?|xlsx?|pptx?|mp[34]|mov|wav|ttf|woff2?|exe|bin|db)$/i;

/** As a file that nothing was read of. The scope of a session is in its metadata. */
export function listSources({ sessionsFolder, workspace, knowledge }: RecallPlaces): Source[] {
  const sessions = list(sessionsFolder).flatMap(({ name }) => lookAtSession(sessionsFolder, name));
  const others = scopeFolders(workspace).flatMap(({ kind, folder }) =>
    list(folder).flatMap(({ name }) => listRoot(join(folder, name), toScope(kind, name))),
  );
  const documents = knowledge.flatMap((folder) => listDocuments(folder, folder, ownerScope));
  return [...sessions, ...listRoot(workspace, ownerScope), ...others, ...documents];
}

/** Of the known files those that were written last, and, where the folder has changed, sessions that are not known yet. */
export function listRecent(
  { sessionsFolder }: RecallPlaces,
  { byPath, recent }: SourceLookups,
  isFolderSame: boolean,
): Source[] {
  const listed = isFolderSame ? [] : list(sessionsFolder);
  const added = listed.filter(({ name }) => !byPath.has(join(sessionsFolder, name)));
  return [
    ...added.flatMap(({ name }) => lookAtSession(sessionsFolder, name)),
    ...recent.flatMap(({ path, kind, scope, name }) => look(path, kind, scope as Scope, name)),
  ];
}

function lookAtSession(folder: string, name: string): Source[] {
  const stem = parseFileName(name)?.stem;
  return stem === undefined ? [] : look(join(folder, name), "session", ownerScope, fromStem(stem) ?? stem);
}

/** The key of the conversation whose file is there; `sessionKey` is for a name that does not hold it. */
export function conversationOf(path: string, sessionKey: string): string {
  return toConversationKey(basename(path), sessionKey);
}

function listRoot(root: string, scope: Scope): Source[] {
  const memory = list(join(root, "memory")).flatMap(({ name }) => {
    const kind = kindOf(name);
    return kind === undefined ? [] : look(join(root, "memory", name), kind, scope, `memory/${name}`);
  });
  const user = look(join(root, "USER.md"), "memory", scope, "USER.md");
  const documents = ["knowledge", attachments].flatMap((name) =>
    listDocuments(join(root, name), root, scope),
  );
  return [...user, ...memory, ...documents];
}

function kindOf(name: string): SourceKind | undefined {
  if (name === "MEMORY.md") return "memory";
  if (name === "history.jsonl") return "history";
  return /^\d{4}-\d\d-\d\d\.md$/.test(name) ? "note" : undefined;
}

function listDocuments(folder: string, root: string, scope: Scope): Source[] {
  const found: Source[] = [];
  const folders = [folder];
  for (const place of folders) {
    for (const entry of list(place).filter(({ name }) => !notRead.test(name))) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (found.length < mostDocuments)
        found.push(...look(path, "document", scope, relative(root, path)));
    }
  }
  return found;
}

function look(path: string, kind: SourceKind, scope: Scope, name: string): Source[] {
  const status = lookAt(path);
  const isOfLines = kind === "session" || kind === "history";
  const largest = name.startsWith(attachments) ? largestAttachment : largestText;
  if (!status?.isFile() || (!isOfLines && status.size > largest)) return [];
  const { ino: inode, size, ctimeMs: changedAt, mtimeMs: at } = status;
  return [{ id: 0, path, kind, scope, name, inode, size, changedAt, end: 0, tail: "", at }];
}

function list(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
