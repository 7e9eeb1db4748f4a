// `GET /api/files/<mode>/<path>`: a file of the caller's own, its path in base64url. `raw` is saved, or shown where it cannot
// act; `page` and `script` are HTML and SVG in a frame of the page: without network, and without scripts unless asked for.
import { basename, extname } from "node:path";
import { FileAccess } from "../../api/files/file-access.ts";
import { FileError } from "../../guards/files/file-error.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { UserError } from "../../i18n/user-error.ts";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import { ApiError } from "../http/api-error.ts";
import type { Answer, AnswerHeaders } from "../http/routes.ts";
import { sounds } from "./media-route.ts";
import type { AddReadRoutes } from "./web-routes.ts";

const pages: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".htm": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
};

const nothing =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function createFileRoute(roots: FileRoots): AddReadRoutes {
  return (routes, viewerOf) => {
    routes.get("/api/files/:mode/:path", async (context) => {
      const viewer = await viewerOf(context);
      const { mode = "", path = "" } = context.params;
      const access = new FileAccess(roots, viewer);
      const answer = await serve(Buffer.from(path, "base64url").toString("utf8"), mode, {
        roots,
        access,
      }).catch(ignoreRefusal);
      if (answer) return answer;
      throw new ApiError("There is no such file.", { status: 404, code: "not_found" });
    });
  };
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof UserError || error instanceof FileError)) throw error;
}

interface Place {
  roots: FileRoots;
  access: FileAccess;
}

async function serve(path: string, mode: string, { roots, access }: Place): Promise<Answer> {
  const { handle, path: real } = await roots.openForReading(await access.read(path), access.origin);
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const headers = toHeaders(real, mode, buffer);
    return { status: 200, headers, body: handle.createReadStream({ start: 0 }) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function toHeaders(path: string, mode: string, head: Buffer): AnswerHeaders {
  const ending = extname(path).toLowerCase();
  const page = mode === "raw" ? undefined : pages[ending];
  const shown = page ?? sniffImageType(head) ?? sounds[ending];
  const name = encodeURIComponent(basename(path).toWellFormed());
  const canRun = page !== undefined && mode === "script";
  const policy = canRun
    ? `sandbox allow-scripts; ${nothing}; script-src 'unsafe-inline'`
    : `sandbox; ${nothing}`;
  return {
    "content-type": shown ?? "application/octet-stream",
    "content-disposition": `${shown === undefined ? "attachment" : "inline"}; filename*=UTF-8''${name}`,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "content-security-policy": policy,
    "cache-control": "no-store",
  };
}
