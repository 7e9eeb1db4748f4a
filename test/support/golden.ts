// Golden files: what came out once and was looked at. A file is only ever written when UPDATE_PROMPTS=1 asks for it.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** `name` counts from test/fixtures. */
export async function expectGolden(name: string, text: string): Promise<void> {
  const path = packagePath("test/fixtures", name);
  const actual = `${text.trimEnd()}\n`;
  if (process.env.UPDATE_PROMPTS === "1") {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, actual);
  }
  const expected = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(`There is no ${path}. Look at the text, then write it with UPDATE_PROMPTS=1.`);
  });
  expect(actual, `${name}: if the change is meant, write it with UPDATE_PROMPTS=1`).toBe(expected);
}
