// Lines that belong to a session but not to its history, in a bounded file of their own: losing them loses no history.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { appendToFile, makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { lookAt } from "../files/file-stamp.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { toFileName, toStem } from "./session-name.ts";

const mostBytes = 1_000_000;

export class SideLog {
  readonly #folder: string;
  readonly #lock = new KeyedLock();
  #isReady = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(sessionKey: string, lines: readonly string[]): Promise<void> {
    return this.#lock.run(sessionKey, async () => {
      const path = this.#pathOf(sessionKey);
      if (!this.#isReady) await makeFolder(this.#folder);
      this.#isReady = true;
      await appendToFile(path, lines.map((line) => `${line}\n`).join(""));
      if ((lookAt(path)?.size ?? 0) > mostBytes)
        await writeFileAtomic(path, takeNewest(await readFile(path, "utf8")));
    });
  }

  /** The last one may be half a line, as a crash leaves it. */
  async read(sessionKey: string): Promise<string[]> {
    const text = await this.#lock.run(sessionKey, () =>
      readFile(this.#pathOf(sessionKey), "utf8").catch(ignoreMissing),
    );
    return (text ?? "").split("\n").filter((line) => line !== "");
  }

  clear(sessionKey: string): Promise<void> {
    return this.#lock.run(sessionKey, () => removeFile(this.#pathOf(sessionKey)));
  }

  #pathOf(sessionKey: string): string {
    return join(this.#folder, toFileName(toStem(sessionKey)));
  }
}

function takeNewest(text: string): string {
  const tail = text.slice(text.length / 2);
  return tail.slice(tail.indexOf("\n") + 1);
}
