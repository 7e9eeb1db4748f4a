// Why a skill cannot be added, in English.

export const skillPhrases = {
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
  "skills.not-found": ({ name }: { name: string }) => `There is no skill "${name}".`,
  "skills.other-now": "The skill has changed since you looked at it. Look again.",
  "skills.shared": "Others use it, too, so it cannot be removed here.",
  "skills.changed": "It was not added, because it changed while it was copied. Try again.",
};
