// What of an assistant reaches beyond a turn: messages to chats, subagents, and jobs.
import { join } from "node:path";
import type { AgentLoop } from "../agent/loop.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { ToolsOptions } from "../tools/index.ts";
import type { AppOptions } from "./build-app.ts";
import type { Reached } from "./reach-control.ts";
import { createScheduleTool } from "./schedule-tool.ts";

export interface ReachParts extends Pick<AppOptions, "paths" | "split" | "canReach" | "takesFiles"> {
  timeZone: string;
  /** The way to jobs, people and usage of the home. */
  reach(): Promise<Reached>;
}

/** The loop is there by the time that one is called. */
export function buildReach(
  { paths, split, canReach, takesFiles, reach, timeZone }: ReachParts,
  bus: MessageBus,
  loop: () => AgentLoop,
): Pick<ToolsOptions, "message" | "spawn" | "cron"> {
  return {
    cron: createScheduleTool(reach, timeZone),
    spawn: (request, context) => loop().spawn(request, context),
    message: {
      folder: join(paths.media, "sent"),
      publish: (parts) => bus.publishOutbound(parts),
      split,
      ...(takesFiles && { takesFiles }),
      canReach(chat, { origin, sessionKey }) {
        const isOwn = chat.channel === origin.channel && chat.chatId === origin.chatId;
        return isOwn ? loop().isServed(sessionKey) : canReach?.(chat) === true;
      },
    },
  };
}
