// Skills: what each is for, what was found in it, and what cannot be done with it, in English.
import type { PhraseContext } from "../../phrase.ts";

/** What is wrong or missing: a name, a variable, a path. */
export interface SkillSubject {
  subject: string;
}

export const skillPhrases = {
  // Why one cannot be used.
  "skills.reason.disabled": ({ subject }: SkillSubject, { program }: PhraseContext) =>
    `switched off; to use it: ${program} skills enable ${subject}`,
  "skills.reason.flagged": ({ subject }: SkillSubject, { program }: PhraseContext) =>
    `something suspicious is in it; read it with: ${program} skills show ${subject}, then decide with: allow`,
  "skills.reason.leads-outside": ({ subject }: SkillSubject, { program }: PhraseContext) =>
    `it is a link that leads out of its folder, to ${subject}; copy it instead: ${program} skills add`,
  "skills.reason.unreadable": ({ subject }: SkillSubject) => `${subject} cannot be read`,
  "skills.reason.bins": ({ subject }: SkillSubject) => `needs the program ${subject}`,
  "skills.reason.any-bins": ({ subject }: SkillSubject) => `needs one of the programs ${subject}`,
  "skills.reason.env": ({ subject }: SkillSubject) => `needs the variable ${subject}`,
  "skills.reason.os": ({ subject }: SkillSubject) => `works only on ${subject}`,
  "skills.reason.tools": ({ subject }: SkillSubject) => `needs the tool ${subject}, which is not there`,
  // What does not keep one from working.
  "skills.note.no-front-matter": "SKILL.md has no front matter",
  "skills.note.invalid-front-matter": "the front matter of SKILL.md is not valid YAML",
  "skills.note.wrong-type": ({ subject }: SkillSubject) =>
    `"${subject}" in the front matter has the wrong type and is ignored`,
  "skills.note.no-description": "there is no description; the first heading and paragraph are used instead",
  "skills.note.long-description": "the description is longer than 1,024 characters",
  "skills.note.odd-name": ({ subject }: SkillSubject) =>
    `the name "${subject}" should be at most 64 lower-case letters, digits and single hyphens`,
  "skills.note.name-differs": ({ subject }: SkillSubject) => `its folder has another name: ${subject}`,
  "skills.note.long-body": "SKILL.md is longer than 5,000 tokens; put details into other files of the skill",
  "skills.note.env-not-passed": ({ subject }: SkillSubject) =>
    `${subject} is set, but commands do not see it; add it to the visible variables in the settings`,
  "skills.note.needs-packages": ({ subject }: SkillSubject) =>
    `it wants the Python packages in ${subject}/requirements.txt; they are not installed automatically`,
  "skills.note.written-by-assistant": "the assistant wrote it, so it is never always on",
  "skills.note.hides": ({ subject }: SkillSubject) => `hides another skill of this name: ${subject}`,
  // What is suspicious about a line.
  "skills.rule.encoded-payload": "hidden code is unpacked and run",
  "skills.rule.download-to-shell": "something is downloaded and run at once",
  "skills.rule.hides-actions": "the assistant is told to hide what it does",
  "skills.rule.sends-secrets": "keys, passwords or private files are sent away",
  "skills.rule.paste-site": "a site where anyone can leave text or collect data",
  "skills.rule.prompt-override": "the assistant is told to forget its instructions",
  "skills.rule.runs-hidden-file": "a file is run that is not what it seems",
  "skills.rule.invisible-text": "invisible characters",
  "skills.rule.locked-archive": "comes in a password-protected archive",
  "skills.rule.run-first": "wants a downloaded program to be run first",
  "skills.rule.unscanned": "could not be checked: not text, or too large",
  "skills.rule.leads-outside": "a link that leads out of the skill",
  // What those that come with the program are for, as their own files say it.
  "skills.built-in.clawhub": "Find new skills and add them safely.",
  "skills.built-in.cron": "Set, list and remove reminders and repeating tasks.",
  "skills.built-in.github": "GitHub issues, pull requests, CI runs and API, with gh.",
  "skills.built-in.memory": "How to remember and recall with the files in memory/.",
  "skills.built-in.skill-creator": "Write, improve or check a skill (SKILL.md).",
  "skills.built-in.summarize": "Summarise a web page, document, transcript or long text.",
  "skills.built-in.tmux": "Run and steer interactive or long-lived programs in tmux.",
  "skills.built-in.weather": "Current weather and forecasts for a place, without a key.",
  "skills.described": ({ description }: { description: string }) => description,
  "skills.file-added": ({ path }: { path: string }) => `+ ${path}`,
  "skills.file-removed": ({ path }: { path: string }) => `- ${path}`,
  "skills.file-changed": ({ path, diff = "(as a whole)" }: { path: string; diff?: string }) =>
    `~ ${path}\n${diff}`,
  "skills.unchanged": "(nothing)",
  "skills.not-a-zip": "This is not a zip file, or it is damaged. Give a folder, a zip file or a Git address.",
  "skills.unsafe-path": "The zip file has links or paths that lead out of it, so it was not unpacked.",
  "skills.too-large":
    "The zip file is too large, or would be once unpacked. Unpack it yourself and give the folder.",
  "skills.unsupported":
    "The zip file is encrypted or packed in an unusual way. Unpack it yourself and give the folder.",
  "skills.not-fetched": ({ address }: { address: string }) =>
    `${address} cannot be downloaded. Give the https address of a Git repository, or download it and give the file.`,
  "skills.not-there": ({ path }: { path: string }) => `There is nothing at ${path}.`,
  "skills.no-git": "Git is not installed. Install it, or download the skill and give its folder.",
  "skills.git-failed": ({ reason }: { reason: string }) => `Git could not download it: ${reason}`,
  "skills.none-inside": "There is no SKILL.md in it.",
  "skills.not-plain": ({ path }: { path: string }) =>
    `It was not added, because ${path} is a link or cannot be read.`,
  "skills.too-much": "It was not added. At most 500 files, 8 MB in a file and 32 MB in all can be.",
  "skills.bad-name": ({ name }: { name: string }) =>
    `It was not added. Its name "${name}" or the name of its folder must be made of lower-case letters, digits and hyphens.`,
  "skills.flagged":
    "It was not added, because something suspicious is in it. Read it first, and add it only if you trust it.",
  "skills.stage-gone": "That was too long ago. Look at the skill again before you add it.",
  "skills.not-found": ({ name, nearest }: { name: string; nearest?: string }, { program }: PhraseContext) =>
    `There is no skill "${name}". ${nearest === undefined ? `See: ${program} skills list` : `Did you mean "${nearest}"?`}`,
  "skills.blocked": "Something suspicious is in it. Read it and allow it first.",
  "skills.wants-nothing": "This skill names no commands or hosts that could be granted.",
  "skills.other-now": "The skill has changed since you looked at it. Look again.",
  "skills.revision": ({ name, reason }: { name: string; reason: string }) =>
    `Change the skill "${name}"? ${reason}`,
  "skills.revision-apply": "Apply",
  "skills.revision-refuse": "Refuse",
  "skills.revision-later": "Decide later",
  "skills.no-revision": ({ name }: { name: string }) =>
    `No change of the skill "${name}" waits for a decision.`,
  "skills.revision-outdated": ({ name }: { name: string }) =>
    `The skill "${name}" has changed since the change was proposed. Nothing was applied.`,
  "skills.shared": "Other programs use it too, so it cannot be removed here.",
  "skills.changed": "It was not added, because it changed while it was copied. Try again.",
};
