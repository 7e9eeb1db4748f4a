// What was taken from homes of other assistants, so that nothing is taken twice, not even what was changed or removed
// here since.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../lib/json-tree.ts";
import { StateFile } from "../files/state-file.ts";
import type { HomePaths } from "../home.ts";

export class TakenItems {
  readonly #file: StateFile;
  readonly #taken: Set<string>;

  static async open({ takenItems }: Pick<HomePaths, "takenItems">): Promise<TakenItems> {
    const file = new StateFile(takenItems, { findFault });
    const { taken = [] } = (await file.read()).value ?? {};
    return new TakenItems(file, new Set((taken as unknown[]).map(String)));
  }

  private constructor(file: StateFile, taken: Set<string>) {
    this.#file = file;
    this.#taken = taken;
  }

  has(...item: readonly string[]): boolean {
    return this.#taken.has(toMark(item));
  }

  add(...item: readonly string[]): void {
    this.#taken.add(toMark(item));
  }

  save(): Promise<void> {
    return this.#file.write({ taken: [...this.#taken] });
  }
}

function toMark(item: readonly string[]): string {
  return createHash("sha256").update(item.join("\0")).digest("hex").slice(0, 24);
}

function findFault({ taken = [] }: JsonObject): string | undefined {
  return Array.isArray(taken) ? undefined : "must hold a list, in [ ]";
}
