// Images as files named by their content, so that a conversation holds an address and not the bytes. What is stored is
// within a host's limits already: it is sent again as it is.

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sniffImageType } from "../lib/image-type.ts";
import { type ImageLimits, usualImageLimits } from "../llm/image-limits.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { makeFolder } from "../storage/files/change-files.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import { fitImage } from "./scale-image.ts";

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
  const name = createHash("sha256").update(fitted.bytes).digest("hex");
  const ending = sniffImageType(fitted.bytes)?.slice("image/".length).replace("jpeg", "jpg");
  const path = join(folder, `${name}.${ending}`);
  const existing = await stat(path).catch(ignoreMissing);
  if (existing?.size !== fitted.bytes.length) {
    await makeFolder(folder, 0o700);
    await writeFileAtomic(path, fitted.bytes, { mode: 0o600 });
  }
  return { ok: true, url: pathToFileURL(path).href };
}
