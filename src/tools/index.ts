// The list of built-in tools. A new one is a file beside this one and a row here.
import type { FileRoots } from "../guards/file-roots.ts";
import { systemClock } from "../lib/clock.ts";
import type { Tool } from "../runner/tool.ts";
import { type CronToolOptions, createCron } from "./cron.ts";
import { createEditFile } from "./edit-file.ts";
import { createExec, type ExecOptions } from "./exec.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { createListDir } from "./list-dir.ts";
import { createMemoryRead, type ReadMemory } from "./memory-read.ts";
import { createMemorySearch, type SearchMemory } from "./memory-search.ts";
import { createMessage, type MessageOptions } from "./message.ts";
import { createNotebookEdit } from "./notebook-edit.ts";
import { createProcess } from "./process.ts";
import { ProcessTable } from "./process-table.ts";
import { createReadFile } from "./read-file.ts";
import { createSpawn, type Spawn } from "./spawn.ts";
import { createWebFetch, type WebFetchOptions } from "./web-fetch.ts";
import { createWebSearch, type WebSearchOptions } from "./web-search.ts";
import { createWriteFile } from "./write-file.ts";

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
  /** Absent: nothing is sent but answers. */
  message?: MessageOptions;
  /** Absent: no subagents. */
  spawn?: Spawn;
  /** Absent: nothing is scheduled. */
  cron?: CronToolOptions;
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

/** Bare tools; the guards are wrapped around them in app/. */
export function createTools({ roots, hasFiles = true, exec, memory, web, ...more }: ToolsOptions): Tool[] {
  const tools: Tool[] = hasFiles ? fileTools.map((create) => create(roots) as Tool) : [];
  if (exec !== undefined) {
    const { clock = systemClock, processes = new ProcessTable(clock) } = exec;
    tools.push(createExec(roots, { ...exec, processes }) as Tool, createProcess(processes, clock) as Tool);
  }
  if (memory !== undefined) {
    tools.push(createMemorySearch(memory.search) as Tool, createMemoryRead(memory.read) as Tool);
  }
  if (web !== undefined) tools.push(createWebFetch(web) as Tool, createWebSearch(web) as Tool);
  if (more.message !== undefined) tools.push(createMessage(roots, more.message) as Tool);
  if (more.spawn !== undefined) tools.push(createSpawn(more.spawn) as Tool);
  if (more.cron !== undefined) tools.push(createCron(more.cron) as Tool);
  return tools;
}
