// Secrets that a request shows, and whether they are the right ones.
import { createHash, timingSafeEqual } from "node:crypto";

/** In a time that says nothing about how much of it was right, nor how long the right one is. */
export function isToken(given: string | undefined, token: string): boolean {
  const isEqual = timingSafeEqual(digest(given ?? ""), digest(token));
  return isEqual && token !== "";
}

export function readBearer(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
