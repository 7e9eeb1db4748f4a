// What use has taught about the skills that the assistant wrote itself: how often each version was read and followed by
// success, and the revisions that Dream proposes. One small private file for a workspace; counts and names, no conversation.
import * as z from "zod";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile } from "../files/state-file.ts";

const useSchema = z.object({
  skill: z.string(),
  /** Of the content: each version is counted on its own. */
  hash: z.string(),
  read: z.int(),
  /** The turn was answered, and its last tool call worked. */
  succeeded: z.int(),
  /** Tools whose failure was the last thing in a turn, newest last. */
  failedTools: z.array(z.string()),
});

const revisionSchema = z.object({
  id: z.string(),
  skill: z.string(),
  at: z.number(),
  /** As Dream says it. */
  reason: z.string(),
  before: z.string(),
  after: z.string(),
  state: z.enum(["waiting", "applied", "refused"]),
});

const learningSchema = z.object({ uses: z.array(useSchema), revisions: z.array(revisionSchema) });

export type SkillUse = z.infer<typeof useSchema>;
export type SkillRevision = z.infer<typeof revisionSchema>;
type Learning = z.infer<typeof learningSchema>;

/** How a turn ended in which a skill was read; `failedTool`: its last call, if that failed. */
export interface SkillOutcome {
  isSuccess: boolean;
  failedTool?: string;
}

const mostUses = 200;
const mostFailures = 5;
const mostRevisions = 50;
const lock = new KeyedLock();

export class SkillLearning {
  readonly #file: StateFile;

  constructor(path: string) {
    const findFault = (value: unknown) =>
      learningSchema.safeParse(value).success ? undefined : "does not hold the lists that belong there";
    this.#file = new StateFile(path, { findFault });
  }

  async read(): Promise<Learning> {
    const { value } = await this.#file.read();
    return value === undefined ? { uses: [], revisions: [] } : learningSchema.parse(value);
  }

  /** Of skills by name, with the hash of what was read. */
  count(read: ReadonlyMap<string, string>, { isSuccess, failedTool }: SkillOutcome): Promise<void> {
    return this.#change(({ uses, revisions }) => {
      const counted = [...read].map(([skill, hash]) => {
        const known = uses.find((use) => isOf(use, skill, hash));
        const { read: times = 0, succeeded = 0, failedTools = [] } = known ?? {};
        const failed = [...failedTools, ...(failedTool === undefined ? [] : [failedTool])];
        return {
          skill,
          hash,
          read: times + 1,
          succeeded: succeeded + (isSuccess ? 1 : 0),
          failedTools: failed.slice(-mostFailures),
        };
      });
      const others = uses.filter((use) => !counted.some(({ skill, hash }) => isOf(use, skill, hash)));
      return { uses: [...others, ...counted].slice(-mostUses), revisions };
    });
  }

  /** The newest proposal for a skill replaces one that waits. What was refused before does not come again. */
  propose(proposed: readonly Omit<SkillRevision, "state">[]): Promise<void> {
    return this.#change(({ uses, revisions }) => {
      const isRefused = ({ skill, after }: Pick<SkillRevision, "skill" | "after">) =>
        revisions.some(
          (known) => known.skill === skill && known.after === after && known.state === "refused",
        );
      const fresh = proposed
        .filter((revision) => !isRefused(revision))
        .map((revision) => ({ ...revision, state: "waiting" as const }));
      const isReplaced = ({ skill, state }: SkillRevision) =>
        state === "waiting" && fresh.some((revision) => revision.skill === skill);
      const kept = revisions.filter((known) => !isReplaced(known));
      return { uses, revisions: [...kept, ...fresh].slice(-mostRevisions) };
    });
  }

  settle(id: string, state: SkillRevision["state"]): Promise<void> {
    return this.#change(({ uses, revisions }) => ({
      uses,
      revisions: revisions.map((one) => (one.id === id ? { ...one, state } : one)),
    }));
  }

  #change(change: (learning: Learning) => Learning): Promise<void> {
    return lock.run(this.#file.path, async () => this.#file.write(change(await this.read())));
  }
}

function isOf(use: SkillUse, skill: string, hash: string): boolean {
  return use.skill === skill && use.hash === hash;
}
