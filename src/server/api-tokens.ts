// Tokens of programs that may call named operations, in run/api-tokens.json. Only hashes are kept, so that the file admits
// nobody. It is read for every request: a token that was removed, by whichever process, is refused at once.
import * as z from "zod";
import type { ApiToken, ApiTokenStore } from "../api/gateway/tokens.ts";
import type { Clock } from "../lib/clock.ts";
import type { JsonObject } from "../lib/json-tree.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../storage/files/state-file.ts";
import { isToken } from "./token.ts";
import { createSecret, hashSecret } from "./web-sessions.ts";

const rowSchema = z.looseObject({
  name: z.string(),
  operations: z.array(z.string()),
  hash: z.string(),
  createdAt: z.number(),
});

type Row = z.infer<typeof rowSchema>;

export class ApiTokens implements ApiTokenStore {
  readonly #file: StateFile;
  readonly #clock: Pick<Clock, "now">;
  readonly #lock = new KeyedLock();

  constructor(path: string, clock: Pick<Clock, "now">) {
    this.#file = new StateFile(path, { findFault });
    this.#clock = clock;
  }

  async add(name: string, operations: string[]): Promise<string | undefined> {
    const secret = createSecret();
    const row = { name, operations, hash: hashSecret(secret), createdAt: this.#clock.now() };
    const isAdded = await this.#change((rows) =>
      rows.some((one) => one.name === name) ? rows : [...rows, row],
    );
    return isAdded ? secret : undefined;
  }

  async list(): Promise<ApiToken[]> {
    const { rows } = await this.#read();
    return rows.map(({ name, operations, createdAt }) => ({ name, operations, createdAt }));
  }

  remove(name: string): Promise<boolean> {
    return this.#change((rows) => rows.filter((one) => one.name !== name));
  }

  /** What the bearer of this secret may call; undefined: it is no token. */
  async findOperations(secret: string): Promise<readonly string[] | undefined> {
    const { rows } = await this.#read();
    const hash = hashSecret(secret);
    return rows.find((row) => isToken(hash, row.hash))?.operations;
  }

  /** Whether the number of tokens has changed. */
  #change(update: (rows: Row[]) => Row[]): Promise<boolean> {
    return this.#lock.run("", async () => {
      const { rows, foreign, keys } = await this.#read();
      const updated = update(rows);
      if (updated.length === rows.length) return false;
      await this.#file.write({ ...keys, tokens: [...foreign, ...updated] });
      return true;
    });
  }

  async #read() {
    const { tokens, ...keys } = (await this.#file.read()).value ?? {};
    const { known, foreign } = splitRows(tokens, (row) => rowSchema.safeParse(row).data);
    return { rows: known, foreign, keys };
  }
}

function findFault({ tokens }: JsonObject): string | undefined {
  return Array.isArray(tokens) ? undefined : "must hold its tokens as a list, in [ ]";
}
