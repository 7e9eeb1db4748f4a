// What slash commands about memory answer, in the words of whoever asks: over one person's memory, and nobody else's.
import type { MemoryAnswers } from "../agent/commands.ts";
import { VersionError } from "../dream/versions.ts";
import type { Words } from "../i18n/words.ts";
import type { Trail } from "./build-trail.ts";
import { describeExplanation } from "./describe-explanation.ts";
import { describeChange, describeFault, listVersions } from "./describe-versions.ts";

const restoreCommand = "/dream-restore";
const mostListed = 10;

export function createMemoryAnswers(
  trail: Trail,
  { words, mayChange }: { words: Words; mayChange: boolean },
): MemoryAnswers {
  const { versions } = words.memory;

  async function showChange(id: string): Promise<string> {
    const [last] = await trail.log({ most: 1, kind: "dream" });
    const wanted = id === "" ? last?.id : id;
    if (wanted === undefined) return versions.noDream;
    const { version, files } = await trail.show(wanted);
    return describeChange(version, files, words);
  }

  async function restore(id: string): Promise<string> {
    if (id === "") return listVersions(await trail.log({ most: mostListed }), words, restoreCommand);
    if (!mayChange) return versions.notYours;
    const version = await trail.restore(id);
    return versions.restored(id, version.summary, `${restoreCommand} ${version.id}`);
  }

  const tellFault = (error: unknown): string => {
    if (error instanceof VersionError) return describeFault(error.fault, words);
    throw error;
  };
  return {
    explain: async (text) => describeExplanation(await trail.explain(text), words),
    showChange: (id) => showChange(id).catch(tellFault),
    restore: (id) => restore(id).catch(tellFault),
  };
}
