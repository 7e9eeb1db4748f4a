// The largest image that every one of some hosts takes: a message is stored once, and any of them may be asked.
import { type ImageLimits, usualImageLimits } from "../lib/scale-image.ts";
import type { Host } from "./host.ts";

export function findImageLimits(hosts: readonly Host[]): ImageLimits {
  const limits = hosts.map(({ quirks }) => quirks.imageLimits ?? usualImageLimits);
  return {
    bytes: Math.min(...limits.map(({ bytes }) => bytes)),
    side: Math.min(...limits.map(({ side }) => side)),
  };
}
