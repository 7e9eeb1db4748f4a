// The file that came with a message, if there is one, and its bytes.
import type { Update } from "grammy/types";

export interface TelegramFile {
  id: string;
  /** "" when Telegram gives it none. */
  name: string;
}

export function findFile({ message }: Update): TelegramFile | undefined {
  const { photo, document, voice, audio, video } = message ?? {};
  const largest = photo?.at(-1);
  if (largest !== undefined) return { id: largest.file_id, name: `${largest.file_unique_id}.jpg` };
  if (voice !== undefined) return { id: voice.file_id, name: `${voice.file_unique_id}.ogg` };
  const file = document ?? audio ?? video;
  return file === undefined ? undefined : { id: file.file_id, name: file.file_name ?? "" };
}

export async function downloadFile(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok || response.body === null)
    throw new Error(`the file could not be had (${response.status})`);
  return response.body;
}
