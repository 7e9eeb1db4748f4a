// What every command about memory is given, and how it answers.
import type { MemoryOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";
import type { OpenedMemory } from "./open-memory.ts";

export { render, tell } from "../tell.ts";

export interface MemoryRequest extends OpenedMemory {
  /** What stands behind the action. */
  text: string;
  options: MemoryOptions;
  context: CommandContext;
}
