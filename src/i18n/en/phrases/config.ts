// What is wrong with the config or worth knowing about it, in English. Said of one setting, whose path is shown next to it.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";
import { plural } from "../plural.ts";

/** What a value is, or should be. */
export type ValueType =
  | "text"
  | "number"
  | "integer"
  | "fraction"
  | "boolean"
  | "list"
  | "object"
  | "text-or-object"
  | "null"
  | "other";

const types: Record<ValueType, string> = {
  text: "text",
  number: "a number",
  integer: "a whole number",
  fraction: "a fraction",
  boolean: "true or false",
  list: "a list",
  object: "an object",
  "text-or-object": "text or an object",
  null: "null",
  other: "something else",
};

const withoutVariable = {
  empty: "The setting counts as empty.",
  "no-spending": "Nothing can be spent until it is.",
  "no-commands": "Commands are off until it is.",
  required: "Set it, or write the value here.",
};

/** A bound of a number, or of how many entries a list has. */
export interface Bound {
  bound: number;
  isInclusive: boolean;
  isCount: boolean;
}

export const configPhrases = {
  "config.unsure": ({ paths }: { paths: string[] }) =>
    `This allows more than before: ${paths.join(", ")}. Save again if you mean it.`,
  "config.last-good": ({ file, copy }: { file: string; copy: string }) =>
    `${file} cannot be used as it is. nanobot uses the last good copy, ${copy}, instead.`,
  "config.copy-not-written": ({ copy, errno }: { copy: string; errno: string }) =>
    `The backup copy of the config, ${copy}, could not be written (${errno}).`,
  "config.not-written": ({ file, errno }: { file: string; errno: string }) =>
    `${file} could not be written (${errno}). Check the owner of the folder and the free disk space.`,
  "config.not-moved": ({ folder, errno }: { folder: string; errno: string }) =>
    `Could not be moved or written (${errno}). Check the owner of ${folder}.`,
  "config.moved": ({ to, copy }: { to: string; copy: string }) =>
    `Moved to ${to}. A copy is kept at ${copy}.`,
  "config.jobs-taken-over": ({ jobs, kept }: { jobs: number; kept: string }) =>
    `${plural(jobs, "job")} that the Python version had not taken over yet ${jobs === 1 ? "is" : "are"} scheduled now. The file is kept as ${kept}.`,
  "config.triggers-taken-over": ({ count }: { count: number }) =>
    `${plural(count, "trigger")} of the Python version ${count === 1 ? "works" : "work"} here too.`,
  "config.python-gateway": ({ pid }: { pid: number }) =>
    `A gateway of the Python version of nanobot is using this home (process ${pid}). Stop it with its own command, nanobot gateway stop; otherwise both will answer and write the same files.`,

  "config.unknown-key": ({ nearest }: { nearest?: string }) =>
    `nanobot does not know this key, so it has no effect.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
  "config.double-key": ({ name }: { name: string }) =>
    `This is set twice. ${name} is used; remove the other one.`,
  "config.unsafe-default": ({ variable }: { variable: string }) =>
    `This is less safe than the default here, and the Python version writes it into every file, so it waits for you to confirm it. Send /confirm in a chat, the terminal or the browser, or set ${variable}.`,
  "config.nothing-to-confirm": ({ path }: { path: string }) => `${path} does not wait to be confirmed.`,
  "config.variable-not-set": ({
    variable,
    effect,
  }: {
    variable: string;
    effect: keyof typeof withoutVariable;
  }) => `The environment variable ${variable} is not set. ${withoutVariable[effect]}`,
  "config.variable-not-json": ({ variable, isIgnored }: { variable: string; isIgnored: boolean }) =>
    `The environment variable ${variable} must hold JSON.${isIgnored ? " It is ignored." : ""}`,

  "config.missing": ({ wanted }: { wanted: ValueType }) => `This is required (${types[wanted]}).`,
  "config.wrong-type": ({ wanted, given }: { wanted: ValueType; given: ValueType }) =>
    `Must be ${types[wanted]}, not ${types[given]}.`,
  "config.one-of": ({ values }: { values: string[] }) => `Must be one of: ${values.join(", ")}.`,
  "config.empty": "Must not be empty.",
  "config.too-small": ({ bound, isInclusive, isCount }: Bound) =>
    `Must be ${isInclusive ? "at least" : "more than"} ${bound}${isCount ? " entries" : ""}.`,
  "config.too-big": ({ bound, isInclusive, isCount }: Bound) =>
    `Must be ${isInclusive ? "at most" : "less than"} ${bound}${isCount ? " entries" : ""}.`,
  "config.invalid": ({ quote }: { quote: string }) => `This value is not valid ("${quote}").`,
  "config.bad-url": "Must be a web address such as https://example.com.",
  "config.not-a-preset": "Must be the name of a saved model.",
  "config.reserved-preset": 'Choose another name: "default" is taken.',
  "config.bad-time-zone": "Must be a time zone such as Europe/Berlin or Asia/Shanghai.",
  "config.bad-language": "Must be a language code such as en or zh.",
  "config.bad-target": "Must be last, or a channel and a chat such as telegram:42.",
  "config.internal-address":
    "This address is not public, or a proxy. The operator of this assistant does not allow that.",
  "config.bad-network": "Must be a network such as 192.168.1.0/24 or fd00::/8.",
  "config.uses-default": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} The default is used.`,
  "config.from-variable": (
    { reason, variable }: { reason: InnerPhrase; variable: string },
    { say }: PhraseContext,
  ) => `${say(reason)} Set by the environment variable ${variable}.`,
  "config.at": ({ path, reason }: { path: string; reason: InnerPhrase }, { say }: PhraseContext) =>
    path === "" ? say(reason) : `${path}: ${say(reason)}`,
  "config.not-saved": "Nothing was saved. Fix the marked settings.",
  "config.masked-moved": "A hidden secret cannot be moved. Enter it again.",
  "config.not-used": ({ reasons }: { reasons: InnerPhrase[] }, { say }: PhraseContext) =>
    `This was saved, but cannot be used yet. ${reasons.map(say).join(" ")}`,
  "config.more": ({ count }: { count: number }) => `And ${count} more problems like these.`,
};
