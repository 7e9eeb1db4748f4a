// The list of all operations, by topic.

import type * as z from "zod";
import { channelOperations } from "./channels/channels.ts";
import { chatOperations } from "./chat/chat.ts";
import { configOperations } from "./config/config.ts";
import { contextOperations } from "./context/context.ts";
import { extensionOperations } from "./extensions/extensions.ts";
import { fileOperations } from "./files/files.ts";
import { gatewayOperations } from "./gateway/gateway.ts";
import { homeOperations } from "./homes/homes.ts";
import { goalOperations } from "./jobs/goals.ts";
import { jobOperations } from "./jobs/jobs.ts";
import { triggerOperations } from "./jobs/triggers.ts";
import { mcpOperations } from "./mcp/mcp.ts";
import { memoryOperations } from "./memory/memory.ts";
import { modelOperations } from "./models/models.ts";
import { signInOperations } from "./models/sign-in.ts";
import { moveInOperations } from "./move-in/move-in.ts";
import type { Operation, OperationRun } from "./operation.ts";
import { outboxOperations } from "./outbox/outbox.ts";
import { pairingOperations } from "./pairing/pairing.ts";
import { questionOperations } from "./questions.ts";
import { skillOperations } from "./skills/skills.ts";
import { terminalOperations } from "./terminal/terminal.ts";
import { usageOperations } from "./usage/usage.ts";

const allOperations = [
  ...questionOperations,
  ...gatewayOperations,
  ...homeOperations,
  ...chatOperations,
  ...fileOperations,
  ...terminalOperations,
  ...configOperations,
  ...modelOperations,
  ...signInOperations,
  ...jobOperations,
  ...triggerOperations,
  ...goalOperations,
  ...memoryOperations,
  ...contextOperations,
  ...usageOperations,
  ...pairingOperations,
  ...outboxOperations,
  ...channelOperations,
  ...mcpOperations,
  ...extensionOperations,
  ...skillOperations,
  ...moveInOperations,
] as const;

type Listed = (typeof allOperations)[number];

export type Operations = { [Each in Listed as Each["name"]]: Each };
export type OperationName = keyof Operations;

export type ParamsOf<Name extends OperationName> = z.input<Operations[Name]["params"]>;
export type ResultOf<Name extends OperationName> = ToResult<ReturnType<Operations[Name]["run"]>>;
type ToResult<Returned> =
  Awaited<Returned> extends infer Result
    ? Result extends OperationRun<infer Inner>
      ? Inner
      : Result
    : never;

export const operations: ReadonlyMap<string, Operation> = new Map(
  (allOperations as unknown as readonly Operation[]).map((each) => [each.name, each]),
);
