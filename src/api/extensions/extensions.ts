// Operations about custom tools and channels: which files there are and why one is not used; allow and disallow.
import * as z from "zod";
import { yesOrNo } from "../../bus/ask.ts";
import type { CodeFile } from "../../guards/code/trusted-code.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { toPlainLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { loadOwnChannels } from "../channels/own-channels.ts";
import { type OperationRun, operation } from "../operation.ts";
import { loadOwnTools } from "./foreign-tools.ts";
import {
  findOwnProblem,
  type OwnCodeFile,
  type OwnCodeKind,
  type OwnCodePlace,
  openOwnCode,
} from "./own-code.ts";

export interface ExtensionFile extends Omit<OwnCodeFile, "problem"> {
  /** Why it is not used. */
  problem?: Phrase;
}

const kind = z.enum(["tools", "channels"]);
const named = z.strictObject({ kind, name: z.string().min(1).max(500) });
const longestShown = 80;

const listExtensions = operation({
  name: "extensions.list",
  about: "The files with custom tools or channels, what each brings, and why one is not used.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ kind }),
  run: async (services, params): Promise<{ files: ExtensionFile[] }> => ({
    files: await readExtensions(params.kind, services),
  }),
});

const allowExtension = operation({
  name: "extensions.allow",
  about: "Allows a file with all that it imports, after a question, until one of these files changes.",
  access: "owner",
  needs: "installation",
  changes: ["skills", "channels"],
  params: named,
  async *run(services, { kind: of, name }): OperationRun<ExtensionFile> {
    const code = openOwnCode(of, services);
    const file = findFile(name, of, await code.survey());
    if (file.state === "refused") {
      const { kind: reason, subject } = file.problem;
      throw fail(`extensions.${reason}`, { of, subject });
    }
    const covered = [...file.closure.sources].map(
      ([path, source]) => `  ${revealLine(path)} (${source.length})`,
    );
    const question = phrase("extensions.allow", { file: toPlainLine(file.name, longestShown) });
    const answer = yield {
      type: "question",
      question: { phrase: question, detail: covered.join("\n"), choices: yesOrNo },
    };
    if (answer !== "yes") throw fail("extensions.not-allowed");
    await code.allow(file.name, file.closure);
    const allowed = (await readExtensions(of, services)).find((each) => each.file === file.name);
    if (allowed === undefined) throw toUnknown(name, of, []);
    return allowed;
  },
});

const removeExtension = operation({
  name: "extensions.remove",
  about: "Takes back that a file was allowed. The file itself stays.",
  access: "owner",
  needs: "installation",
  changes: ["skills", "channels"],
  params: named,
  async run(services, { kind: of, name }) {
    const code = openOwnCode(of, services);
    const file = findFile(name, of, await code.survey());
    await code.remove(file.name);
    return { file: file.name };
  },
});

export const extensionOperations = [listExtensions, allowExtension, removeExtension] as const;

export async function readExtensions(of: OwnCodeKind, place: OwnCodePlace): Promise<ExtensionFile[]> {
  const { files } = await (of === "tools" ? loadOwnTools(place) : loadOwnChannels(place));
  return files.map((file) => toExtensionFile(file, of));
}

export function toExtensionFile(file: OwnCodeFile, of: OwnCodeKind): ExtensionFile {
  const { problem: _, ...known } = file;
  const problem = findOwnProblem(file, of);
  return { ...known, ...(problem && { problem }) };
}

/** By its name, with or without its ending. */
function findFile(name: string, of: OwnCodeKind, files: CodeFile[]): CodeFile {
  const file = files.find((each) => each.name === name || each.name.replace(/\.m?[jt]s$/, "") === name);
  if (file === undefined) throw toUnknown(name, of, files);
  return file;
}

function toUnknown(name: string, of: OwnCodeKind, files: CodeFile[]) {
  const nearest = findNearest(
    name,
    files.map((each) => each.name),
  );
  return fail("extensions.unknown", {
    of,
    name: toPlainLine(name, longestShown),
    ...(nearest !== undefined && { nearest: toPlainLine(nearest, longestShown) }),
  });
}
