// Operations about tokens of programs. A token names the operations that it may call, and runs them as the owner.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { createSecret, hashSecret, isToken } from "../../lib/network/token.ts";
import { StateFile, splitRows } from "../../storage/files/state-file.ts";
import { operation } from "../operation.ts";
import type { OperationFacts } from "../services.ts";

export interface ApiToken {
  name: string;
  operations: string[];
  createdAt: number;
}

export interface ApiTokenStore {
  /** The secret, which is not kept; undefined: there is a token of that name. */
  add(name: string, operations: string[]): Promise<string | undefined>;
  list(): Promise<ApiToken[]>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
}

const name = z.string().max(200);

const add = operation({
  name: "tokens.add",
  about:
    "A new token for a program, which may call only the named operations. The token is returned this once. Operations that give access to others cannot be named: `tokens.*` and `web.link`.",
  access: "owner",
  isAboutAccess: true,
  needs: "home",
  changes: [],
  params: z.strictObject({ name, operations: z.array(z.string().max(80)).min(1).max(200) }),
  async run({ tokens, operations: all }, params) {
    const operations = [...new Set(params.operations)];
    if (!/^[\p{L}\p{N}_.-]{1,64}$/u.test(params.name)) throw fail("tokens.bad-name");
    for (const each of operations) checkOperation(each, all);
    const token = await tokens.add(params.name, operations);
    if (token === undefined) throw fail("tokens.exists", { name: params.name });
    return { name: params.name, operations, token };
  },
});

const list = operation({
  name: "tokens.list",
  about:
    "The tokens of programs: their names, what they may call, and when they were made. Never a token itself.",
  access: "owner",
  isAboutAccess: true,
  needs: "home",
  params: z.strictObject({}),
  run: async ({ tokens }) => ({ tokens: await tokens.list() }),
});

const remove = operation({
  name: "tokens.remove",
  about: "Removes the token of that name, which is refused from then on.",
  access: "owner",
  isAboutAccess: true,
  needs: "home",
  changes: [],
  params: z.strictObject({ name }),
  async run({ tokens }, params) {
    if (!(await tokens.remove(params.name))) throw fail("tokens.not-found", { name: params.name });
    return { isRemoved: true };
  },
});

export const tokenOperations = [add, list, remove] as const;

/** With one that is about access, a program could make itself a token or a sign-in that may do more. */
function checkOperation(wanted: string, all: OperationFacts): void {
  const known = all.get(wanted);
  if (known === undefined) {
    const allowed = [...all].flatMap(([each, { isAboutAccess }]) => (isAboutAccess ? [] : [each]));
    const nearest = findNearest(wanted, allowed);
    throw fail("tokens.unknown-operation", { operation: wanted, ...(nearest !== undefined && { nearest }) });
  }
  if (known.isAboutAccess) throw fail("tokens.not-for-programs", { operation: wanted });
}

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
