// `nanobot memory`: what was ever said and written here, found by words; where a line of memory came from, what was
// changed in it, and the ways back. Needs no model, except to dream.
import { describeExplanation } from "../app/describe-explanation.ts";
import { describeFault } from "../app/describe-versions.ts";
import { VersionError } from "../dream/versions.ts";
import { nanobot } from "../lib/program-command.ts";
import { describeFound } from "../recall/describe-found.ts";
import { CommandFailure } from "./command-failure.ts";
import type { MemoryOptions } from "./command-line.ts";
import { forgetWords } from "./memory/forget-words.ts";
import { openMemory } from "./memory/open-memory.ts";
import { listChanges, restoreVersion, showChange } from "./memory/versions.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

export async function runMemory(options: MemoryOptions, context: CommandContext): Promise<number> {
  const { action } = options;
  const { words } = context.terminal;
  const text = options.words.join(" ").trim();
  const needsWords = action === "search" || action === "why" || action === "forget";
  if (needsWords && text === "")
    throw new CommandFailure(words.memory.needsWords(`${nanobot} memory ${action}`), 2);
  if (action === "dream") return (await import("./memory/dream.ts")).dreamNow(options, context);
  const opened = await openMemory(options, context.terminal);
  const request = { ...opened, text, options, context };
  try {
    switch (action) {
      case "search": {
        const result = await opened.recall.search({ query: text, scope: "owner" }, context.signal);
        return tell(request, result, describeFound(result, words));
      }
      case "why": {
        const explanation = await opened.trail.explain(text);
        return tell(request, explanation, describeExplanation(explanation, words));
      }
      case "log":
        return await listChanges(request);
      case "diff":
        return await showChange(request);
      case "restore":
        return await restoreVersion(request);
      case "forget":
        return await forgetWords(request);
    }
  } catch (error) {
    if (error instanceof VersionError) throw new CommandFailure(describeFault(error.fault, words));
    throw error;
  } finally {
    await opened.close();
  }
}
