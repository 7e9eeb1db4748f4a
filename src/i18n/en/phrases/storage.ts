// What is wrong with the folder or the files of an assistant, in English.

const advice: Record<string, string> = {
  EACCES: "Check that it and its folder belong to you.",
  EPERM: "Check that it and its folder belong to you.",
  ENOSPC: "Free some disk space and try again.",
  EDQUOT: "Your disk quota is used up: free some space and try again.",
  EROFS: "The disk is read-only: make it writable, or set NANOBOT_HOME to another folder.",
  EISDIR: "Something else has the name of the file: move it away.",
  ELOOP: "It is a link that leads nowhere: remove it.",
  EMFILE: "Too many files are open: raise the limit (ulimit -n).",
};

function adviceFor(errno: string): string {
  return advice[errno] ?? "Check the disk, or move the file away to start without it.";
}

export interface PathParams {
  path: string;
  errno: string;
}

export const storagePhrases = {
  "storage.locked": ({ home }: { home: string }) =>
    `Another nanobot is using ${home}. Wait until it is done, or end that process, and try again.`,
  "storage.locked-by": (params: { home: string; pid: number; purpose: string; since: string }) =>
    `Another nanobot (process ${params.pid}, ${params.purpose}, since ${params.since}) is using ${params.home}. Wait until it is done, or end that process, and try again.`,
  "storage.lock-unusable": ({ path, quote }: { path: string; quote: string }) =>
    `${path} cannot be locked (${quote}). Remove it and try again.`,
  "storage.home-unwritable": ({ home, errno }: { home: string; errno: string }) =>
    `The folder ${home} cannot be written (${errno}). Make it writable, or set NANOBOT_HOME to another folder.`,
  "storage.newer": ({ path, version }: { path: string; version: number }) =>
    `${path} was made by a newer nanobot (version ${version}). Use that one, or move the file away.`,
  "storage.database-unusable": ({ path, quote }: { path: string; quote: string }) =>
    `${path} cannot be used (${quote}). Check the disk, its free space and the owner of the file.`,
  "storage.session-read": ({ path, errno }: PathParams) =>
    `The conversation in ${path} cannot be read (${errno}). ${adviceFor(errno)} Nothing in it was changed.`,
  "storage.session-write": ({ path, errno }: PathParams) =>
    `The conversation in ${path} cannot be saved (${errno}). ${adviceFor(errno)} Nothing in it was changed.`,
  "storage.session-move": ({ path, errno }: PathParams) =>
    `The conversations in ${path} cannot be moved to their new place (${errno}). ${adviceFor(errno)} Nothing in it was changed.`,
  "storage.file-read": ({ path, errno }: PathParams) =>
    `The file ${path} cannot be read (${errno}). ${adviceFor(errno)}`,
  "storage.file-write": ({ path, errno }: PathParams) =>
    `The file ${path} cannot be written (${errno}). ${adviceFor(errno)}`,
  "storage.file-move": ({ path, errno }: PathParams) =>
    `The file ${path} cannot be moved (${errno}). ${adviceFor(errno)}`,
  "storage.not-plain": ({ path }: { path: string }) =>
    `${path} is a link or not what belongs there. Move it away and try again.`,
  "storage.changed-while-copied": ({ path }: { path: string }) =>
    `${path} changed while it was copied. Try again.`,
  "storage.sessions-unplaced": ({ workspace, path }: { workspace: string; path: string }) =>
    `No folder could be chosen for the conversations of ${workspace}. Remove ${path} and try again.`,
  "storage.sessions-in-workspace": ({ folder, workspace }: { folder: string; workspace: string }) =>
    `Conversations would be kept in ${folder}, inside the workspace ${workspace}, where tools can change them. Choose another workspace, or set NANOBOT_HOME to another folder.`,
  "storage.disk": ({ errno }: { errno: string }) => `The disk cannot be used (${errno}). ${adviceFor(errno)}`,
  "storage.missing": ({ path }: { path: string }) => `${path} does not exist.`,
  "storage.unusable": ({ path, errno }: PathParams) =>
    `${path} cannot be used (${errno}). Check its owner, its permissions and the disk.`,
  "durability.lost": "Another machine works for this assistant now. This one has stopped.",
  "durability.unavailable":
    "The database that keeps this assistant cannot be reached. nanobot tries again on its own.",
  "durability.quota":
    "The space for this assistant is used up. Remove files from its workspace, or ask for more space.",
};
