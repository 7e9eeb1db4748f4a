// The built page: its files as the build left them, for everyone, since nothing of anyone is in them. Only plain names
// of two places are read, so that no address can lead anywhere else.
import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import type { Answer, Context, Routes } from "../http/routes.ts";

export interface WebFiles {
  addTo(routes: Routes): void;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  // Previews of files: each comes with a policy of its own, and cannot lead elsewhere.
  "frame-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff2": "font/woff2",
};
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
];
const fileName = /^\/(?:assets\/)?[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Undefined where the page was not built. */
export async function openWebFiles(folder: string): Promise<WebFiles | undefined> {
  if ((await stat(join(folder, "index.html")).catch(ignoreMissing)) === undefined) return undefined;
  return {
    addTo(routes) {
      routes.get("*", async (context) => {
        const { path = "" } = context;
        if (path === "/" || path === "/index.html") return sendPage(context, folder);
        const isFile = fileName.test(path) && extname(path) in types;
        return isFile ? sendFile(context, folder, path) : undefined;
      });
    },
  };
}

async function sendPage(context: Context, folder: string): Promise<Answer> {
  const html = await readFile(join(folder, "index.html"), "utf8");
  return context.html(html, { "content-security-policy": policy, "cache-control": "no-store" });
}

async function sendFile(context: Context, folder: string, path: string): Promise<Answer | undefined> {
  const accepted = context.header("accept-encoding") ?? "";
  const wanted = encodings.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(accepted));
  for (const encoding of [...wanted, undefined]) {
    const file = join(folder, path + (encoding?.ending ?? ""));
    const info = await stat(file).catch(ignoreMissing);
    if (!info?.isFile()) continue;
    const etag = `"${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}"`;
    const headers = {
      etag,
      vary: "accept-encoding",
      "content-type": types[extname(path)] ?? "application/octet-stream",
      "content-security-policy": policy,
      // Names in there change with what is in the file.
      "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(encoding && { "content-encoding": encoding.name }),
    };
    if (context.header("if-none-match") === etag) return { status: 304, headers };
    return { status: 200, headers, body: await readFile(file) };
  }
  return undefined;
}
