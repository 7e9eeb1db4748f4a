// Images of tool results as files named by their content, so that a conversation holds an address and not the bytes.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { ImagePart } from "../llm/types.ts";
import { statIfThere } from "./path-resolver.ts";

const endings: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i;

/** The same part with a `file:` address. One that is not a `data:` address is left as it is. */
export async function storeImage(part: ImagePart, folder: string): Promise<ImagePart> {
  const { url } = part.image_url;
  const head = dataUrl.exec(url);
  if (head === null) return part;
  const bytes = Buffer.from(url.slice(head[0].length), "base64");
  const name = createHash("sha256").update(bytes).digest("hex");
  const path = join(folder, `${name}.${endings[head[1]?.toLowerCase() ?? ""] ?? "bin"}`);
  if ((await statIfThere(path)) === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, bytes, { mode: 0o600 });
  }
  return { ...part, image_url: { ...part.image_url, url: pathToFileURL(path).href } };
}
