// Access tokens: creating, hashing and comparing them, and reading one from a request.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

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
