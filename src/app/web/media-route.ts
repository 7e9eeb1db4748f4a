// `GET /api/media/<session>/<message>/<number>`: a file of a message, for whoever may see that message. Nothing that is
// served here can act: pictures and sound are shown, everything else is only saved.
import { createReadStream } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import type { HomePaths } from "../../config/home.ts";
import { sniffImageType } from "../../lib/image-type.ts";
import { ignoreMissing } from "../../lib/plain-file.ts";
import { readRange } from "../../lib/with-file.ts";
import { ApiError } from "../../server/api-error.ts";
import { WishError } from "../../server/methods.ts";
import type { Viewer } from "../../server/protocol.ts";
import type { AddReadRoutes } from "../../server/web-routes.ts";
import { mediaFolderOf } from "../build-tools.ts";
import type { Conversations } from "./conversations.ts";
import type { FileReference } from "./entry-view.ts";

export interface MediaParts {
  paths: HomePaths;
  workspace: string;
  conversations: Pick<Conversations, "filesOf">;
}

const sounds: Record<string, string> = {
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".wav": "audio/wav",
  ".webm": "audio/webm",
  ".flac": "audio/flac",
};

export function createMediaRoute(parts: MediaParts): AddReadRoutes {
  return (app, viewerOf) => {
    app.get("/api/media/:session/:entry/:index", async (context) => {
      const viewer = await viewerOf(context);
      const { session, entry, index } = context.req.param();
      const sessionKey = Buffer.from(session, "base64url").toString("utf8");
      const files = await parts.conversations.filesOf(sessionKey, entry, viewer).catch(ignoreWish);
      const file = files?.[Number(index)];
      const path = file && (await findReadable(file, viewer, parts));
      if (path === undefined)
        throw new ApiError("There is no such file.", { status: 404, code: "not_found" });
      return serve(path);
    });
  };
}

function ignoreWish(error: unknown): undefined {
  if (!(error instanceof WishError)) throw error;
}

/** The real place of it, if that lies where this viewer may read what such a message names. */
async function findReadable(
  { path, isGiven }: FileReference,
  { person, role }: Viewer,
  { paths, workspace }: MediaParts,
): Promise<string | undefined> {
  const own = [mediaFolderOf(paths, { person, role }) ?? paths.media, join(workspace, "people", person)];
  const roots = role === "owner" || isGiven ? [paths.media, workspace] : own;
  const real = await realpath(path).catch(ignoreMissing);
  if (real === undefined) return undefined;
  for (const root of roots) {
    const realRoot = await realpath(root).catch(ignoreMissing);
    if (realRoot !== undefined && isInside(real, realRoot)) return real;
  }
  return undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

async function serve(path: string): Promise<Response> {
  const type = sniffImageType(await readRange(path, 0, 16)) ?? sounds[extname(path).toLowerCase()];
  const name = encodeURIComponent(basename(path).replace(/^[\da-zA-Z-]{8,64}__/, ""));
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      "content-type": type ?? "application/octet-stream",
      "content-disposition": `${type === undefined ? "attachment" : "inline"}; filename*=UTF-8''${name}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, max-age=3600",
    },
  });
}
