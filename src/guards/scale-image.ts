// Makes an image smaller until a model host takes it. The library is optional and loaded when first needed.
import type { ImageLimits } from "../llm/image-limits.ts";
import { readImageSides } from "./image-sides.ts";

/** `problem` is a phrase for the model and the person behind it. */
export type FittedImage = { ok: true; bytes: Buffer } | { ok: false; problem: string };

const mostPixels = 120_000_000;
/** Of the sides, tried one after the other until the bytes are few enough. */
const shares = [1, 0.75, 0.5, 0.35, 0.25, 0.12];
const mostSeconds = 60;

/** The same bytes while they are within the limits, else a JPEG that is. The same image always gives the same bytes. */
export async function fitImage(bytes: Buffer, limits: ImageLimits): Promise<FittedImage> {
  const sides = readImageSides(bytes);
  if (sides === undefined) return { ok: false, problem: "a broken image" };
  const { width, height } = sides;
  const longest = Math.max(width, height);
  if (bytes.length <= limits.bytes && longest <= limits.side) return { ok: true, bytes };
  const problem = `an image of ${width} x ${height} pixels, too large to be shown`;
  if (width * height > mostPixels) return { ok: false, problem };
  const sharp = await loadSharp();
  if (sharp === undefined)
    return {
      ok: false,
      problem: `${problem}; after "npm install sharp" in nanobot's folder it would be scaled`,
    };
  for (const share of shares) {
    const side = Math.ceil(Math.min(longest, limits.side) * share);
    const scaled = await toJpeg(sharp(bytes, { limitInputPixels: mostPixels }), side);
    if (scaled === undefined) return { ok: false, problem: "a broken image" };
    if (scaled.length <= limits.bytes) return { ok: true, bytes: scaled };
  }
  return { ok: false, problem };
}

type Sharp = typeof import("sharp")["default"];

/** Upright, on white, and of an animation the first frame. Undefined: libvips gave up, for which it has no codes. */
function toJpeg(image: ReturnType<Sharp>, side: number): Promise<Buffer | undefined> {
  return image
    .autoOrient()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .jpeg({ quality: 85 })
    .timeout({ seconds: mostSeconds })
    .toBuffer()
    .catch(() => undefined);
}

/** Undefined where it is not installed, or has no binary for this platform, which it says in words only. */
async function loadSharp(): Promise<Sharp | undefined> {
  const loaded = await import("sharp").catch(() => undefined);
  loaded?.default.cache(false);
  return loaded?.default;
}
