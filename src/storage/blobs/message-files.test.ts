import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { keepInbound } from "./message-files.ts";

async function* arrive(error?: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from("first ");
  if (error) throw error;
  yield Buffer.from("second");
}

describe("a file that a channel receives", () => {
  it("is kept whole", async () => {
    const mediaFolder = await createTemporaryFolder();
    const file = { name: "../a letter.txt", bytes: arrive() };
    const path = await keepInbound(file, { mediaFolder, channel: "telegram" }, 100);
    expect(path).toMatch(/telegram\/[0-9a-f]{16}-_a_letter\.txt$/);
    expect(await readFile(path ?? "", "utf8")).toBe("first second");
  });

  it("leaves nothing when it breaks off, or is too large", async () => {
    const mediaFolder = await createTemporaryFolder();
    const keep = (most: number, error?: Error) =>
      keepInbound({ name: "a.txt", bytes: arrive(error) }, { mediaFolder, channel: "telegram" }, most);
    await expect(keep(100, new Error("the platform went away"))).rejects.toThrow("went away");
    expect(await keep(10)).toBeUndefined();
    expect(await readdir(join(mediaFolder, "telegram"))).toEqual([]);
  });
});
