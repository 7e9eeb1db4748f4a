// approvals.json: what the owner has allowed permanently, each the exact thing in the exact place. One small private
// file; an entry that cannot be parsed allows nothing.
import { dirname } from "node:path";
import * as z from "zod";
import type { Clock } from "../../lib/clock.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../files/state-file.ts";
import type { Scope } from "../scope.ts";
import { toStored } from "../stored-path.ts";

const approvalSchema = z.object({
  subject: z.string(),
  /** The file root that it was allowed for, as it is stored. */
  place: z.string(),
  /** In whose turns; 0.1.0 knew only the place. */
  scope: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
});

export type RememberedApproval = z.infer<typeof approvalSchema>;

const mostKept = 200;
const longestSubject = 2_000;

export class RememberedApprovals {
  readonly #file: StateFile;
  readonly #clock: Clock;
  readonly #lock = new KeyedLock();

  constructor(path: string, clock: Clock) {
    this.#file = new StateFile(path, { findFault });
    this.#clock = clock;
  }

  /** Oldest first. Read again each time: questions are rare, and another process may have changed it. */
  async listAll(): Promise<RememberedApproval[]> {
    return (await this.#load()).known;
  }

  async has(scope: Scope, subject: string, place: string): Promise<boolean> {
    return (await this.listAll()).some(this.#isOf(scope, subject, place));
  }

  /** What is too long to be looked through in a list is not remembered. */
  async add(scope: Scope, subject: string, place: string): Promise<void> {
    if (subject.length > longestSubject) return;
    const isSame = this.#isOf(scope, subject, place);
    await this.#change((allowed) => [
      ...allowed.filter((known) => !isSame(known)),
      { subject, place: this.#toStored(place), scope, at: this.#clock.now() },
    ]);
  }

  /** Takes back those that the filter names. */
  async remove(isTakenBack: (approval: RememberedApproval) => boolean): Promise<void> {
    await this.#change((allowed) => allowed.filter((known) => !isTakenBack(known)));
  }

  #isOf(scope: Scope, subject: string, place: string): (known: RememberedApproval) => boolean {
    const stored = this.#toStored(place);
    const isThere = (known: RememberedApproval) => this.#toStored(known.place) === stored;
    return (known) => known.subject === subject && (known.scope ?? scope) === scope && isThere(known);
  }

  #toStored(place: string): string {
    return toStored(dirname(this.#file.path), place);
  }

  async #load(): Promise<{ keys: JsonObject; known: RememberedApproval[]; foreign: unknown[] }> {
    const { allowed, ...keys } = (await this.#file.read()).value ?? {};
    return { keys, ...splitRows(allowed, (row) => approvalSchema.safeParse(row).data) };
  }

  #change(change: (allowed: RememberedApproval[]) => RememberedApproval[]): Promise<void> {
    return this.#lock.run("", async () => {
      const { keys, known, foreign } = await this.#load();
      await this.#file.write({ ...keys, allowed: [...foreign, ...change(known).slice(-mostKept)] });
    });
  }
}

function findFault({ allowed }: JsonObject): string | undefined {
  return Array.isArray(allowed) ? undefined : "must hold what is allowed as a list, in [ ]";
}
