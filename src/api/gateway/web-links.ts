// Operations about who may open the page: links that sign a browser in, and signing browsers out.
import * as z from "zod";
import type { Role } from "../../bus/types.ts";
import { fail } from "../../i18n/user-error.ts";
import { operation } from "../operation.ts";

export interface WebLink {
  person: string;
  role: Role;
  /** Each lets one browser in, once: on this machine, and from outside where there is such an address. */
  urls: string[];
  expiresAt: number;
}

/** The sign-ins of the page. */
export interface WebSignIns {
  createToken(viewer: Pick<WebLink, "person" | "role">): { token: string; expiresAt: number };
  /** Of one person, or of everyone; how many browsers. */
  signOut(person?: string): Promise<number>;
  /** Where the page is. */
  urls(): string[];
}

const person = z.string().max(200).optional();

const createLink = operation({
  name: "web.link",
  about: "A link that signs one browser in, once: as the owner, or as a guest of that name.",
  access: "owner",
  isAboutAccess: true,
  needs: "gateway",
  params: z.strictObject({ person, role: z.enum(["owner", "guest"]).optional() }),
  run({ web }, params): WebLink {
    const viewer = toViewer(params);
    const { token, expiresAt } = web.createToken(viewer);
    // Browsers send what stands behind the `#` to nobody, and no log has it.
    const urls = web.urls().map((url) => `${url.replace(/\/+$/, "")}/#token=${token}`);
    return { ...viewer, urls, expiresAt };
  },
});

const signOut = operation({
  name: "web.sign-out",
  about: "Signs out the browsers of one person, or all of them. Links that were not used yet end, too.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({ person }),
  run: async ({ web }, params) => ({ ended: await web.signOut(params.person) }),
});

export const webLinkOperations = [createLink, signOut] as const;

function toViewer(params: { person?: string; role?: Role }): Pick<WebLink, "person" | "role"> {
  const { person: name, role } = params;
  if (role !== "guest" && (name === undefined || name === "owner")) return { person: "owner", role: "owner" };
  if (role === "guest" && name !== undefined && isGuestName(name)) return { person: name, role };
  throw fail("web.bad-guest-name");
}

/** As guests of chats are named. */
function isGuestName(name: string): boolean {
  return name.toLowerCase() !== "owner" && /^[\p{L}\p{N}_-]{1,64}$/u.test(name);
}
