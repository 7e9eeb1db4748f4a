// The sides of an image, from its head. Decodes nothing.
import { sniffImageType } from "../lib/image-type.ts";

export interface ImageSides {
  width: number;
  height: number;
}

/** Undefined when the head is cut off or no image begins like this. */
export function readImageSides(bytes: Buffer): ImageSides | undefined {
  const type = sniffImageType(bytes);
  const sides = type === "image/jpeg" ? readJpegSides(bytes) : readFixedSides(type, bytes);
  return sides !== undefined && sides.width > 0 && sides.height > 0 ? sides : undefined;
}

/** Formats with the sides at a fixed place. What is cut off reads as zero. */
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
    // Any number of FF bytes may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
