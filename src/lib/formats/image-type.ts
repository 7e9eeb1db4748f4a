// What an image is by its first bytes: one of the four kinds that models take.

const kinds: Array<[type: string, magic: string]> = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
];

export function sniffImageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "image/webp";
  return kinds.find(([, magic]) => start.startsWith(magic))?.[0];
}
