// Dream's second phase: the runner edits the staged copy with three small tools. Nothing else is in its reach.
import type { Ids } from "../lib/ids.ts";
import type { Message } from "../llm/types.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { AgentRunner } from "../runner/runner.ts";
import { type Tool, ToolError } from "../runner/tool.ts";
import { createEditFile } from "../tools/edit-file.ts";
import { createReadFile } from "../tools/read-file.ts";
import { createWriteFile } from "../tools/write-file.ts";
import type { DreamFailure, DreamModel } from "./dream-analysis.ts";
import { type DreamStage, dreamOrigin } from "./dream-stage.ts";

export interface DreamEditorOptions {
  stage: DreamStage;
  /** Files that exist or may be begun. */
  files: readonly string[];
  /** Files of new skills. */
  skills: readonly string[];
  system: string;
  model: DreamModel;
  runner: AgentRunner;
  ids: Ids;
  sessionKey: string;
  signal: AbortSignal;
}

const mostSteps = 15;

export class DreamEditor {
  readonly #options: DreamEditorOptions;
  readonly #tools: ToolRegistry;
  readonly #messages: Message[];

  constructor(options: DreamEditorOptions) {
    this.#options = options;
    this.#tools = createTools(options);
    this.#messages = [{ role: "system", content: options.system }];
  }

  /** Runs until the model has nothing more to do; undefined when all went well. */
  async say(content: string): Promise<DreamFailure | undefined> {
    const { model, runner, ids, sessionKey, signal } = this.#options;
    this.#messages.push({ role: "user", content });
    const events = runner.run({
      ...model,
      turnId: ids.next(),
      sessionKey,
      origin: dreamOrigin,
      messages: this.#messages,
      tools: this.#tools,
      toolDefinitions: this.#tools.definitions(),
      maxSteps: mostSteps,
      signal,
      ask: async () => ({ isAllowed: false, scope: "once", reason: "nobody is there to be asked" }),
    });
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        signal.throwIfAborted();
        if (value.stop === "completed") return undefined;
        return value.error === undefined
          ? { reason: "unfinished", detail: value.stop }
          : { reason: "model", detail: value.error.message };
      }
      if (value.type === "message") this.#messages.push(value.message);
    }
  }
}

function createTools({ stage, files, skills }: DreamEditorOptions): ToolRegistry {
  const { roots } = stage;
  const write = createWriteFile(roots) as Tool;
  const description = "Writes the SKILL.md of a new skill. Never replaces one that exists.";
  const tools = [
    createReadFile(roots) as Tool,
    confine(createEditFile(roots) as Tool, stage, [...files, ...skills]),
    ...(skills.length === 0 ? [] : [confine({ ...write, description }, stage, skills)]),
  ];
  return new ToolRegistry(tools);
}

function confine(tool: Tool, { roots }: DreamStage, paths: readonly string[]): Tool {
  return {
    ...tool,
    async execute(args, context) {
      for (const effect of tool.effects?.(args) ?? []) {
        if (effect.type !== "write") continue;
        const shown = roots.display(await roots.resolveWrite(effect.path, dreamOrigin), dreamOrigin);
        if (!paths.includes(shown))
          throw new ToolError(`${tool.name} may only write ${paths.join(", ")}. Use one of these paths.`);
      }
      return tool.execute(args, context);
    },
  };
}
