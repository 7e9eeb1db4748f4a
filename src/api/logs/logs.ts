// The operation that shows the log as it is written. The file is read only while somebody follows it.
import { join } from "node:path";
import * as z from "zod";
import type { Background } from "../../lib/background.ts";
import type { Clock } from "../../lib/clock.ts";
import { operation } from "../operation.ts";
import { LogTail } from "./log-tail.ts";

export interface LogFollowersOptions {
  /** Of the log. */
  folder: string;
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

  /** The latest lines; followers at the time that this resolves are told those that come. */
  async open(follows?: Set<"log">): Promise<string[]> {
    const { folder, background } = this.#options;
    const tail = new LogTail(join(folder, "nanobot.log"));
    const lines = await tail.readEnd(mostLines);
    follows?.add("log");
    // One watch for all who follow: another's lines go to everybody.
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

export const logOperations = [followLog] as const;
