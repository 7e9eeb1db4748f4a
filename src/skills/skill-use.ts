// Counts how often the skills that the assistant wrote are read, and whether the turn went well afterwards: what a
// revision is measured by. Keeps names and counts, nothing of what was said.
import type { FileRoots } from "../guards/files/file-roots.ts";
import { toRealRoot } from "../guards/files/real-path.ts";
import type { Log } from "../lib/log.ts";
import type { TurnStop } from "../runner/events.ts";
import type { ToolContext, ToolResult, ToolWrapper } from "../runner/tool.ts";
import type { SkillLearning } from "../storage/documents/skill-learning.ts";
import type { SkillsLoader } from "./loader.ts";
import type { SkillEntry } from "./skill.ts";

export interface SkillUseOptions {
  skills: Pick<SkillsLoader, "survey">;
  roots: Pick<FileRoots, "resolveRead">;
  learning: SkillLearning;
  log: Log;
}

/** Of a turn in which a skill was read. */
interface OpenTurn {
  /** Hashes by name. */
  read: Map<string, string>;
  failedTool?: string;
}

/** Turns that never ended, because the program did, are dropped. */
const mostTurns = 100;

/** Dream may propose to revise it: it is of the workspace, and the assistant wrote it. */
export function isOwnSkill({ source, isOwn }: Pick<SkillEntry, "source" | "isOwn">): boolean {
  return source === "workspace" && isOwn;
}

export class SkillUseCounter {
  readonly #options: SkillUseOptions;
  readonly #turns = new Map<string, OpenTurn>();

  constructor(options: SkillUseOptions) {
    this.#options = options;
  }

  readonly record: ToolWrapper = (tool) => ({
    ...tool,
    execute: async (args, context) => {
      const result = await tool.execute(args, context).catch((error: unknown) => {
        this.#note(tool.name, context, { content: "", isError: true });
        throw error;
      });
      this.#note(tool.name, context, result);
      if (tool.name !== "read_file" || result.isError === true) return result;
      for (const effect of tool.effects?.(args) ?? [])
        if (effect.type === "read" && effect.path.endsWith("SKILL.md"))
          await this.#noteRead(effect.path, context);
      return result;
    },
  });

  /** A turn has ended. What cannot be stored is not counted. */
  async finish(turnId: string, stop: TurnStop): Promise<void> {
    const turn = this.#turns.get(turnId);
    this.#turns.delete(turnId);
    if (turn === undefined) return;
    const { read, failedTool } = turn;
    const isSuccess = stop === "completed" && failedTool === undefined;
    const { learning, log } = this.#options;
    await learning
      .count(read, { isSuccess, ...(failedTool !== undefined && { failedTool }) })
      .catch((error: unknown) => log.warn("skill-use-not-kept", { error }));
  }

  #note(tool: string, { turnId }: ToolContext, { isError = false }: ToolResult): void {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return;
    if (isError) turn.failedTool = tool;
    else delete turn.failedTool;
  }

  async #noteRead(path: string, { origin, turnId }: ToolContext): Promise<void> {
    const real = await this.#options.roots.resolveRead(path, origin);
    const entries = (await this.#options.skills.survey()).list();
    const entry = entries.find((each) => isOwnSkill(each) && toRealRoot(each.path) === real);
    if (entry === undefined) return;
    const turn = this.#turns.get(turnId) ?? { read: new Map() };
    turn.read.set(entry.name, entry.hash);
    this.#turns.set(turnId, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostTurns && oldest !== undefined) this.#turns.delete(oldest);
  }
}
