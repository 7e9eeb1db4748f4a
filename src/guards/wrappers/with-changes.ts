// Asks what a call changes, once, for everyone who wants to know: undo, labels. File tools say it beforehand; of a command
// it is found out. Judges effects, never names.
import type { Effect, ToolContext, ToolWrapper } from "../../runner/tool.ts";
import type { Changes, CommandChanges } from "../../storage/changes/command-changes.ts";
import type { TurnPlace, UndoLog } from "../../storage/changes/undo-log.ts";
import type { HomeDurability } from "../../storage/durability.ts";
import { scopeOf } from "../../storage/scope.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { findProtectedPlace } from "../files/protected-places.ts";
import type { CommandFacts } from "../labels/incoming-labels.ts";

interface ChangesOptions {
  roots: FileRoots;
  changes: CommandChanges;
  undo: UndoLog;
  commands: CommandFacts;
  /** Written by the assistant itself at any time, and by no command: not undone with one. By its real path. */
  isPromptFile(path: string, context: ToolContext): boolean;
  /** Called before a call; the function that it returns gets what commands changed. */
  users?: ReadonlyArray<(effects: readonly Effect[], context: ToolContext) => Promise<TellChanges>>;
}

export type TellChanges = (changes: Changes) => Promise<void>;

export function withChanges(options: ChangesOptions): ToolWrapper {
  const { roots, changes, undo, users = [] } = options;

  async function watchWrites(effects: readonly Effect[], context: ToolContext): Promise<() => Promise<void>> {
    const paths = effects.flatMap((effect) => (effect.type === "write" ? [effect.path] : []));
    const resolved = await Promise.all(paths.map((path) => roots.resolveWrite(path, context.origin)));
    const taken = await Promise.all(resolved.map(async (path) => ({ path, before: await undo.take(path) })));
    return async () => {
      for (const { path, before } of taken) {
        changes.noteWrite(path);
        await undo.recordChange(toPlace(context), path, before);
      }
    };
  }

  async function watchCommands(
    effects: readonly Effect[],
    context: ToolContext,
  ): Promise<() => Promise<void>> {
    const runs = effects.filter((effect) => effect.type === "run");
    const isQuiet = await Promise.all(runs.map((run) => options.commands.isReadOnly(run, context)));
    const note = async () => {
      for (const { command } of runs) await undo.recordCommand(toPlace(context), command);
    };
    if (isQuiet.every(Boolean)) return note;
    const root = roots.rootFor(context.origin);
    const isTheirs = (path: string) =>
      findProtectedPlace(path) === undefined && !options.isPromptFile(`${root}/${path}`, context);
    const tell = await Promise.all(users.map((user) => user(effects, context)));
    const watch = await changes.begin(root, isTheirs);
    return async () => {
      const found = await watch.end();
      for (const user of tell) await user(found);
      const list = found.list.filter(
        ({ path, from }) => isTheirs(path) && (from === undefined || isTheirs(from)),
      );
      await undo.recordChanges(toPlace(context), { ...found, list });
      await note();
    };
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const declared = effects(args);
        const recordWrites = await watchWrites(declared, context);
        const recordCommands = await watchCommands(declared, context);
        try {
          return await tool.execute(args, context);
        } finally {
          await recordWrites();
          await recordCommands();
        }
      },
    };
  };
}

function toPlace({ sessionKey, turnId, origin }: ToolContext): TurnPlace {
  return { scope: scopeOf(origin), sessionKey, turnId };
}

export function withHeldHome(durability: () => HomeDurability): ToolWrapper {
  return (tool) => {
    if (tool.readOnly === true) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const engine = durability();
        engine.assertHeld();
        try {
          return await tool.execute(args, context);
        } finally {
          if (tool.effects?.(args).some(isOpaque) ?? true) engine.mayHaveChanged();
        }
      },
    };
  };
}

/** Commands and programs of others do not say which files they change. */
function isOpaque({ type }: Effect): boolean {
  return type === "run" || type === "call";
}
