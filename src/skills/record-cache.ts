// What was learned of skills' folders, kept over a start in a file that can be deleted at will. A damaged file, or one
// that another version of the program wrote, counts as none.
import { createHash } from "node:crypto";
import { toScannerVersion } from "../guards/scanner.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { readJsonFile } from "../storage/files/json-file.ts";
import type { FolderReading } from "./skill-folder.ts";

export type KnownFolders = Map<string, FolderReading>;

const version = 1;

export async function loadKnownFolders(path: string): Promise<KnownFolders> {
  const file = await readJsonFile(path);
  if (file.state !== "read") return new Map();
  const { folders, digest } = file.value;
  if (typeof folders !== "string" || digest !== toDigest(folders)) return new Map();
  return new Map(JSON.parse(folders) as Array<[string, FolderReading]>);
}

export async function saveKnownFolders(path: string, known: KnownFolders): Promise<void> {
  const entries = [...known].map(([folder, { stamps, skill }]) => [folder, { stamps, skill }]);
  const folders = JSON.stringify(entries);
  const content = JSON.stringify({ digest: toDigest(folders), folders });
  await writeFileAtomic(path, content, { mode: 0o600, forceMode: true });
}

function toDigest(folders: string): string {
  return createHash("sha256").update(`${version} ${toScannerVersion()} ${folders}`).digest("hex");
}
