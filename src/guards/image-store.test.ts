import { execFile } from "node:child_process";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createImage, createPng } from "../../test/support/images.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { type ImageLimits, usualImageLimits } from "../llm/hosts/host.ts";
import { readImageSides, storeImage } from "./image-store.ts";

async function setUp(limits?: ImageLimits) {
  const folder = join(await createTemporaryFolder(), "home", "media");
  async function store(bytes: Buffer): Promise<{ path: string; stored: Buffer }> {
    const result = await storeImage(bytes, { folder, ...(limits && { limits }) });
    if (!result.ok) throw new Error(result.problem);
    const path = fileURLToPath(result.url);
    return { path, stored: await readFile(path) };
  }
  return { folder, store };
}

describe("an image within the limits", () => {
  it("is kept as it is, once, for its owner alone", async () => {
    const { folder, store } = await setUp();
    const png = createPng(3, 2);
    const { path, stored } = await store(png);
    await store(png);
    expect(stored).toEqual(png);
    expect(path).toMatch(/\/[0-9a-f]{64}\.png$/);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("is named by what it is", async () => {
    const { store } = await setUp();
    const endings = { jpeg: "jpg", gif: "gif", "lossy webp": "webp", png: "png" } as const;
    for (const [format, ending] of Object.entries(endings)) {
      const { path } = await store(await createImage(format as keyof typeof endings, 2, 2));
      expect(path).toMatch(new RegExp(`\\.${ending}$`));
    }
  });

  it("is written again where only a part of it had arrived", async () => {
    const { store } = await setUp();
    const png = createPng(30, 20);
    const { path } = await store(png);
    await truncate(path, 10);
    expect((await store(png)).stored).toEqual(png);
  });
});

describe("an image beyond the limits", () => {
  it("is scaled to the longest side", async () => {
    const { store } = await setUp({ bytes: 1_000_000, side: 100 });
    const { path, stored } = await store(createPng(400, 200));
    expect(path).toMatch(/\.jpg$/);
    expect(readImageSides(stored)).toEqual({ width: 100, height: 50 });
  });

  it("is scaled until its bytes are few enough, to the same bytes each time", async () => {
    const png = createPng(900, 900, { isNoisy: true });
    const limits = { bytes: 60_000, side: 8000 };
    const [first, second] = await Promise.all([setUp(limits), setUp(limits)]);
    const { stored } = await first.store(png);
    expect(png.length).toBeGreaterThan(limits.bytes);
    expect(stored.length).toBeLessThanOrEqual(limits.bytes);
    expect(readImageSides(stored)?.width).toBeGreaterThan(128);
    expect((await second.store(png)).stored).toEqual(stored);
  });

  it("keeps its sides when fewer bytes are enough", async () => {
    const { store } = await setUp({ bytes: 200_000, side: 8000 });
    const { stored } = await store(createPng(500, 500, { isNoisy: true }));
    expect(readImageSides(stored)).toEqual({ width: 500, height: 500 });
  });

  it("comes out upright, on white, and without what a camera noted", async () => {
    const { store } = await setUp({ bytes: 1_000_000, side: 50 });
    const turned = await sharp(createPng(100, 60)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { stored } = await store(turned);
    expect(readImageSides(stored)).toEqual({ width: 30, height: 50 });
    expect((await sharp(stored).metadata()).exif).toBeUndefined();
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const glass = sharp({ create: { width: 80, height: 80, channels: 4, background: clear } });
    const { stored: opaque } = await store(await glass.webp().toBuffer());
    expect([...(await sharp(opaque).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it("fits the strictest host when no limits are given", async () => {
    const { store } = await setUp();
    const { stored } = await store(createPng(8001, 40));
    expect(readImageSides(stored)?.width).toBe(usualImageLimits.side);
    expect(Math.ceil(usualImageLimits.bytes / 3) * 4).toBeLessThanOrEqual(5 * 1024 * 1024);
  });
});

describe("an image that cannot be shown", () => {
  async function problemOf(bytes: Buffer, limits = { bytes: 1_000_000, side: 100 }): Promise<string> {
    const folder = join(await createTemporaryFolder(), "media");
    const result = await storeImage(bytes, { folder, limits });
    expect(await readdir(folder).catch(() => [])).toEqual([]);
    return result.ok ? "stored" : result.problem;
  }

  it("is broken", async () => {
    expect(await problemOf(Buffer.from("not an image"))).toBe("a broken image");
    expect(await problemOf(createPng(3, 3).subarray(0, 16))).toBe("a broken image");
    expect(await problemOf(createPng(300, 300, { isNoisy: true }).subarray(0, 2000))).toBe("a broken image");
    expect(await problemOf(createPng(2, 2, { claims: { width: 900, height: 900 } }))).toBe("a broken image");
  });

  it("has more pixels than we would decode", async () => {
    const bomb = createPng(2, 2, { claims: { width: 2 ** 30, height: 2 ** 30 } });
    expect(await problemOf(bomb)).toBe(`an image of ${2 ** 30} x ${2 ** 30} pixels, too large to be shown`);
  });

  it("does not become small enough", async () => {
    const noise = createPng(300, 300, { isNoisy: true });
    expect(await problemOf(noise, { bytes: 100, side: 8000 })).toBe(
      "an image of 300 x 300 pixels, too large to be shown",
    );
  });

  it("names what to install where the library is not", async () => {
    const folder = await createTemporaryFolder();
    const script = join(folder, "store.ts");
    const image = join(folder, "image.png");
    await writeFile(image, createPng(200, 10));
    await writeFile(
      script,
      `import { readFileSync } from "node:fs";
       import { registerHooks } from "node:module";
       registerHooks({ resolve(name, context, next) { return next(name === "sharp" ? "sharp-that-is-not-there" : name, context); } });
       const { storeImage } = await import("${pathToFileURL(join(import.meta.dirname, "image-store.ts"))}");
       const options = { folder: ${JSON.stringify(folder)}, limits: { bytes: 1000, side: 100 } };
       console.log(JSON.stringify(await storeImage(readFileSync(${JSON.stringify(image)}), options)));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", script]);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      problem: expect.stringMatching(/200 x 10 pixels, too large to be shown.*npm install sharp/),
    });
  });
});
