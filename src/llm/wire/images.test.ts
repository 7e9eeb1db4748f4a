import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readImageFile } from "../../storage/blobs/content-files.ts";
import { loadImageUrl as loadWith } from "./images.ts";

const loadImageUrl = (url: string) => loadWith(url, readImageFile);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nanobot-images-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function store(name: string, bytes: Buffer): Promise<string> {
  await writeFile(join(folder, name), bytes);
  return pathToFileURL(join(folder, name)).href;
}

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("loading an image address", () => {
  it.each([
    ["a.png", png, "image/png"],
    ["misnamed.txt", Buffer.from("ffd8ffe000104a464946", "hex"), "image/jpeg"],
    ["a.gif", Buffer.from("GIF89a..."), "image/gif"],
    ["a.webp", Buffer.from("RIFF\x00\x00\n\x00WEBPVP8 ", "latin1"), "image/webp"],
  ])("makes a data URI of %s by its bytes", async (name, bytes, type) => {
    expect(await loadImageUrl(await store(name, bytes))).toBe(
      `data:${type};base64,${bytes.toString("base64")}`,
    );
  });

  it.each(["https://example.com/a.png", "data:image/png;base64,AAAA"])("passes %s through", async (url) => {
    expect(await loadImageUrl(url)).toBe(url);
  });

  it.each(["http://example.com/a.png", "ftp://x/y", "a.png", "data:text/html,<b>"])(
    "refuses %s",
    async (url) => {
      expect(await loadImageUrl(url)).toBeUndefined();
    },
  );

  it("gives nothing for a file that is missing, a folder, or no image", async () => {
    expect(await loadImageUrl(pathToFileURL(join(folder, "gone.png")).href)).toBeUndefined();
    expect(await loadImageUrl(pathToFileURL(folder).href)).toBeUndefined();
    expect(await loadImageUrl(await store("secret.png", Buffer.from("root:x:0:0")))).toBeUndefined();
  });

  it("gives nothing for a file over the limit", async () => {
    const large = Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)]);
    expect(await loadImageUrl(await store("large.png", large))).toBeUndefined();
  });

  it("keeps what it read, so that the prompt stays the same", async () => {
    const url = await store("kept.png", png);
    const first = await loadImageUrl(url);
    await rm(join(folder, "kept.png"));
    expect(await loadImageUrl(url)).toBe(first);
  });

  it("forgets the oldest beyond its bound", async () => {
    const url = await store("oldest.png", png);
    expect(await loadImageUrl(url)).toBeDefined();
    await rm(join(folder, "oldest.png"));
    const big = Buffer.concat([png, Buffer.alloc(17 * 1024 * 1024)]);
    for (const name of ["1.png", "2.png", "3.png"]) await loadImageUrl(await store(name, big));
    expect(await loadImageUrl(url)).toBeUndefined();
  });
});
