// What is wrong with a file, in English. `file` is a name or a path.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const filePhrases = {
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
};
