// What kind of preview a file has, by the end of its name, and the address of its bytes.

export type FileKind = "markdown" | "table" | "image" | "pdf" | "audio" | "page" | "text" | "other";

const kinds: Record<string, FileKind> = {
  md: "markdown",
  markdown: "markdown",
  csv: "table",
  tsv: "table",
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  pdf: "pdf",
  mp3: "audio",
  ogg: "audio",
  oga: "audio",
  opus: "audio",
  m4a: "audio",
  wav: "audio",
  flac: "audio",
  html: "page",
  htm: "page",
  svg: "page",
};

export function toEnding(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return name.includes(".") ? (name.split(".").at(-1) ?? "").toLowerCase() : "";
}

/** What is none of these may be text, which only reading it tells. */
export function kindOf(path: string): FileKind {
  return kinds[toEnding(path)] ?? "text";
}

/** `page`: HTML or SVG in a frame, without scripts; `script`: with them. */
export function toFileUrl(path: string, mode: "raw" | "page" | "script" = "raw"): string {
  const bytes = new TextEncoder().encode(path);
  const base64 = btoa(String.fromCharCode(...bytes));
  return `./api/files/${mode}/${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
