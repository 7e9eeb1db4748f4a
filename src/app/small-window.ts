// Small models have small windows: the tools that they are told of must not fill them.
import type { ToolDefinition } from "../llm/types.ts";

const smallWindow = 8_192;

/** With these everything can still be done, if less comfortably. */
const essential = new Set(["read_file", "write_file", "list_dir", "exec"]);

export function chooseTools(tools: ToolDefinition[], contextWindow: number): ToolDefinition[] {
  return contextWindow < smallWindow ? tools.filter(({ name }) => essential.has(name)) : tools;
}
