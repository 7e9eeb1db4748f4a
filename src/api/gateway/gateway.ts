// Operations about the gateway itself: state, stop and restart.
import * as z from "zod";
import type { Origin, Role } from "../../bus/types.ts";
import type { ChannelHealth } from "../../channels/manager.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import type { Background } from "../../lib/process/background.ts";
import { createQrCode } from "../../lib/qr-code.ts";
import type { HomePaths } from "../../storage/home.ts";
import { LogTail } from "../../storage/log-tail.ts";
import { operation } from "../operation.ts";
import { tokenOperations } from "./tokens.ts";

export interface WebLink {
  person: string;
  role: Role;
  /** Each lets one browser in, once: on this machine, and from outside where there is such an address. */
  urls: string[];
  /** The one from outside as a QR code for a phone: a row a line, `#` for dark. Absent where a phone can reach none. */
  code?: string[];
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
  async run({ web }, params): Promise<WebLink> {
    const viewer = toViewer(params);
    const { token, expiresAt } = web.createToken(viewer);
    // Browsers send what follows the `#` to no server, and no log has it.
    const urls = web.urls().map((url) => `${url.replace(/\/+$/, "")}/#token=${token}`);
    const outside = urls.find((url) => !isLoopbackHost(new URL(url).hostname));
    const code = outside === undefined ? undefined : await createQrCode(outside);
    return { ...viewer, urls, ...(code && { code }), expiresAt };
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

const webLinkOperations = [createLink, signOut] as const;

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

export interface LogFollowersOptions {
  paths: HomePaths;
  clock: Clock;
  background: Background;
  isFollowed(): boolean;
  tell(line: string): void;
}

const mostLines = 500;
const lookEveryMs = 400;

export class LogFollowers {
  readonly #options: LogFollowersOptions;
  #isWatched = false;

  constructor(options: LogFollowersOptions) {
    this.#options = options;
  }

  /** The latest lines; followers at the time that this resolves get those that come. */
  async open(follows?: Set<"log">): Promise<string[]> {
    const { paths, background } = this.#options;
    const tail = new LogTail(paths);
    const lines = await tail.readEnd(mostLines);
    follows?.add("log");
    // One watch for all who follow: another's lines go to everyone.
    if (follows !== undefined && !this.#isWatched)
      background.run("log-not-read", (signal) => this.#watch(tail, signal));
    return lines;
  }

  async #watch(tail: LogTail, signal: AbortSignal): Promise<void> {
    const { clock, isFollowed, tell } = this.#options;
    this.#isWatched = true;
    try {
      while (isFollowed()) {
        await clock.sleep(lookEveryMs, signal);
        for (const line of await tail.readAdded()) tell(line);
      }
    } finally {
      this.#isWatched = false;
    }
  }
}

const followLog = operation({
  name: "logs.follow",
  about:
    "The latest lines of the log. Over the socket, those that follow come as events until it is switched off or the connection ends.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({ isOn: z.boolean() }),
  async run({ logFollowers }, { isOn }, { follows }): Promise<{ lines: string[] }> {
    if (isOn) return { lines: await logFollowers.open(follows) };
    follows?.delete("log");
    return { lines: [] };
  },
});

const logOperations = [followLog] as const;

export interface GatewayStatus {
  pid: number;
  version: string;
  startedAt: number;
  model: string;
  activeTurns: number;
  channels: ChannelHealth[];
  problems: GatewayProblem[];
  /** Messages in the outbox. */
  waiting: number;
  /** Which sandbox commands run in, or why none and what to do. */
  sandbox: Phrase;
}

/** What does not work as configured, and in which channel if it is one's. */
export interface GatewayProblem {
  channel?: string;
  phrase: Phrase;
}

/** The gateway that operations run in. */
export interface GatewayControl {
  status(): Promise<GatewayStatus>;
  /** What the config said of channels when it started. */
  channelBlocks: Record<string, unknown>;
  /** Begins to end it. */
  stop(): void;
  /** Begins to start it again, and tells that chat when it is back. Absent where it cannot. */
  restart?(origin?: Origin): Promise<void>;
}

const status = operation({
  name: "gateway.status",
  about: "The model, the channels, what does not work, and how many turns and messages are under way.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run: ({ gateway }) => gateway.status(),
});

const stop = operation({
  name: "gateway.stop",
  about: "Ends the gateway. What runs is finished first.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run({ gateway }) {
    gateway.stop();
    return { isStopping: true };
  },
});

const restart = operation({
  name: "gateway.restart",
  about: "Starts the gateway again. What runs is finished first.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  async run({ gateway }, _, { chat }) {
    if (gateway.restart === undefined) throw fail("gateway.cannot-restart");
    await gateway.restart(chat?.origin);
    return { isRestarting: true };
  },
});

export const gatewayOperations = [
  status,
  stop,
  restart,
  ...webLinkOperations,
  ...tokenOperations,
  ...logOperations,
] as const;
