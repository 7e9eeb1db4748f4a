// The tool notebook_edit: one cell of a Jupyter notebook inserted, replaced or deleted, and the rest left as it was.

import { createHash } from "node:crypto";
import * as z from "zod";
import { toMissingError } from "../../guards/files/file-error.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { toOneLine, toWellFormed } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, ToolError } from "../../runner/tool.ts";
import { decodeText } from "./file-content.ts";
import { type JsonMember, readMembers, skipSpace } from "./json-members.ts";

const largestNotebook = 20 * 1024 * 1024;

const cellTypes = ["code", "markdown", "raw"] as const;
type CellType = (typeof cellTypes)[number];

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

export interface CellEdit {
  mode: "replace" | "insert" | "delete";
  /** Index from 0, or id. */
  cell?: string;
  source?: string;
  cell_type?: CellType;
  /** What a new id is made from. */
  seed: string;
}

/** Where a cell stands, and what is known of it. */
interface Cell extends JsonMember {
  value: Record<string, unknown>;
}

interface Notebook {
  text: string;
  cells: Cell[];
  /** The list of cells itself. */
  list: JsonMember;
  /** One step of indentation; undefined where all is in one line. */
  unit?: string;
  lineEnd: string;
  hasIds: boolean;
}

/** A cell's keys with their values as JSON text, in the order of the file. */
type Fields = Map<string, string>;

export function createNotebook(edit: CellEdit): string {
  const empty = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';
  return editNotebook(empty, edit).text;
}

/** Throws ToolError if it is not a notebook, or has no such cell. */
export function editNotebook(text: string, edit: CellEdit): { text: string; report: string } {
  const notebook = readNotebook(text);
  if (edit.mode === "insert") return insertCell(notebook, edit);
  const index = findCell(notebook, edit.cell);
  const cell = notebook.cells[index];
  if (cell === undefined) throw new ToolError("Give the cell: its index from 0, or its id.");
  return edit.mode === "delete" ? deleteCell(notebook, index) : replaceCell(notebook, cell, edit);
}

