// Images as files named by their content, so that a conversation holds an address and not the bytes. Images that a model
// host would refuse are made smaller first; the library for that is optional and loaded at first use.
import { pathToFileURL } from "node:url";
import { sniffImageType } from "../lib/formats/image-type.ts";
import { type ImageLimits, usualImageLimits } from "../llm/hosts/host.ts";
import { keepImage } from "../storage/blobs/content-files.ts";

export interface ImageStoreOptions {
  folder: string;
  limits?: ImageLimits;
}

/** `problem` is a phrase for the model: "a broken image". */
export type StoredImage = { ok: true; url: string } | { ok: false; problem: string };

/** The same for a conversation that is not kept: the image itself as its address. */
export async function inlineImage(
  bytes: Buffer,
  limits: ImageLimits = usualImageLimits,
): Promise<StoredImage> {
  const fitted = await fitImage(bytes, limits);
  if (!fitted.ok) return fitted;
  const url = `data:${sniffImageType(fitted.bytes)};base64,${fitted.bytes.toString("base64")}`;
  return { ok: true, url };
}

export async function storeImage(
  bytes: Buffer,
  { folder, limits = usualImageLimits }: ImageStoreOptions,
): Promise<StoredImage> {
  const fitted = await fitImage(bytes, limits);
  if (!fitted.ok) return fitted;
  const ending = String(sniffImageType(fitted.bytes)?.slice("image/".length).replace("jpeg", "jpg"));
  return { ok: true, url: pathToFileURL(await keepImage(folder, fitted.bytes, ending)).href };
}

/** `problem` is a phrase for the model and the person behind it. */
type FittedImage = { ok: true; bytes: Buffer } | { ok: false; problem: string };

const mostPixels = 120_000_000;
/** Of the sides, tried one after the other until the bytes are few enough. */
const shares = [1, 0.75, 0.5, 0.35, 0.25, 0.12];
const mostSeconds = 60;

/** The same bytes while they are within the limits, else a JPEG that is. The same image always gives the same bytes. */
async function fitImage(bytes: Buffer, limits: ImageLimits): Promise<FittedImage> {
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

interface ImageSides {
  width: number;
  height: number;
}

/** Undefined when the head is cut off or no image begins like this. */
export function readImageSides(bytes: Buffer): ImageSides | undefined {
  const type = sniffImageType(bytes);
  const sides = type === "image/jpeg" ? readJpegSides(bytes) : readFixedSides(type, bytes);
  return sides !== undefined && sides.width > 0 && sides.height > 0 ? sides : undefined;
}

/** Formats with the dimensions at a fixed offset. Missing bytes read as zero. */
function readFixedSides(type: string | undefined, bytes: Buffer): ImageSides | undefined {
  const head = Buffer.alloc(30);
  bytes.copy(head);
  if (type === "image/png") return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  if (type === "image/gif") return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  return type === "image/webp" && bytes.length >= 25 ? readWebpSides(head) : undefined;
}

function readWebpSides(head: Buffer): ImageSides | undefined {
  switch (head.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** From segment to segment until the one that begins a frame; C4, C8 and CC look like such but are tables. */
function readJpegSides(bytes: Buffer): ImageSides | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Any number of FF bytes may be before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
