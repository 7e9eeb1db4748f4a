// The tools that reach beyond their turn: subagents, messages to chats, and images, which are shown there.
import { createImages } from "../agent/models/images.ts";
import { isToolError, type Tool } from "../runner/tool.ts";
import { createGenerateImage } from "../tools/generate-image.ts";
import { createMessage } from "../tools/message.ts";
import { createSpawn } from "../tools/spawn.ts";
import type { Assistant, Delivery } from "./build-assistant.ts";

export function createTurnTools(
  parts: Pick<Assistant, "storage" | "messaging" | "tools" | "loop"> & { delivery: Delivery },
): Tool[] {
  const { storage, messaging, delivery, tools, loop } = parts;
  const spawn = createSpawn((request, context) => loop.spawn(request, context));
  const message = createMessage(tools.roots, {
    folder: storage.environment.paths.sentMedia,
    publish: (sent) => messaging.bus.publishOutbound(sent),
    takesFiles: delivery.takesFiles,
    ...(delivery.split && { split: delivery.split }),
    canReach(chat, { origin, sessionKey }) {
      const isOwn = chat.channel === origin.channel && chat.chatId === origin.chatId;
      return isOwn ? loop.isServed(sessionKey) : delivery.canReach(chat);
    },
  });
  const { environment, count, config } = storage;
  const { env, clock, redactor } = environment;
  const image = createGenerateImage(tools.roots, {
    make: createImages({ env, clock, count, config: () => config.loaded.config, redact: redactor.redact }),
    async show(media, context) {
      if (context.origin.cause === "heartbeat") return false;
      try {
        await message.execute({ content: "", media }, context);
        return true;
      } catch (error) {
        if (isToolError(error)) return false;
        throw error;
      }
    },
  });
  const hasImages = storage.loaded.config.tools.imageGeneration.enabled;
  return [spawn, message, ...(hasImages ? [image] : [])].map((tool) => tools.guard(tool as Tool));
}
