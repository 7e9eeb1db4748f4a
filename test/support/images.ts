// Images made for a test: a PNG written by hand, and the other formats made from it.
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export interface PngOptions {
  /** Pixels that do not compress, the same at each call. */
  isNoisy?: boolean;
  /** Sides that the header claims instead of the true ones. */
  claims?: { width: number; height: number };
}

/** Greyscale, eight bits. */
export function createPng(
  width: number,
  height: number,
  { isNoisy = false, claims }: PngOptions = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claims?.width ?? width, 0);
  header.writeUInt32BE(claims?.height ?? height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  let seed = 1;
  for (let index = 0; index < rows.length; index++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    if (isNoisy) rows[index] = seed >>> 16;
    if (index % (width + 1) === 0) rows[index] = 0;
  }
  const chunks = [
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

function toChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const encoders = {
  png: (image: Sharp) => image.png(),
  "interlaced png": (image: Sharp) => image.png({ progressive: true }),
  jpeg: (image: Sharp) => image.jpeg(),
  "progressive jpeg": (image: Sharp) => image.jpeg({ progressive: true }),
  "jpeg of a camera": (image: Sharp) => image.jpeg().withExif({ IFD0: { Copyright: "c".repeat(3000) } }),
  gif: (image: Sharp) => image.gif(),
  "lossy webp": (image: Sharp) => image.webp(),
  "lossless webp": (image: Sharp) => image.webp({ lossless: true }),
  "webp with a profile": (image: Sharp) => image.webp().withIccProfile("srgb"),
};

export type ImageFormat = keyof typeof encoders;

export const imageFormats = Object.keys(encoders) as ImageFormat[];

export function createImage(format: ImageFormat, width: number, height: number): Promise<Buffer> {
  return encoders[format](sharp(createPng(width, height))).toBuffer();
}
