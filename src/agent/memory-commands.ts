// Slash commands about memory itself: where a line came from, what was changed, and the way back.
import { type FileDiff, type Version, VersionError } from "../memory/versions.ts";
import type { Explanation } from "../recall/explain-fact.ts";
import type { Words } from "../words/words.ts";
import type { Command } from "./commands.ts";
import { describeExplanation } from "./describe-explanation.ts";
import { describeChange, describeFault, listVersions } from "./describe-versions.ts";

/** Over the memory of whoever a message stands for. */
export interface MemoryActions {
  explain(text: string): Promise<Explanation>;
  log(options: { most: number; kind?: string }): Promise<Version[]>;
  /** The version that an id means, with what it changed. */
  show(id: string): Promise<{ version: Version; files: FileDiff[] }>;
  restore(id: string): Promise<Version>;
  /** Whether whoever speaks may change this memory. */
  mayChange: boolean;
}

const mostListed = 10;

export const memoryCommands: Command[] = [
  {
    name: "why",
    when: "now",
    takesText: true,
    run: async ({ words, memory }, text) =>
      text === "" ? words.memory.needsWords("/why") : describeExplanation(await memory.explain(text), words),
  },
  {
    name: "dream-log",
    when: "now",
    takesText: true,
    run: ({ words, memory }, id) =>
      tellFaults(words, async () => {
        const [last] = await memory.log({ most: 1, kind: "dream" });
        const wanted = id === "" ? last?.id : id;
        if (wanted === undefined) return words.memory.versions.noDream;
        const { version, files } = await memory.show(wanted);
        return describeChange(version, files, words);
      }),
  },
  {
    name: "dream-restore",
    when: "idle",
    takesText: true,
    run: ({ words, memory }, id) =>
      tellFaults(words, async () => {
        const command = "/dream-restore";
        if (id === "") return listVersions(await memory.log({ most: mostListed }), words, command);
        if (!memory.mayChange) return words.memory.versions.notYours;
        const version = await memory.restore(id);
        return words.memory.versions.restored(id, version.summary, `${command} ${version.id}`);
      }),
  },
];

async function tellFaults(words: Words, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VersionError) return describeFault(error.fault, words);
    throw error;
  }
}
