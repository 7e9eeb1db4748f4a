// The largest image that every one of some hosts takes: a message is stored once, and any of them may be asked.
import type { Host } from "./host.ts";

/** What a model host takes. */
export interface ImageLimits {
  /** Of the image itself; on the wire base64 makes it a third larger. */
  bytes: number;
  /** Pixels of the longer side. */
  side: number;
}

/** The strictest of the usual vendors, since a gateway may pass an image on to any of them. */
export const usualImageLimits: ImageLimits = { bytes: (5 * 1024 * 1024 * 3) / 4, side: 8000 };

export function findImageLimits(hosts: readonly Host[]): ImageLimits {
  const limits = hosts.map(({ quirks }) => quirks.imageLimits ?? usualImageLimits);
  return {
    bytes: Math.min(...limits.map(({ bytes }) => bytes)),
    side: Math.min(...limits.map(({ side }) => side)),
  };
}
