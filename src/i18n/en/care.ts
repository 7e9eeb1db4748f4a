// What the commands that look after a home say: doctor, backup, restore.
import { nanobot } from "../../lib/program-command.ts";
export const englishCare = {
  usage: {
    doctor: "look for what is wrong, and say how to put it right",
    backup: "put everything of the assistant into one file",
    backupFile: "file to write (default: nanobot-<time>.tar.gz here)",
    restore: "bring back what a backup holds; what is there now is kept beside it",
    restoreFile: "a backup",
    yes: "do not ask",
  },
  states: { ok: "ok  ", warning: "look", bad: "BAD " },
  subjects: {
    config: "config",
    model: "model",
    sandbox: "sandbox",
    channels: "channels",
    disk: "disk",
    files: "files",
    clock: "clock",
    state: "state",
    memory: "memory",
    gateway: "gateway",
  },
  memorySorted: (count: number, when: string) =>
    `On ${when} ${count === 1 ? "1 summary was" : `${count} summaries were`} found in the memory of another person or group, where an earlier version had put them, and moved to the right one.`,
  noHome: (home: string) => `${home} is not there yet; the first start makes it.`,
  keyMissing: (host: string) => `No key for ${host}. Run: ${nanobot} onboard`,
  diskFree: (megabytes: number) => `${megabytes} MB are free.`,
  diskFull: (megabytes: number) => `Only ${megabytes} MB are free. Make room, or nothing new can be kept.`,
  tooOpen: (path: string, command: string) => `Others on this machine can read ${path}. Run: ${command}`,
  closed: "Nobody else can read what is private.",
  clockBehind: (now: string) =>
    `It shows ${now}, but files of the assistant are from later. Set the clock of the system right.`,
  stateDamaged: (path: string) =>
    `${path} is damaged. The next start keeps it under another name and carries over what can be read, queued messages first. Conversations and memory are not in it.`,
  waiting: (count: number) =>
    `${count === 1 ? "1 message waits" : `${count} messages wait`} to be sent. See: ${nanobot} outbox list`,
  backedUp: (path: string, files: number, megabytes: string) =>
    `${path}: ${files} files, ${megabytes} MB, read again and found whole. It holds your keys: keep it safe.`,
  notWhole: (path: string) => `${path} is no whole backup of nanobot. Nothing was changed; take another one.`,
  taken: (path: string) => `${path} is there already. Give another name, or remove it first.`,
  leftOut: (name: string) => `Not in it, because it is a link or too large: ${name}`,
  askRestore: (home: string, files: number) => `Restore ${files} files to ${home}?`,
  askReplace: (home: string, files: number) =>
    `Replace ${home} by the ${files} files of the backup? What is there now is kept under another name.`,
  notRestored: "Nothing was changed. Say yes, or give --yes.",
  restored: (home: string, files: number) => `${files} files are back in ${home}.`,
  keptAside: (path: string) => `What was there before is in ${path}; remove it when all is well.`,
};
