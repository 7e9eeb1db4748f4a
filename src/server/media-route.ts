// `GET /api/media/<session>/<message>/<number>`: a file of a message, for those who may see that message. Nothing that is
// served here can act: pictures and sound are shown, everything else is only saved.
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { Conversations } from "../api/chat/conversations.ts";
import { type FileReference, toShownName } from "../api/chat/entry-view.ts";
import { mediaFolderOf, toFolderName } from "../api/files/media-folder.ts";
import type { Viewer } from "../api/operation.ts";
import { isOpen } from "../guards/home-places.ts";
import { UserError } from "../i18n/user-error.ts";
import { sniffImageType } from "../lib/image-type.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { ApiError } from "./api-error.ts";
import type { Answer } from "./routes.ts";
import type { AddReadRoutes } from "./web-routes.ts";

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
  const folder = join(workspace, "people", toFolderName(person));
  const own = [mediaFolderOf(paths, { person, role }) ?? paths.media, folder];
  const roots = role === "owner" || isGiven ? [paths.media, workspace] : own;
  const places = (await Promise.all(roots.map(findReal))).filter((place) => place !== undefined);
  // What somebody wrote is not even looked for elsewhere: how that fails would tell what is there.
  if (![...roots, ...places].some((place) => isInside(path, place))) return undefined;
  const real = await findReal(path);
  const home = await findReal(paths.home);
  if (real === undefined || (home !== undefined && isInside(real, home) && !isOpen(real, home, places)))
    return undefined;
  return places.some((place) => isInside(real, place)) ? real : undefined;
}

function findReal(path: string): Promise<string | undefined> {
  return realpath(path).catch(ignoreMissing);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

/** Undefined for what is no plain file, such as a pipe that would be waited for. */
async function serve(path: string): Promise<Answer | undefined> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(ignoreMissing);
  if (file === undefined) return undefined;
  if (!(await file.stat()).isFile()) {
    await file.close();
    return undefined;
  }
  const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
  const type = sniffImageType(buffer) ?? sounds[extname(path).toLowerCase()];
  const name = encodeURIComponent(toShownName(path).toWellFormed());
  return {
    status: 200,
    body: file.createReadStream({ start: 0 }),
    headers: {
      "content-type": type ?? "application/octet-stream",
      "content-disposition": `${type === undefined ? "attachment" : "inline"}; filename*=UTF-8''${name}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      // The next person at this browser may be somebody else.
      "cache-control": "no-store",
    },
  };
}
