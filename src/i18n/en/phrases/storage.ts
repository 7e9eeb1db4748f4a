// What is wrong with the folder or the files of an assistant, and moving in from another one, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";
import { plural } from "../plural.ts";

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

function folderAdviceFor(errno: string): string {
  const isFull = ["ENOSPC", "EDQUOT", "EMFILE"].includes(errno);
  return isFull ? adviceFor(errno) : "Make it writable, or set NANOBOT_HOME to another folder.";
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
    `${path} cannot be locked (${quote}). Check the disk and the owner of the file.`,
  "storage.home-unwritable": ({ home, errno }: { home: string; errno: string }) =>
    `The folder ${home} cannot be written (${errno}). ${folderAdviceFor(errno)}`,
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

  "homes.bad-name":
    "Choose a name of at most 32 characters: lower-case letters, digits and hyphens, beginning with a letter.",
  "homes.exists": ({ name }: { name: string }) => `There is an assistant "${name}" already.`,
  "homes.unknown": ({ name }: { name: string }) =>
    `There is no assistant "${name}" on this machine. See them with: nanobot homes`,
  "homes.own": "An assistant cannot remove itself. Do it from another one's page, or in the terminal.",
  "homes.in-cluster":
    "These assistants are kept by a cluster. Add and remove them with: nanobot cluster homes",
  "cluster.no-driver": ({ command }: { command: string }) =>
    `The driver for PostgreSQL is not installed. Install it with: ${command}`,

  "cluster.not-prepared": "This database holds no cluster yet. Prepare it with: nanobot cluster init",
  "cluster.newer-schema": ({ found, known }: { found: string; known: number }) =>
    `The cluster's tables have version ${found}; this nanobot knows version ${known}. Update nanobot on this machine.`,
  "cluster.older-schema":
    "This database holds a cluster of an older version. Upgrade it with: nanobot cluster init",
  "cluster.other-key":
    "NANOBOT_CLUSTER_KEY is not the key that this cluster was prepared with. Nothing was changed.",
  "cluster.no-url":
    "Set NANOBOT_CLUSTER_URL to the address of the PostgreSQL database, such as postgresql://user:password@host/nanobot.",
  "cluster.no-key":
    "Set NANOBOT_CLUSTER_KEY to a long secret, the same on every machine. Everything in the database is encrypted with it.",
  "cluster.no-other-key":
    "Set NANOBOT_CLUSTER_KEY to the new key and NANOBOT_CLUSTER_KEY_ALSO to the one before it, here and on every worker.",
  "cluster.unreachable": ({ quote }: { quote: string }) =>
    `The database of the cluster cannot be reached: ${quote}`,
  "cluster.no-home": ({ home }: { home: string }) => `The cluster has no home "${home}".`,
  "cluster.home-exists": ({ home }: { home: string }) => `The cluster has a home "${home}" already.`,
  "cluster.home-held": ({ home }: { home: string }) =>
    `A worker holds the home "${home}". Suspend it first: nanobot cluster homes suspend ${home}`,
  "cluster.home-not-empty": ({ home }: { home: string }) =>
    `The home "${home}" of the cluster is not empty. Import into a new one.`,
  "cluster.folder-exists": ({ folder }: { folder: string }) =>
    `${folder} exists already. Name a folder that is not there yet.`,
  "cluster.workspace-elsewhere": ({ folder }: { folder: string }) =>
    `The workspace ${folder} lies outside of the home. Move it into the home, and change agents.defaults.workspace.`,
  "cluster.no-worker": ({ worker }: { worker: string }) =>
    `No worker "${worker}" is running. See them with: nanobot cluster status`,
  "cluster.bad-host": "Name a host such as ann.example.org, without https:// and without a port.",
  "cluster.host-taken": ({ host }: { host: string }) => `${host} leads to a home already.`,
  "cluster.bad-name":
    "The name of a home has up to 63 lower-case letters, digits and hyphens, and begins with a letter.",
  "cluster.damaged-home": ({ home }: { home: string }) =>
    `What the database keeps of the home "${home}" does not fit together. Nothing was changed.`,
  "cluster.sealed-otherwise": ({ home }: { home: string }) =>
    `The home "${home}" cannot be decrypted with this NANOBOT_CLUSTER_KEY. Nothing was changed.`,

  "file.is-folder": ({ file }: { file: string }) => `${file} is a folder, but a file is expected.`,
  "file.not-regular": ({ file }: { file: string }) => `${file} is not a regular file.`,
  "file.broken-link": ({ file }: { file: string }) => `${file} is a link to a file that does not exist.`,
  "file.too-large": ({ file, megabytes }: { file: string; megabytes: number }) =>
    `${file} is larger than ${megabytes} MB.`,
  "file.unreadable": ({ file, errno }: { file: string; errno: string }) =>
    `${file} cannot be read (${errno}). Check its owner and permissions.`,
  "file.not-utf8": ({ file }: { file: string }) => `${file} is not UTF-8 text. Save it as UTF-8.`,
  "file.not-object": ({ file }: { file: string }) => `${file} must hold one JSON object, in { }.`,
  "file.too-deep": ({ file, levels }: { file: string; levels: number }) =>
    `${file} is nested more than ${levels} levels deep.`,
  "file.bad-json": (
    { file, line, column, reason }: { file: string; line: number; column: number; reason: InnerPhrase },
    { say }: PhraseContext,
  ) => `${file} is not valid JSON (line ${line}, column ${column}): ${say(reason)}`,
  "file.outside": ({ file }: { file: string }) =>
    `${file} leads outside the workspace. Use a path inside it.`,
  "file.kept": ({ file, place }: { file: string; place: string }) =>
    `${file} is in ${place}, which the assistant keeps for itself. Use another path.`,
  "files.name-taken": ({ name }: { name: string }) => `"${name}" is already taken. Choose another name.`,
  "files.gone": ({ name }: { name: string }) => `${name} is no longer there.`,
  "files.whole-folder": "This is the whole folder of your files. Choose something in it.",
  "file.missing": ({ file }: { file: string }) => `${file} does not exist.`,
  "file.denied": ({ file }: { file: string }) =>
    `No permission for ${file}. Change its permissions, or use another path.`,
  "file.disk-full": ({ file }: { file: string }) =>
    `The disk is full, so ${file} was not written. Free some space.`,
  "file.unreachable": ({ file }: { file: string }) =>
    `The drive that holds ${file} does not answer. Check it.`,
  "file.busy": ({ file }: { file: string }) => `${file} is in use. Try again.`,
  "file.unusable": ({ file }: { file: string }) => `${file} cannot be used as a path.`,
  "file.would-be-too-large": ({ file, megabytes }: { file: string; megabytes: number }) =>
    `${file} would become larger than ${megabytes} MB, so nothing was changed. Remove some of what it holds first.`,

  "json.comment": "JSON has no comments. Remove this one.",
  "json.quotes": 'Text needs straight double quotes (").',
  "json.extra-comma": "There is a comma or colon too many before it.",
  "json.open-text": "A text is not closed on its line, or holds a wrong escape.",
  "json.no-colon": "A colon is missing after the key.",
  "json.no-comma": "A comma or a closing bracket is missing before it.",
  "json.after-end": "There is something after the end.",
  "json.no-key": "A key in double quotes is expected here.",
  "json.no-value": "A value is expected here.",
  "json.empty": "The file is empty.",
  "json.cut-short": ({ bracket }: { bracket: string }) => `The file ends too early: a ${bracket} is missing.`,

  "home.gone": ({ home }: { home: string }) =>
    `The folder ${home} was removed or moved away while nanobot ran. New messages are refused, so that none is lost. Put it back, or restart nanobot to begin with an empty one.`,
  "home.file-damaged": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} The last good copy is used, if there is one. Fix the file; otherwise the next change keeps it as .corrupt-1 and replaces it.`,
  "home.file-unreadable": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} The file stays as it is, and nanobot tries again later.`,
  "home.memory-sorted": ({ count }: { count: number }) =>
    `An earlier version could keep the summary of a conversation in the memory of another person. ${plural(count, "summary was", "summaries were")} found in the wrong place and moved to the person or group that the conversation was held with. Older versions of memory files, and answers that were given meanwhile, may still mention it.`,
  "home.database-set-aside": ({ path }: { path: string }) =>
    `state.db was damaged and is kept as ${path}. What could be read was carried over, queued messages first; conversations and memory were not in it. Remove the file when you no longer need it.`,

  "move-in.no-home": ({ folder }: { folder: string }) =>
    `${folder} is not a home of OpenClaw or Hermes. Name its folder, such as ~/.openclaw or ~/.hermes.`,
  "move-in.reading": "Reading what is there",
  "move-in.taking": "Taking it over",
  "move-in.ask-secrets": ({ count }: { count: number }) =>
    `Copy ${count === 1 ? "this key or token" : `these ${count} keys and tokens`}? Otherwise the texts come without them.`,
  "move-in.not-copied": "not copied, as you decided",
  "move-in.already-set": ({ present }: { present: string }) => `already set here to ${present}`,
  "move-in.unknown-host": ({ host }: { host: string }, { program }: PhraseContext) =>
    `there is no model provider "${host}" here; choose one with: ${program} onboard`,
  "move-in.no-such-channel": "this chat app is not supported here",
  "move-in.no-such-schedule": "this kind of job does not exist here",
  "move-in.paused": "it was switched off there",
  "move-in.skill-there": "a skill of this name is already here",
  "move-in.skill-flagged": ({ folder }: { folder: string }, { program }: PhraseContext) =>
    `something suspicious is in it; read it, then add it with: ${program} skills add ${folder} --allow-flagged`,
  "move-in.add-server": (_: object, { program }: PhraseContext) => `add it with: ${program} mcp add`,
  "move-in.of-the-program": "only the other program uses it",
  "move-in.unreadable": "it cannot be read, or is too large",
  "move-in.empty": "it is empty",
};
