// What the program reports about itself: status, context, doctor, backups, usage and cost, in English.
import { nanobot } from "../../lib/program-command.ts";
import { plural } from "./plural.ts";

export const englishStatus = {
  status: {
    version: "Version",
    home: "Home",
    config: "Config",
    source: {
      file: "in use",
      "last-good": "broken; the last good copy is in use",
      defaults: "none yet; defaults and the environment are in use",
      broken: "broken, and there is no good copy",
    },
    workspace: "Workspace",
    notThere: "not there yet; your first message creates it",
    model: "Model",
    modelAt: (model: string, host: string) => `${model} at ${host}`,
    demo: "Demo, no AI yet",
    because: "Reason",
    key: "Key",
    keyPresent: "set",
    keyMissing: "missing",
    keyNotNeeded: "not needed",
    files: "Files",
    restricted: "confined to the workspace",
    unrestricted:
      "NOT confined: tools reach every file that you can reach (tools.restrictToWorkspace is false)",
    commands: "Commands",
    commandsAsk: "on; what may run without asking depends on the sandbox",
    commandsOff: "switched off (tools.exec.enable is false)",
    sessions: "Conversations",
    gateway: (pid: number | string) =>
      `The gateway of the Python version is using this home (process ${pid}). Stop it first, or both will write the same files.`,
    next: "Next",
    nextOnboard: `connect a model: ${nanobot} onboard`,
    nextFixConfig: (path: string) => `fix the problems listed above in ${path}`,
    nextNothing: `everything is set up; try: ${nanobot} agent -m "hello"`,
  },

  context: {
    request: (session: string, model: string) => `The next request of ${session}, to ${model}:`,
    size: (tokens: string, budget: string, window: string) =>
      `about ${tokens} tokens of ${budget} that it may take (window ${window}).`,
    corrected: (ratio: string) =>
      `Tokens are estimated, times ${ratio} by what the provider counted last time.`,
    epochSince: (hash: string, since: string) => `Epoch ${hash}, frozen since ${since}.`,
    newEpoch: (reason: string) => `A new epoch begins with the next message: ${reason}.`,
    newHash: (hash: string) => `${hash} (new)`,
    cached: (tokens: string) => `About ${tokens} tokens repeat the last request.`,
    layerHead: ["Layer", "Tokens", "Characters", "Source", "Epoch"],
    toolHead: ["Tool", "Tokens", "Characters", "Source"],
    saidHead: ["Conversation", "Tokens", "Characters"],
    files: (count: number | string) => `${count} files`,
    said: {
      sent: (count: number | string) => `${plural(count, "message")} sent before`,
      unsent: (count: number | string) => `${plural(count, "message")} not yet sent`,
      text: "the next message",
      runtime: "its runtime context",
    },
    nothingSent: "Nothing was sent in this conversation yet, or nothing is left of it to compare with.",
    lastRequest: (at: string, model: string, epoch: string) =>
      `The last request: ${at}, to ${model}, in epoch ${epoch}.`,
    noChanges: "No file and no tool has changed since then.",
    announced: "Changed since then, told to the model with the next message:",
    merged: "Changed since then, part of the prompt from the next message on:",
    changes: { added: "new", changed: "changed", removed: "gone" },
    holds: "The cached prefix holds: the next request repeats the last one byte for byte.",
    breaks: (place: string, reason: string) => `The cached prefix breaks ${place}, because ${reason}.`,
    places: {
      start: "at the very beginning",
      tools: "at the list of tools",
      system: (layer: string, line: number | string) => `in the layer ${layer}, line ${line}`,
      history: (count: number | string) => `in the conversation, after ${plural(count, "message")}`,
      nowhere: "although the bytes are the same",
    },
    reasons: {
      "first-turn": "this is the first message",
      "model-changed": "another model answers",
      idle: "the pause was longer than providers keep their cache",
      "prefix-lost": "the stored prefix is gone",
      consolidated: "older messages were summarised",
      "too-long": "the conversation no longer fits the window",
      compressed: "the history is shortened before it is sent",
    },
    tail: (tokens: string) => `About ${tokens} tokens are new to the provider.`,
    told: "What the model will be told:",
    systemDiff: "What changes in the system text:",
  },

  care: {
    usage: {
      doctor: "find problems, and say how to fix them",
      backup: "save everything of the assistant in one file",
      backupFile: "file to write (default: nanobot-<time>.tar.gz here)",
      restore: "restore a backup; what is there now is kept under another name",
      restoreFile: "a backup",
      yes: "do not ask",
    },
    states: { ok: "ok  ", warning: "warn", bad: "BAD " },
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
      `On ${when} ${plural(count, "summary was", "summaries were")} found in the memory of another person or group, where an earlier version had put them, and moved to the right one.`,
    noHome: (home: string) => `${home} does not exist yet; the first start creates it.`,
    keyMissing: (host: string) => `No key for ${host}. Run: ${nanobot} onboard`,
    diskFree: (megabytes: number) => `${megabytes} MB free.`,
    diskFull: (megabytes: number) =>
      `Only ${megabytes} MB free. Free some space, or nothing new can be saved.`,
    tooOpen: (path: string, command: string) => `Others on this machine can read ${path}. Run: ${command}`,
    closed: "No one else can read your private files.",
    clockBehind: (now: string) =>
      `The clock shows ${now}, but some files of the assistant are newer. Set the system clock.`,
    stateDamaged: (path: string) =>
      `${path} is damaged. The next start keeps it under another name and carries over what can be read, queued messages first. Conversations and memory are not in it.`,
    waiting: (count: number) =>
      `${plural(count, "message is waiting", "messages are waiting")} to be sent. See: ${nanobot} outbox list`,
    backedUp: (path: string, files: number, megabytes: string) =>
      `Saved and checked ${path}: ${files} files, ${megabytes} MB. It holds your keys, so keep it safe.`,
    notWhole: (path: string) =>
      `${path} is not a complete backup of nanobot. Nothing was changed. Use another one.`,
    taken: (path: string) => `${path} already exists. Choose another name, or remove it first.`,
    leftOut: (name: string) => `Left out, because it is a link or too large: ${name}`,
    askRestore: (home: string, files: number) => `Restore ${files} files to ${home}?`,
    askReplace: (home: string, files: number) =>
      `Replace ${home} with the ${files} files of the backup? What is there now is kept under another name.`,
    notRestored: "Nothing was changed. Answer yes, or add --yes.",
    restored: (home: string, files: number) => `${files} files are back in ${home}.`,
    keptAside: (path: string) => `What was there before is in ${path}. Delete it when everything works.`,
  },

  money: {
    usage: {
      command: "what your models used: tokens and money",
      by: "one row for each of these (default: day)",
      since: "from this day on, such as 2026-08-01 or 7d (default: 30d)",
      csv: "as comma-separated values",
    },
    nothing: "No model was used in that time.",
    groups: { day: "Day", cause: "Cause", model: "Model", person: "Person", session: "Conversation" },
    columns: {
      calls: "Calls",
      fresh: "New input",
      cached: "From cache",
      output: "Output",
      cost: "Cost",
    },
    sum: "Total",
    unpriced: (count: number | string) =>
      `The price of ${count} of these calls is unknown. Add it to prices.json (see docs/usage.md).`,
    badDay: (text: string) =>
      `"${text}" is neither a day such as 2026-08-01 nor a number of days such as 7d.`,
    today: "Today",
    month: "This month",
    line: (what: string, tokens: string, calls: number | string) =>
      `${what}: ${tokens} tokens, ${plural(calls, "call")}`,
    lineWithCost: (line: string, cost: string) => `${line}, ${cost}`,
    byCause: "This month by cause:",
    limit: (what: string, percent: number | string, limit: string) => `${what}: ${percent}% of ${limit}`,
    limits: "Limits:",
    tokens: (count: string) => `${count} tokens`,
  },
};
