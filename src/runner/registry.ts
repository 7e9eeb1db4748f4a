// The tools by name, in an order that never changes: built-in ones sorted, then the person's own, then foreign ones.
import { findNearest } from "../lib/language/nearest.ts";
import type { ToolDefinition } from "../llm/types.ts";
import type { Tool } from "./tool.ts";

export class ToolRegistry {
  readonly #builtIn: Tool[] = [];
  #own: readonly Tool[] = [];
  #foreign: readonly Tool[] = [];
  #tools = new Map<string, Tool>();
  #hidden = new Map<string, Tool>();

  constructor(tools: readonly Tool[] = []) {
    this.add(tools);
  }

  /** Built-in tools, before the first definitions are read. */
  add(tools: readonly Tool[]): void {
    this.#builtIn.push(...tools);
    if (new Set(this.#builtIn.map(({ name }) => name)).size !== this.#builtIn.length)
      throw new Error("two tools have the same name");
    this.#merge();
  }

  /** Those that the person wrote come and go; others of the same name win. */
  replaceOwn(own: Tool[]): void {
    this.#own = own;
    this.#merge();
  }

  /** Tools from outside come and go; ours win. Hidden ones can be called, but are not sent to the model. */
  replaceForeign({ listed, hidden }: { listed: Tool[]; hidden: Tool[] }): void {
    this.#foreign = listed;
    this.#hidden = toSortedMap(hidden);
    this.#merge();
  }

  #merge(): void {
    this.#tools = toSortedMap([...this.#own, ...this.#foreign, ...this.#builtIn], new Set(this.#own));
  }

  /** A copy with these as well; of the same name they win. */
  with(tools: readonly Tool[]): ToolRegistry {
    const copy = new ToolRegistry();
    copy.#tools = new Map([...this.#tools, ...tools.map((tool) => [tool.name, tool] as const)]);
    copy.#hidden = this.#hidden;
    return copy;
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#hidden.get(name);
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Fresh copies, so that a tool cannot be changed through its definition. Made once where they are needed often. */
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

function toSortedMap(tools: readonly Tool[], own: ReadonlySet<Tool> = new Set()): Map<string, Tool> {
  const rank = (tool: Tool) => (own.has(tool) ? 1 : tool.name.startsWith("mcp_") ? 2 : 0);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const sorted = [...byName.values()].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  return new Map(sorted.map((tool) => [tool.name, tool]));
}
