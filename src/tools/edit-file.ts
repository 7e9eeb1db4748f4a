// The tool edit_file: replaces a passage of a text file and leaves every other byte as it was.
import * as z from "zod";
import { toMissingError } from "../guards/file-error.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import { isBlank, toWellFormed } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, ToolError } from "../runner/tool.ts";
import { decodeText } from "./decoded-text.ts";
import { type PlainText, toLineFeeds, toPlainText } from "./line-ends.ts";
import { findMatches, type Matches, type TextMatch } from "./match-text.ts";
import { diffRegion, findNearestRegion } from "./nearest-region.ts";
import { lineAt, selectMatches } from "./select-matches.ts";

const parameters = z.object({
  path: z.string(),
  old_text: z.string().describe('Without line numbers; "" fills a new or blank file'),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
  occurrence: z.int().min(1).optional().describe("Which match, from 1"),
  line_hint: z.int().min(1).optional(),
  expected_replacements: z.int().min(1).optional(),
});

type Arguments = z.output<typeof parameters>;

export function createEditFile(roots: FileRoots): Tool<Arguments> {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces text in a file. old_text must occur once, unless a selector is given; indentation and quote style may differ.",
    parameters,
    effects: ({ path, old_text, new_text }) => [
      { type: "write", path, text: new_text, ...(old_text !== "" && { replaces: old_text }) },
    ],
    async execute(args, { origin }) {
      let report = "";
      const written = await roots.updateInside(args.path, origin, async (current) => {
        if (args.old_text === "") return fillFile(current, args);
        if (current === undefined)
          throw await toMissingError(await roots.resolveRead(args.path, origin), args.path);
        const edited = await editBytes(current, args);
        report = edited.report;
        return edited.bytes;
      });
      const shown = roots.display(written, origin);
      return { content: report === "" ? `Created ${shown}.` : `Edited ${shown}: ${report}` };
    },
  });
}

function fillFile(current: Buffer | undefined, { path, new_text }: Arguments): string {
  if (current !== undefined && !isBlank(current.toString("utf8"))) {
    throw new ToolError(`${path} is not empty. Give the passage to replace as old_text, or use write_file.`);
  }
  if (new_text === "") throw new ToolError("old_text and new_text are both empty. Give the text to write.");
  return toWellFormed(new_text);
}

async function editBytes(bytes: Buffer, args: Arguments): Promise<{ bytes: Buffer; report: string }> {
  const decoded = decodeText(bytes);
  if (typeof decoded === "string") {
    throw new ToolError(`${args.path} ${decoded}, so it cannot be edited here. Convert it to UTF-8 first.`);
  }
  const plain = toPlainText(decoded.text);
  const oldText = toLineFeeds(args.old_text);
  const newText = toWellFormed(toLineFeeds(args.new_text));
  if (oldText === newText)
    throw new ToolError("old_text and new_text are the same. Give a different new_text.");
  const { how, matches } = findMatches(plain.text, oldText, newText);
  if (matches.length === 0) throw new ToolError(await describeAbsence(plain.text, oldText, args.path));
  const selected = selectMatches(plain.text, matches, args);
  const text = applyMatches(decoded.text, plain, selected);
  if (text === decoded.text) {
    throw new ToolError("The edit would change nothing: the file already reads like that. Go on without it.");
  }
  return { bytes: decoded.encode(text), report: describeChange(plain.text, selected, how) };
}

function applyMatches(original: string, plain: PlainText, matches: TextMatch[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, replacement } of matches) {
    const fitted = plain.lineEnd === "\n" ? replacement : replacement.replaceAll("\n", "\r\n");
    pieces.push(original.slice(done, plain.toOriginal(start)), fitted);
    done = plain.toOriginal(end);
  }
  return pieces.join("") + original.slice(done);
}

const shownChanges = 10;

const tolerance: Record<Matches["how"], string> = {
  exact: "",
  whitespace: " Matched without regard to indentation: check the result.",
  quotes: " Matched without regard to quote style: check the result.",
};

/** The lines that changed, numbered as they are now. */
function describeChange(text: string, matches: TextMatch[], how: Matches["how"]): string {
  let shift = 0;
  const changes = matches.slice(0, shownChanges).map(({ start, end, replacement }) => {
    const first = lineAt(text, start) + shift;
    const added = countLineEnds(replacement);
    shift += added - countLineEnds(text.slice(start, end));
    if (replacement === "") return `text removed at line ${first}`;
    const last = first + added - (replacement.endsWith("\n") ? 1 : 0);
    return last > first ? `lines ${first}-${last} changed` : `line ${first} changed`;
  });
  const more = matches.length > shownChanges ? ` and ${matches.length - shownChanges} more places` : "";
  return `${changes.join(", ")}${more}.${tolerance[how]}`;
}

function countLineEnds(text: string): number {
  return text.split("\n").length - 1;
}

async function describeAbsence(text: string, oldText: string, path: string): Promise<string> {
  const hint = /^\s*\d+\| /.test(oldText)
    ? "Leave out the line numbers that read_file adds."
    : "Copy the passage exactly as read_file shows it.";
  const region = findNearestRegion(text, oldText);
  if (region === undefined) return `old_text is not in ${path}, nor anything like it. ${hint}`;
  const { firstLine, lastLine, similarity } = region;
  const diff = await diffRegion(oldText, region.text);
  const share = Math.floor(similarity * 100);
  return `old_text is not in ${path}. Lines ${firstLine}-${lastLine} are ${share} % alike:\n${diff}\n${hint}`;
}
