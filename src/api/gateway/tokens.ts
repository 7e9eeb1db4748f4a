// Operations about tokens of programs. A token names the operations that it may call, and runs them as the owner.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import { findNearest } from "../../lib/nearest.ts";
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
