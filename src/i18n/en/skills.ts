// What `nanobot skills` says, in English.
import { nanobot } from "../../lib/program-command.ts";

export const englishSkills = {
  /** What those that come with the program are for; as their own files say it. */
  builtIn: {
    clawhub: "Find new skills and add them safely.",
    cron: "Set, list and remove reminders and repeating tasks.",
    github: "GitHub issues, pull requests, CI runs and API, with gh.",
    memory: "How to remember and recall with the files in memory/.",
    "skill-creator": "Write, improve or check a skill (SKILL.md).",
    summarize: "Summarise a web page, document, transcript or long text.",
    tmux: "Run and steer interactive or long-lived programs in tmux.",
    weather: "Current weather and forecasts for a place, without a key.",
  } as Record<string, string>,
  states: { ready: "ready", always: "always on", off: "off", blocked: "blocked", unusable: "unusable" },
  sources: {
    workspace: "workspace",
    user: "home",
    agents: "~/.agents",
    directory: "directory",
    "built-in": "built in",
  },
  reasons: {
    disabled: (name: string) => `switched off; to use it: ${nanobot} skills enable ${name}`,
    flagged: (name: string) =>
      `something suspicious is in it; read it with: ${nanobot} skills show ${name}, then decide with: allow`,
    "leads-outside": (path: string) =>
      `it is a link that leads out of its folder, to ${path}; copy it instead: ${nanobot} skills add`,
    unreadable: (path: string) => `${path} cannot be read`,
    bins: (name: string) => `needs the program ${name}`,
    anyBins: (names: string) => `needs one of the programs ${names}`,
    env: (name: string) => `needs the variable ${name}`,
    os: (names: string) => `works only on ${names}`,
    tools: (name: string) => `needs the tool ${name}, which is not there`,
  },
  notes: {
    "no-front-matter": "SKILL.md has no front matter",
    "invalid-front-matter": "the front matter of SKILL.md is not valid YAML",
    "wrong-type": (key: string) => `"${key}" in the front matter is not what belongs there, and is ignored`,
    "no-description": "there is no description; the first heading and paragraph stand in for it",
    "long-description": "the description is longer than 1,024 characters",
    "odd-name": (name: string) =>
      `the name "${name}" should be at most 64 lower-case letters, digits and single hyphens`,
    "name-differs": (folder: string) => `its folder has another name: ${folder}`,
    "long-body": "SKILL.md is longer than 5,000 tokens; put details into files beside it",
    "env-not-passed": (name: string) =>
      `${name} is set, but commands do not see it; add it to tools.exec.allowedEnvKeys`,
    "needs-packages": (folder: string) =>
      `it wants the Python packages in ${folder}/requirements.txt; nothing installs them by itself`,
    "written-by-assistant": "the assistant wrote it, so it is never always on",
    hides: (path: string) => `hides another skill of this name: ${path}`,
  },
  rules: {
    "encoded-payload": "hidden code is unpacked and run",
    "download-to-shell": "something is downloaded and run at once",
    "hides-actions": "the assistant is told to hide what it does",
    "sends-secrets": "keys, passwords or private files are sent away",
    "paste-site": "a place where anybody can leave text or catch data",
    "prompt-override": "the assistant is told to forget its instructions",
    "runs-hidden-file": "a file is run that is not what it seems",
    "invisible-text": "invisible characters",
    unscanned: "could not be looked into: not text, or too large",
    "leads-outside": "a link that leads out of the skill",
  },
  unknown: (name: string, nearest?: string) =>
    `There is no skill "${name}". ${nearest === undefined ? `See: ${nanobot} skills list` : `Did you mean "${nearest}"?`}`,
  needsTarget: (action: string) => `Say what to ${action}: ${nanobot} skills ${action} <...>`,
  needsYes: "Nobody is there to be asked. If you are sure, add --yes.",
  severalInside: (names: string) =>
    `There are several skills, or none of that name. Choose with --name: ${names}`,
  wouldCopy: (count: number | string, folder: string) => `Files to copy to ${folder}: ${count}`,
  nothingFound: "Nothing suspicious was found in it.",
  found: "Suspicious:",
  replaces: "It takes the place of the one that is there. What changes:",
  unchanged: "(nothing)",
  whollyChanged: "(as a whole)",
  addFlagged: "It was not added. If you have read it and trust it, add --allow-flagged.",
  askAdd: (name: string) => `Add "${name}"?`,
  askAllow: (name: string) => `Use "${name}" as it is now?`,
  askRemove: (folder: string) => `Delete ${folder}?`,
  added: (name: string, folder: string) => `"${name}" was added to ${folder}.`,
  removed: (name: string) => `"${name}" was removed.`,
  enabled: (name: string) => `"${name}" is switched on.`,
  disabled: (name: string) => `"${name}" is switched off.`,
  allowed: (name: string) => `"${name}" may be used until one of its files changes.`,
  notOurs: (folder: string) =>
    `${folder} belongs to the program, or other programs use it too. Switch the skill off instead: ${nanobot} skills disable`,
  checked: (name: string) => `"${name}" is a good skill.`,
};
