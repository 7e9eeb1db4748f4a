// Over HTTP: coming in, going out, who one is, and what is only read. Everything that changes something goes over the
// socket.
import { type ClientCaller, chatHeader } from "../../api/client.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { nanobot } from "../../lib/program-command.ts";
import { ApiError, toErrorBody } from "../http/api-error.ts";
import type { ReadHeader } from "../http/host-check.ts";
import { type Context, type Routes, readBody } from "../http/routes.ts";
import type { Viewer } from "../protocol.ts";
import { readHost, type WebAccess } from "./web-access.ts";

/** Routes below `/api/` that only read; `viewer` throws for a person who is not admitted. */
export type AddReadRoutes = (routes: Routes, viewer: (context: Context) => Promise<Viewer>) => void;

export interface WebRoutesOptions {
  access: WebAccess;
  publicUrl?: string;
  addReadRoutes: AddReadRoutes;
  /** Shows a new link in the gateway's terminal; absent where nobody sees one. */
  showLink?(): Promise<void>;
}

const largestBody = 4_096;
/** As long as browsers keep one; who has not been here for a month has to come in again all the same. */
const cookieSeconds = 400 * 24 * 3_600;

/** Gives back how to tell who calls an operation. */
export function addWebRoutes(
  routes: Routes,
  { access, publicUrl, addReadRoutes, showLink }: WebRoutesOptions,
): (context: Context) => Promise<ClientCaller> {
  const viewerOf = async (context: Context): Promise<Viewer> => {
    const viewer = await access.admit((name) => context.header(name), portOf(context));
    if (viewer !== undefined) return viewer;
    throw notAdmitted();
  };
  const setCookie = (context: Context, secret: string, seconds: number) => {
    const isSecure = (context.header("origin") ?? publicUrl ?? "").startsWith("https:");
    const name = access.cookieName(portOf(context));
    const parts = [`${name}=${secret}`, "HttpOnly", "SameSite=Strict", `Path=${context.base}/api`];
    context.headers["set-cookie"] = [...parts, `Max-Age=${seconds}`, ...(isSecure ? ["Secure"] : [])].join(
      "; ",
    );
  };

  routes.post("/api/enter", async (context) => {
    const body = parseJson(await readBody(context.incoming, largestBody));
    const token = isRecord(body) && typeof body.token === "string" ? body.token : "";
    const read: ReadHeader = (name) => context.header(name);
    const present = await access.admit(read, portOf(context));
    const entry = await access.enter(token, readHost(read), present);
    if (entry === "too-often") throw tooOften();
    if (entry === "wrong")
      throw new ApiError("That is not valid, or no longer.", { status: 401, code: "not_admitted" });
    if (entry === "other-person")
      throw new ApiError("This link is for another person, and this browser is signed in.", {
        status: 409,
        code: "other_person",
      });
    setCookie(context, entry.secret, cookieSeconds);
    return context.json({ viewer: entry.viewer });
  });
  // For a browser that is not signed in: only who sees the terminal can use the link.
  routes.post("/api/link", async (context) => {
    if (showLink === undefined)
      throw new ApiError("The gateway has no terminal.", { status: 404, code: "no_terminal" });
    if (!access.mayAskForLink()) throw tooOften();
    await showLink();
    return context.json({ isShown: true });
  });
  routes.post("/api/leave", async (context) => {
    const secret = access.readCookie((name) => context.header(name), portOf(context));
    // Only a page of ours may end it.
    if (secret !== undefined && context.header("origin") !== undefined) await access.leave(secret);
    setCookie(context, "", 0);
    return context.json({ viewer: null });
  });
  routes.get("/api/me", async (context) => {
    // The page says how to call the program also to a browser that is not signed in.
    context.headers["x-nanobot-command"] = nanobot;
    const viewer = await access.admit((name) => context.header(name), portOf(context));
    return viewer === undefined ? context.json(toErrorBody(notAdmitted()), 401) : context.json({ viewer });
  });
  addReadRoutes(routes, viewerOf);

  return async (context) => {
    const read: ReadHeader = (name) => context.header(name);
    const viewer =
      (await access.admit(read, portOf(context), { needsPage: true })) ?? (await access.admitNamed(read));
    if (viewer === undefined) throw notAdmitted();
    const chat = access.isProgram(read) ? readChat(read(chatHeader)) : undefined;
    if (chat === undefined) return viewer;
    const { person, role, group } = chat.origin;
    return { person, role, ...(group !== undefined && { group }), chat };
  };
}

/** Of another process of this home, which is trusted with everything. */
function readChat(header: string | null | undefined): ClientCaller["chat"] {
  const value = header ? parseJson(decodeURIComponent(header)) : undefined;
  return isRecord(value) && isRecord(value.origin) ? (value as unknown as ClientCaller["chat"]) : undefined;
}

function notAdmitted(): ApiError {
  return new ApiError(`Sign in first: ${nanobot} web prints a link.`, { status: 401, code: "not_admitted" });
}

function tooOften(): ApiError {
  return new ApiError("Too many attempts. Wait a minute.", { status: 429, code: "too_often" });
}

function portOf({ incoming }: Context): number {
  return incoming.socket.localPort ?? 0;
}
