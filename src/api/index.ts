// The list of all operations, by topic.
import { channelOperations } from "./channels/channels.ts";
import { chatOperations } from "./chat/chat.ts";
import { configOperations } from "./config/config.ts";
import { contextOperations } from "./context/context.ts";
import { extensionOperations } from "./extensions/extensions.ts";
import { fileOperations } from "./files/files.ts";
import { gatewayOperations } from "./gateway/gateway.ts";
import { jobOperations } from "./jobs/jobs.ts";
import { mcpOperations } from "./mcp/mcp.ts";
import { memoryOperations } from "./memory/memory.ts";
import { modelOperations } from "./models/models.ts";
import { outboxOperations } from "./outbox/outbox.ts";
import { pairingOperations } from "./pairing/pairing.ts";
import { questionOperations } from "./questions.ts";
import { skillOperations } from "./skills/skills.ts";
import { terminalOperations } from "./terminal/terminal.ts";
import { usageOperations } from "./usage/usage.ts";

export const allOperations = [
  ...questionOperations,
  ...gatewayOperations,
  ...chatOperations,
  ...fileOperations,
  ...terminalOperations,
  ...configOperations,
  ...modelOperations,
  ...jobOperations,
  ...memoryOperations,
  ...contextOperations,
  ...usageOperations,
  ...pairingOperations,
  ...outboxOperations,
  ...channelOperations,
  ...mcpOperations,
  ...extensionOperations,
  ...skillOperations,
] as const;
