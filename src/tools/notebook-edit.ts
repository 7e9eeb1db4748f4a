// The tool notebook_edit: one cell of a Jupyter notebook inserted, replaced or deleted, and the rest left as it was.
import * as z from "zod";
import { toMissingError } from "../guards/file-error.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import { toWellFormed } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, ToolError } from "../runner/tool.ts";
import { decodeText } from "./decoded-text.ts";
import { type CellEdit, type CellType, cellTypes, createNotebook, editNotebook } from "./notebook.ts";

const largestNotebook = 20 * 1024 * 1024;

/** A refinement is checked, but costs no tokens in the schema. */
const isCellType = (type: string): type is CellType => cellTypes.some((known) => known === type);

const parameters = z.object({
  path: z.string(),
  mode: z.enum(["replace", "insert", "delete"]),
  cell: z.string().optional().describe("Index from 0, or id; insert: before it, or last"),
  source: z.string().optional(),
  cell_type: z
    .string()
    .refine(isCellType, `must be one of ${cellTypes.join(", ")}`)
    .optional(),
});

export function createNotebookEdit(roots: FileRoots): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "notebook_edit",
    description: "Edits a Jupyter notebook.",
    parameters,
    effects: ({ path }) => [{ type: "write", path }],
    async execute({ path, source, ...args }, { origin, callId }) {
      const edit = { ...args, source: source === undefined ? undefined : toWellFormed(source), seed: callId };
      let report = "";
      const written = await roots.updateInside(path, origin, async (current) => {
        if (current === undefined && edit.mode === "insert" && (edit.cell ?? "0") === "0")
          return createNotebook(edit);
        if (current === undefined) throw await toMissingError(await roots.resolveRead(path, origin), path);
        const edited = editBytes(current, path, edit);
        report = edited.report;
        return edited.bytes;
      });
      const shown = roots.display(written, origin);
      return { content: report === "" ? `Created ${shown}.` : `${report} in ${shown}.` };
    },
  });
}

function editBytes(bytes: Buffer, path: string, edit: CellEdit): { bytes: Buffer; report: string } {
  if (bytes.length > largestNotebook) throw new ToolError(`${path} is over 20 MB. Clear its outputs first.`);
  const decoded = decodeText(bytes);
  if (typeof decoded === "string") throw new ToolError(`${path} ${decoded}, so it is no notebook.`);
  const { text, report } = editNotebook(decoded.text, edit);
  if (text === decoded.text) throw new ToolError("The edit would change nothing. Go on without it.");
  return { bytes: decoded.encode(text), report };
}
