// Dream's second phase: the runner edits the staged copy with three small tools. Nothing else is in its reach.
import { nobodyToAsk } from "../bus/ask.ts";
import type { Origin } from "../bus/types.ts";
import { createFileRoots, type FileRoots } from "../guards/files/file-roots.ts";
import { toPhrase } from "../llm/errors/provider-error.ts";
import type { Message } from "../llm/types.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { AgentRunner } from "../runner/runner.ts";
import { type Tool, ToolError, type ToolWrapper } from "../runner/tool.ts";
import type { StagedCopy } from "../storage/documents/staged-copy.ts";
import { createEditFile } from "../tools/files/edit-file.ts";
import { createReadFile } from "../tools/files/read-file.ts";
import { createWriteFile } from "../tools/files/write-file.ts";
import type { DreamFailure, DreamVoice } from "./dream-analysis.ts";

export interface DreamEditorOptions extends DreamVoice {
  /** The only place that tools may write to. */
  stage: StagedCopy;
  /** Further folders that may be read. */
  readRoots: readonly string[];
  /** Files that exist or may be begun. */
  files: readonly string[];
  /** Files of new skills. */
  newSkills: readonly string[];
  system: string;
  runner: AgentRunner;
}

const mostSteps = 15;
const whose = { person: "owner", role: "owner" } as const;
const origin: Origin = {
  channel: "dream",
  chatId: "",
  senderId: "",
  ...whose,
  cause: "dream",
  format: "plain",
};

/** Says something to the model and lets it work until it has nothing more to do; undefined when all went well. */
type Say = (content: string) => Promise<DreamFailure | undefined>;

export function createEditor(options: DreamEditorOptions): Say {
  const { system, model, runner, ids, sessionKey, signal } = options;
  const tools = createTools(options);
  const messages: Message[] = [{ role: "system", content: system }];
  return async (content) => {
    messages.push({ role: "user", content });
    const events = runner.run({
      ...model,
      turnId: ids.next(),
      sessionKey,
      origin,
      messages,
      tools,
      toolDefinitions: tools.definitions(),
      maxSteps: mostSteps,
      signal,
      ask: async () => nobodyToAsk,
    });
    let next = await events.next();
    for (; !next.done; next = await events.next())
      if (next.value.type === "message") messages.push(next.value.message);
    signal.throwIfAborted();
    const { stop, error } = next.value;
    if (error !== undefined) return { reason: "model", phrase: toPhrase(error) };
    return stop === "completed" ? undefined : { reason: "unfinished", detail: stop };
  };
}

function createTools({ stage, readRoots, files, newSkills }: DreamEditorOptions): ToolRegistry {
  const roots = createFileRoots({ workspaceFor: () => stage.folder, readRoots, isRestricted: true });
  const description = "Writes the SKILL.md of a new skill. Never replaces one that exists.";
  const write = { ...createWriteFile(roots), description } as Tool;
  return new ToolRegistry([
    createReadFile(roots) as Tool,
    withWritePaths(roots, [...files, ...newSkills])(createEditFile(roots) as Tool),
    ...(newSkills.length === 0 ? [] : [withWritePaths(roots, newSkills)(write)]),
  ]);
}

/** Paths as `roots` shows them. */
function withWritePaths(roots: FileRoots, paths: readonly string[]): ToolWrapper {
  return (tool) => ({
    ...tool,
    async execute(args, context) {
      const { origin } = context;
      for (const effect of tool.effects?.(args) ?? []) {
        if (effect.type !== "write") continue;
        const shown = roots.display(await roots.resolveWrite(effect.path, origin), origin);
        if (!paths.includes(shown))
          throw new ToolError(`${tool.name} may only write ${paths.join(", ")}. Use one of these paths.`);
      }
      return tool.execute(args, context);
    },
  });
}
