// Tokens of subscriptions that the owner has signed in with: one private file, and a lock across processes, because a token
// that buys another one may be used only once.
import * as z from "zod";
import type { Clock } from "../../lib/clock.ts";
import { StateFile } from "../files/state-file.ts";
import type { HomePaths } from "../home.ts";
import { createHomeLock } from "../home-lock.ts";

const tokensSchema = z.object({
  access: z.string().min(1),
  refresh: z.string(),
  expiresAt: z.number(),
  account: z.string().optional(),
});

export type StoredTokens = z.output<typeof tokensSchema>;

export class SignInStore {
  readonly #file: StateFile;
  readonly #lockOptions: { home: string; clock: Clock; name: string };

  constructor({ paths, clock }: { paths: HomePaths; clock: Clock }) {
    this.#file = new StateFile(paths.signIns);
    this.#lockOptions = { home: paths.home, clock, name: "sign-in" };
  }

  async read(host: string): Promise<StoredTokens | undefined> {
    const { value = {} } = await this.#file.read();
    return tokensSchema.safeParse(value[host]).data;
  }

  /** While it runs no other process does anything of the kind. Undefined as result: they are forgotten. */
  async change(
    host: string,
    change: (before: StoredTokens | undefined) => Promise<StoredTokens | undefined>,
  ): Promise<StoredTokens | undefined> {
    const lock = createHomeLock(this.#lockOptions);
    const release = await lock.acquire("sign-in");
    try {
      const { value = {} } = await this.#file.read();
      const before = tokensSchema.safeParse(value[host]).data;
      const after = await change(before);
      const { [host]: _, ...others } = value;
      if (after !== before) await this.#file.write({ ...others, ...(after && { [host]: after }) });
      return after;
    } finally {
      release();
      lock.close();
    }
  }
}
