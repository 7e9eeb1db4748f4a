// approvals.json: what the owner has allowed for ever, each the exact thing in the exact place. One small private file;
// a damaged one allows nothing.
import { rename } from "node:fs/promises";
import * as z from "zod";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import { readJsonFile } from "../lib/json-file.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";

const approvalSchema = z.object({
  subject: z.string(),
  /** The file root that it was allowed for. */
  place: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
});

const fileSchema = z.looseObject({ allowed: z.array(approvalSchema) });

export type RememberedApproval = z.infer<typeof approvalSchema>;

const mostKept = 200;
const longestSubject = 2_000;

export class RememberedApprovals {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #lock = new KeyedLock();

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** Oldest first. Read anew each time: questions are rare, and another process may have changed it. */
  async list(): Promise<RememberedApproval[]> {
    return (await this.#load()) ?? [];
  }

  async has(subject: string, place: string): Promise<boolean> {
    return (await this.list()).some((known) => known.subject === subject && known.place === place);
  }

  /** What is too long to be looked through in a list is not remembered. */
  async add(subject: string, place: string): Promise<void> {
    if (subject.length > longestSubject) return;
    const isSame = (known: RememberedApproval) => known.subject === subject && known.place === place;
    await this.#change((allowed) => [
      ...allowed.filter((known) => !isSame(known)),
      { subject, place, at: this.#clock.now() },
    ]);
  }

  /** Takes back those that the filter names. */
  async remove(isTakenBack: (approval: RememberedApproval) => boolean): Promise<void> {
    await this.#change((allowed) => allowed.filter((known) => !isTakenBack(known)));
  }

  async #load(): Promise<RememberedApproval[] | undefined> {
    const file = await readJsonFile(this.#path);
    if (file.state === "absent") return [];
    return file.state === "read" ? fileSchema.safeParse(file.value).data?.allowed : undefined;
  }

  #change(change: (allowed: RememberedApproval[]) => RememberedApproval[]): Promise<void> {
    return this.#lock.run("", async () => {
      const allowed = await this.#load();
      if (allowed === undefined) await rename(this.#path, `${this.#path}.damaged`);
      const text = `${JSON.stringify({ allowed: change(allowed ?? []).slice(-mostKept) }, null, 2)}\n`;
      await writeFileAtomic(this.#path, text, { mode: 0o600, forceMode: true });
    });
  }
}
