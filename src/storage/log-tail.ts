// The end of the log file, and what is added to it, line by line. Knows no screen.
import { open, stat } from "node:fs/promises";
import { ignoreMissing } from "./files/plain-file.ts";
import type { HomePaths } from "./home.ts";

const tailBytes = 256 * 1024;

export class LogTail {
  readonly path: string;
  #position = 0;
  /** The beginning of a line whose end is not written yet. */
  #begun = Buffer.alloc(0);

  constructor({ log }: HomePaths) {
    this.path = log;
  }

  /** The latest lines; what is added counts from here. */
  async readEnd(most: number): Promise<string[]> {
    const size = (await stat(this.path).catch(ignoreMissing))?.size ?? 0;
    this.#position = Math.max(0, size - tailBytes);
    this.#begun = Buffer.alloc(0);
    const isCut = this.#position > 0;
    const lines = await this.readAdded();
    return lines.slice(isCut ? 1 : 0).slice(-most);
  }

  async readAdded(): Promise<string[]> {
    const file = await open(this.path).catch(ignoreMissing);
    if (file === undefined) return [];
    try {
      const { size } = await file.stat();
      // A shorter file is another one: the log was rotated.
      if (size < this.#position) this.#position = 0;
      const buffer = Buffer.alloc(size - this.#position);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#position);
      this.#position += bytesRead;
      return this.#toLines(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }

  #toLines(added: Buffer): string[] {
    const whole = Buffer.concat([this.#begun, added]);
    const end = whole.lastIndexOf("\n") + 1;
    this.#begun = whole.subarray(end);
    return whole.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  }
}
