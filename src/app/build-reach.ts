// What of an assistant reaches beyond a turn: messages to chats, subagents, and jobs.
import { join } from "node:path";
import type { AgentLoop } from "../agent/loop.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { ToolsOptions } from "../tools/index.ts";
import type { AppOptions } from "./build-app.ts";
import { createCronTool } from "./cron-tool.ts";
import type { ClientFor } from "./open-client.ts";

export interface ReachParts extends Pick<AppOptions, "paths" | "split" | "canReach" | "takesFiles"> {
  timeZone: string;
  clientFor: ClientFor;
}

/** The loop is there by the time that one is called. */
export function buildReach(
  { paths, split, canReach, takesFiles, clientFor, timeZone }: ReachParts,
  bus: MessageBus,
  loop: () => AgentLoop,
): Pick<ToolsOptions, "message" | "spawn" | "cron"> {
  return {
    cron: createCronTool(clientFor, timeZone),
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
