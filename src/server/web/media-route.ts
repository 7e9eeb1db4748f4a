// `GET /api/media/<session>/<message>/<number>`: a file of a message, for those who may see that message. Nothing that is
// served here can act: pictures and sound are shown, everything else is only saved.
import { extname, relative, sep } from "node:path";
import type { Conversations } from "../../api/chat/conversations.ts";
import { type FileReference, toShownName } from "../../api/chat/entry-view.ts";
import type { Viewer } from "../../api/operation.ts";
import { isOpen } from "../../guards/files/protected-places.ts";
import { UserError } from "../../i18n/user-error.ts";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import { findRealPath, openServed } from "../../storage/blobs/message-files.ts";
import type { HomePaths } from "../../storage/home.ts";
import { mediaOf, rootOf } from "../../storage/scope-folders.ts";
import { ApiError } from "../http/api-error.ts";
import type { Answer } from "../http/routes.ts";
import type { AddReadRoutes } from "./web-routes.ts";

export interface MediaParts {
  paths: HomePaths;
  workspace: string;
  conversations: Pick<Conversations, "filesOf">;
}

export const sounds: Record<string, string> = {
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
  return (routes, viewerOf) => {
    routes.get("/api/media/:session/:entry/:index", async (context) => {
      const viewer = await viewerOf(context);
      const { session = "", entry = "", index } = context.params;
      const sessionKey = Buffer.from(session, "base64url").toString("utf8");
      const read = sessionKey !== "" && parts.conversations.filesOf(sessionKey, entry, viewer);
      const files = read ? await read.catch(ignoreRefusal) : undefined;
      const file = files?.[Number(index)];
      const path = file && (await findReadable(file, viewer, parts));
      const answer = path && (await serve(path));
      if (answer) return answer;
      throw new ApiError("There is no such file.", { status: 404, code: "not_found" });
    });
  };
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}

/** The real place of it, if that lies where this viewer may read what such a message names. */
async function findReadable(
  { path, isGiven }: FileReference,
  { person, role }: Viewer,
  { paths, workspace }: MediaParts,
): Promise<string | undefined> {
  const scope = `person:${person}` as const;
  const ownRoots = [mediaOf(paths, scope), rootOf(workspace, scope)];
  const roots = role === "owner" || isGiven ? [paths.media, workspace] : ownRoots;
  const places = (await Promise.all(roots.map(findRealPath))).filter((place) => place !== undefined);
  // A path that a user wrote is not looked up elsewhere: the kind of failure would reveal what is there.
  if (![...roots, ...places].some((place) => isInside(path, place))) return undefined;
  const real = await findRealPath(path);
  const home = await findRealPath(paths.home);
  if (real === undefined || (home !== undefined && isInside(real, home) && !isOpen(real, home, places)))
    return undefined;
  return places.some((place) => isInside(real, place)) ? real : undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

/** Undefined if it is not a plain file, such as a pipe that would be waited for. */
async function serve(path: string): Promise<Answer | undefined> {
  const file = await openServed(path);
  if (file === undefined) return undefined;
  const type = sniffImageType(file.head) ?? sounds[extname(path).toLowerCase()];
  const name = encodeURIComponent(toShownName(path).toWellFormed());
  return {
    status: 200,
    body: file.body,
    headers: {
      "content-type": type ?? "application/octet-stream",
      "content-disposition": `${type === undefined ? "attachment" : "inline"}; filename*=UTF-8''${name}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      // The next person at this browser may be another one.
      "cache-control": "no-store",
    },
  };
}
