// Homes that this process serves. One that is removed or moved away meanwhile is not made again: an empty one in its place
// would hide that everything is missing, and what was written into it would be lost.

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { sep } from "node:path";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { PhrasedError } from "../i18n/user-error.ts";

export class HomeGoneError extends PhrasedError {
  override readonly name = "HomeGoneError";
  override readonly phrase: Phrase;
  readonly home: string;

  constructor(home: string) {
    super(`${home} was removed or moved away`);
    this.home = home;
    this.phrase = phrase("home.gone", { home });
  }
}

const served = new Map<string, number>();

/** Until the result is called. */
export function serveHome(home: string): () => void {
  served.set(home, (served.get(home) ?? 0) + 1);
  return () => {
    const others = (served.get(home) ?? 0) - 1;
    if (others > 0) served.set(home, others);
    else served.delete(home);
  };
}

export function isHomeGone(home: string): boolean {
  return served.has(home) && !existsSync(home);
}

/** Before anything is made at this path. */
export function refuseInGoneHome(path: string): void {
  for (const home of served.keys())
    if (`${path}${sep}`.startsWith(`${home}${sep}`) && isHomeGone(home)) throw new HomeGoneError(home);
}

/** With all that lead to it, but for a served home. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  refuseInGoneHome(path);
  await mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) });
}
