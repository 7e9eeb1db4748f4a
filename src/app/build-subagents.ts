// What subagents do their turns with: a short prompt, and the tools of the assistant without those that reach beyond a turn.
import type { AgentLoopOptions } from "../agent/loop-options.ts";
import type { TurnDependencies } from "../agent/turn-dependencies.ts";
import type { ToolDefinition } from "../llm/types.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { Tool } from "../runner/tool.ts";
import type { Context } from "./build-context.ts";
import type { Sockets } from "./build-sockets.ts";
import { buildUpkeep, type UpkeepParts } from "./build-upkeep.ts";

export interface SubagentParts extends UpkeepParts, Pick<Context, "subagentEpochs"> {
  /** Of the assistant. */
  tools: ToolRegistry;
  toolDefinitions: TurnDependencies["toolDefinitions"];
  sockets: Pick<Sockets, "showSubagent">;
}

/** One level only; they speak to nobody but their parent, and plan nothing. */
const withheld = new Set(["spawn", "message", "cron"]);

export function buildSubagents(parts: SubagentParts): AgentLoopOptions["subagents"] {
  const { loaded, subagentEpochs: epochs, tools } = parts;
  const chosen = new WeakMap<ToolDefinition[], ToolDefinition[]>();
  return {
    most: loaded.config.agents.defaults.maxConcurrentSubagents,
    onChange: (subagent) => parts.sockets.showSubagent(subagent),
    turns: {
      epochs,
      // Nobody tells it to stay, so that nothing is archived: of their conversations only the results count.
      upkeep: buildUpkeep({ ...parts, epochs }),
      tools: new OtherTools(tools),
      async toolDefinitions(signal) {
        const all = await parts.toolDefinitions(signal);
        const own = chosen.get(all) ?? all.filter(({ name }) => !withheld.has(name));
        chosen.set(all, own);
        return own;
      },
    },
  };
}

/** The tools as they are at the moment, but for those that are withheld. */
class OtherTools extends ToolRegistry {
  readonly #all: ToolRegistry;

  constructor(all: ToolRegistry) {
    super([]);
    this.#all = all;
  }

  override get(name: string): Tool | undefined {
    return withheld.has(name) ? undefined : this.#all.get(name);
  }

  override get names(): string[] {
    return this.#all.names.filter((name) => !withheld.has(name));
  }
}
