// The list of built-in tools. A new one is a file next to this one and a row here.
import type { FileRoots } from "../guards/files/file-roots.ts";
import { systemClock } from "../lib/clock.ts";
import type { Tool } from "../runner/tool.ts";
import { createExec, type ExecOptions } from "./commands/exec.ts";
import { createProcess } from "./commands/process.ts";
import { ProcessTable } from "./commands/process-table.ts";
import { createEditFile } from "./files/edit-file.ts";
import { createGrep } from "./files/grep.ts";
import { createGlob, createListDir } from "./files/list-files.ts";
import { createNotebookEdit } from "./files/notebook-edit.ts";
import { createReadFile } from "./files/read-file.ts";
import { createWriteFile } from "./files/write-file.ts";
import { createMemoryRead, createMemorySearch, type ReadMemory, type SearchMemory } from "./memory.ts";
import { createWebFetch, type WebFetchOptions } from "./web/web-fetch.ts";
import { createWebSearch, type WebSearchOptions } from "./web/web-search.ts";

export type WebToolsOptions = WebFetchOptions & WebSearchOptions;

export interface ToolsOptions {
  roots: FileRoots;
  /** False leaves out everything that reads or writes files. Default true. */
  hasFiles?: boolean;
  /** Absent: no commands. */
  exec?: ExecOptions;
  /** Absent: nothing is recalled. */
  memory?: { search: SearchMemory; read: ReadMemory };
  /** Absent: no web. */
  web?: WebToolsOptions;
}

/** Those that need nothing but files. */
const fileTools = [
  createReadFile,
  createWriteFile,
  createEditFile,
  createNotebookEdit,
  createListDir,
  createGlob,
  createGrep,
];

/** Names of the built-in tools that a config enables, for skills that require some. */
export function listToolNames(config: {
  file: Enabled;
  exec: Enabled;
  web: Enabled;
  imageGeneration?: { enabled: boolean };
}): string[] {
  const { file, exec, web, imageGeneration } = config;
  return [
    ...(file.enable
      ? ["read_file", "write_file", "edit_file", "notebook_edit", "list_dir", "glob", "grep"]
      : []),
    ...(exec.enable ? ["exec", "process"] : []),
    ...(web.enable ? ["web_fetch", "web_search"] : []),
    "memory_search",
    "memory_read",
    "message",
    "spawn",
    "cron",
    "goal",
    ...(imageGeneration?.enabled ? ["generate_image"] : []),
  ];
}

interface Enabled {
  enable: boolean;
}

/** Bare tools; app/ wraps the guards around them. */
export function createTools({ roots, hasFiles = true, exec, memory, web }: ToolsOptions): Tool[] {
  const tools: Tool[] = hasFiles ? fileTools.map((create) => create(roots) as Tool) : [];
  if (exec !== undefined) {
    const { clock = systemClock, processes = new ProcessTable(clock) } = exec;
    tools.push(createExec(roots, { ...exec, processes }) as Tool, createProcess(processes, clock) as Tool);
  }
  if (memory !== undefined) {
    tools.push(createMemorySearch(memory.search) as Tool, createMemoryRead(memory.read) as Tool);
  }
  if (web !== undefined) tools.push(createWebFetch(web) as Tool, createWebSearch(web) as Tool);
  return tools;
}
