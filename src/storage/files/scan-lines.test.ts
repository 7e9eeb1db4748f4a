import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type ScanOptions, scanLines } from "./scan-lines.ts";

interface Seen {
  start: number;
  end: number;
  text: string | undefined;
  isTerminated: boolean;
}

async function scan(bytes: Buffer, options: ScanOptions, most = Number.POSITIVE_INFINITY): Promise<Seen[]> {
  const path = join(await createTemporaryFolder(), "lines");
  await writeFile(path, bytes);
  const file = await open(path, "r");
  const seen: Seen[] = [];
  try {
    await scanLines(file, options, ({ bytes: line, ...place }) => {
      seen.push({ ...place, text: line?.toString("latin1") });
      return seen.length < most;
    });
  } finally {
    await file.close();
  }
  return seen;
}

/** What the lines of a file are, said without chunks. */
function expectLines(text: string, limit: number): Seen[] {
  let start = 0;
  const lines = text.split("\n").map((line, index, all) => {
    const isTerminated = index < all.length - 1;
    const seen = { start, end: start + line.length + (isTerminated ? 1 : 0), isTerminated };
    start = seen.end;
    return { ...seen, text: line.length > limit ? undefined : line };
  });
  return lines.filter(({ start: from, end }) => end > from);
}

const chunk = 256 * 1024;

describe("lines of a file", () => {
  test("are the same wherever the chunks end", async () => {
    const length = fc.oneof(fc.nat(5), fc.integer({ min: chunk - 3, max: chunk + 3 }), fc.nat(3 * chunk));
    await fc.assert(
      fc.asyncProperty(fc.array(length, { maxLength: 6 }), fc.boolean(), async (lengths, isTerminated) => {
        const lines = lengths.map((size, index) => String(index).repeat(size));
        const text = lines.join("\n") + (isTerminated ? "\n" : "");
        expect(await scan(Buffer.from(text), { limit: 2 * chunk })).toEqual(expectLines(text, 2 * chunk));
      }),
      { numRuns: cases(60) },
    );
  });

  test("begin and stop where they are asked to", async () => {
    const bytes = Buffer.from("one\ntwo\nthree\nfour");
    const texts = async (options: Omit<ScanOptions, "limit">, most?: number) =>
      (await scan(bytes, { ...options, limit: 10 }, most)).map(({ text }) => text);
    expect(await texts({ from: 4 })).toEqual(["two", "three", "four"]);
    expect(await texts({ from: 4, to: 10 })).toEqual(["two", "th"]);
    expect(await texts({ from: 4, to: 8 })).toEqual(["two"]);
    expect(await texts({ from: 18 })).toEqual([]);
    expect(await texts({}, 2)).toEqual(["one", "two"]);
  });

  test("that exceed the limit come without their bytes, and the next one is whole again", async () => {
    const bytes = Buffer.from(`${"x".repeat(11)}\n${"y".repeat(10)}\n${"z".repeat(chunk * 2)}\nend`);
    const seen = await scan(bytes, { limit: 10 });
    expect(seen.map(({ text }) => text)).toEqual([undefined, "y".repeat(10), undefined, "end"]);
    expect(seen[2]).toMatchObject({ start: 23, end: 24 + chunk * 2, isTerminated: true });
  });
});
