// The log as it is written, for an owner who looks at it. The file is read only while somebody does.
import { join } from "node:path";
import * as z from "zod";
import type { HomePaths } from "../../config/home.ts";
import type { Background } from "../../lib/background.ts";
import type { Clock } from "../../lib/clock.ts";
import type { EventHub } from "../../server/event-hub.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ConfigMethods } from "../../server/protocol/config.ts";
import { LogTail } from "../log-tail.ts";

export interface LogMethodParts {
  paths: Pick<HomePaths, "logs">;
  hub: EventHub;
  clock: Clock;
  background: Background;
}

const mostLines = 500;
const lookEveryMs = 400;

export function createLogMethods(parts: LogMethodParts): MethodTable<Pick<ConfigMethods, "logs.follow">> {
  const { paths, hub, background } = parts;
  const path = join(paths.logs, "nanobot.log");
  let isWatched = false;
  async function watch(tail: LogTail, signal: AbortSignal): Promise<void> {
    isWatched = true;
    try {
      while (hub.isFollowed("log")) {
        await parts.clock.sleep(lookEveryMs, signal);
        for (const line of await tail.readAdded()) hub.publish({ type: "logged", line }, { followed: "log" });
      }
    } finally {
      isWatched = false;
    }
  }
  return {
    "logs.follow": {
      params: z.object({ isOn: z.boolean() }),
      async run({ isOn }, { follows }) {
        if (!isOn) follows.delete("log");
        if (!isOn) return { lines: [] };
        const tail = new LogTail(path);
        const lines = await tail.readEnd(mostLines);
        follows.add("log");
        // One watch for all who follow: another's lines go to everybody.
        if (!isWatched) background.run("log-not-read", (signal) => watch(tail, signal));
        return { lines };
      },
    },
  };
}
