// The prefixes of epochs, each once under its hash, in the folder of the sessions. Knows nothing of their content.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../lib/json-tree.ts";
import { writeFileAtomic } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";

export class PrefixFiles {
  readonly #folder: string;

  constructor(sessionsFolder: string) {
    this.#folder = join(sessionsFolder, "prefixes");
  }

  /** Undefined when it is gone, or no JSON. */
  async read(hash: string): Promise<unknown> {
    return parseJson((await readFile(this.#pathOf(hash), "utf8").catch(ignoreMissing)) ?? "");
  }

  write(hash: string, prefix: object): Promise<void> {
    return writeFileAtomic(this.#pathOf(hash), JSON.stringify(prefix));
  }

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.json`);
  }
}
