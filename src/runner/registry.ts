// The tools by name, in an order that never changes: built-in ones sorted, then foreign ones sorted.
import { findNearest } from "../lib/nearest.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { Tool } from "./tool.ts";

export class ToolRegistry {
  readonly #own: readonly Tool[];
  #tools: Map<string, Tool>;
  #hidden = new Map<string, Tool>();

  constructor(tools: Iterable<Tool>) {
    this.#own = [...tools];
    this.#tools = toSortedMap(this.#own);
    if (this.#tools.size !== this.#own.length) throw new Error("two tools have the same name");
  }

  /** Tools from outside come and go; ours win. Hidden ones can be called, but the model is not told of them. */
  replaceForeign({ listed, hidden }: { listed: Tool[]; hidden: Tool[] }): void {
    this.#tools = toSortedMap([...listed, ...this.#own]);
    this.#hidden = toSortedMap(hidden);
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#hidden.get(name);
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Fresh copies, so that nobody can change a tool through its definition. Made once where they are needed often. */
  definitions(): ToolDefinition[] {
    return [...this.#tools.values()].map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: structuredClone(parameters.jsonSchema),
    }));
  }

  /** What the model reads when it calls a tool that is not there. */
  describeUnknown(name: string): string {
    const nearest = findNearest(name, [...this.names, ...this.#hidden.keys()]);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    return `There is no tool "${name}".${hint} Names must match exactly. Available: ${this.names.join(", ")}.`;
  }
}

function toSortedMap(tools: readonly Tool[]): Map<string, Tool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return new Map([...byName.values()].sort(compareTools).map((tool) => [tool.name, tool]));
}

function compareTools(a: Tool, b: Tool): number {
  const [foreignA, foreignB] = [isForeign(a), isForeign(b)];
  if (foreignA !== foreignB) return foreignA ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}

function isForeign(tool: Tool): boolean {
  return tool.name.startsWith("mcp_");
}