function readNotebook(text: string): Notebook {
  const root = parseJson(text);
  if (!isRecord(root) || root.nbformat !== 4 || !Array.isArray(root.cells) || !root.cells.every(isRecord))
    throw new ToolError("This is no notebook of format 4. Convert it with jupyter nbconvert --to notebook.");
  const open = skipSpace(text, 0);
  const list = readMembers(text, open).findLast(({ key }) => key === "cells");
  const { cells: values, nbformat_minor: minor } = root;
  if (list === undefined) throw new Error("the cells of a notebook were not found");
  const cells = readMembers(text, list.start).map((member, index) => ({
    ...member,
    value: values[index] ?? {},
  }));
  const unit = /^\{\r?\n([ \t]+)/.exec(text.slice(open, open + 100))?.[1];
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return { text, cells, list, unit, lineEnd, hasIds: typeof minor === "number" && minor >= 5 };
}

/** -1 where no cell was named. */
function findCell({ cells }: Notebook, name: string | undefined): number {
  if (name === undefined || name === "") return -1;
  const named = cells.flatMap(({ value }, index) => (value.id === name ? [index] : []));
  if (named.length > 1) throw new ToolError(`Several cells have the id ${name}. Give the index instead.`);
  const index = named[0] ?? (/^\d{1,6}$/.test(name) ? Number(name) : -1);
  if (index >= 0 && index < cells.length) return index;
  const ids = cells.flatMap(({ value: { id } }) => (typeof id === "string" ? [id] : [])).slice(0, 50);
  const known = ids.length === 0 ? "" : `; ids ${toOneLine(ids.join(", "), 500)}`;
  throw new ToolError(
    `There is no cell ${toOneLine(name, 60)}: the notebook has ${cells.length}, from 0${known}.`,
  );
}

function insertCell(notebook: Notebook, edit: CellEdit): { text: string; report: string } {
  const { cells, list } = notebook;
  if (edit.source === undefined) throw new ToolError("Give the source of the new cell.");
  const cellIndex = edit.cell === String(cells.length) ? -1 : findCell(notebook, edit.cell);
  const index = cellIndex === -1 ? cells.length : cellIndex;
  const type = edit.cell_type ?? "code";
  const fields: Fields = new Map([["cell_type", JSON.stringify(type)]]);
  const cell = render(notebook, settle(notebook, fields, { ...edit, cell_type: type }));
  const gap = indent(notebook, 2);
  const [next, last] = [cells[index], cells.at(-1)];
  const report = `Inserted cell ${index}`;
  if (next !== undefined) return done(notebook, [next.start, next.start], `${cell},${gap}`, report);
  if (last !== undefined) return done(notebook, [last.end, last.end], `,${gap}${cell}`, report);
  return done(notebook, [list.start, list.end], `[${gap}${cell}${indent(notebook, 1)}]`, report);
}

function deleteCell(notebook: Notebook, index: number): { text: string; report: string } {
  const { cells, list } = notebook;
  const [previous, cell, next] = [cells[index - 1], cells[index], cells[index + 1]];
  const report = `Deleted cell ${index}; ${cells.length - 1} are left`;
  if (cell === undefined) throw new Error("the cell was not found");
  if (next !== undefined) return done(notebook, [cell.start, next.start], "", report);
  if (previous !== undefined) return done(notebook, [previous.end, cell.end], "", report);
  return done(notebook, [list.start, list.end], "[]", report);
}

function replaceCell(notebook: Notebook, cell: Cell, edit: CellEdit): { text: string; report: string } {
  const { text, cells } = notebook;
  if (edit.source === undefined && edit.cell_type === undefined)
    throw new ToolError("Give the new source, or another cell_type.");
  const members = readMembers(text, cell.start);
  const fields: Fields = new Map(members.map(({ key = "", start, end }) => [key, text.slice(start, end)]));
  const replaced = render(notebook, settle(notebook, fields, edit));
  const hasOutputs = Array.isArray(cell.value.outputs) && cell.value.outputs.length > 0;
  const report = `Replaced cell ${cells.indexOf(cell)}${hasOutputs ? "; its outputs are cleared" : ""}`;
  return done(notebook, [cell.start, cell.end], replaced, report);
}

/** What the format asks of a cell of its type, with the outputs of what it was before gone. */
function settle(notebook: Notebook, fields: Fields, { source, cell_type, seed }: CellEdit): Fields {
  if (cell_type !== undefined) fields.set("cell_type", JSON.stringify(cell_type));
  const isCode = parseJson(fields.get("cell_type") ?? "") === "code";
  if (isCode) fields.set("execution_count", "null").delete("attachments");
  else for (const key of ["execution_count", "outputs"]) fields.delete(key);
  if (notebook.hasIds && !fields.has("id")) fields.set("id", JSON.stringify(createId(notebook, seed)));
  if (!fields.has("metadata")) fields.set("metadata", "{}");
  if (isCode) fields.set("outputs", "[]");
  if (source !== undefined) fields.set("source", renderLines(notebook, source));
  return fields;
}

function createId({ cells }: Notebook, seed: string): string {
  const taken = new Set(cells.map(({ value }) => value.id));
  for (let round = 0; ; round++) {
    const id = createHash("sha256").update(`${seed} ${round}`).digest("hex").slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

/** A list of lines, each with its end, as Jupyter writes it. */
function renderLines(notebook: Notebook, source: string): string {
  const lines = source.replaceAll("\r\n", "\n").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (lines.length === 0) return "[]";
  const items = lines.map((line) => indent(notebook, 4) + JSON.stringify(line));
  return `[${items.join(",")}${indent(notebook, 3)}]`;
}

function render(notebook: Notebook, fields: Fields): string {
  const colon = notebook.unit === undefined ? ":" : ": ";
  const members = [...fields].map(([key, json]) => indent(notebook, 3) + JSON.stringify(key) + colon + json);
  return `{${members.join(",")}${indent(notebook, 2)}}`;
}

function indent({ unit, lineEnd }: Notebook, depth: number): string {
  return unit === undefined ? "" : lineEnd + unit.repeat(depth);
}

function done(
  { text }: Notebook,
  [from, to]: readonly [number, number],
  replacement: string,
  report: string,
): { text: string; report: string } {
  return { text: text.slice(0, from) + replacement + text.slice(to), report };
}
