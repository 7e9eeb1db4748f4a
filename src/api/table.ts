// All operations, and the types that adapters and clients infer from them.
import type * as z from "zod";
import { channelOperations } from "./channels/channels.ts";
import { chatOperations } from "./chat/chat.ts";
import { configOperations } from "./config/config.ts";
import { fileOperations } from "./files/files.ts";
import { gatewayOperations } from "./gateway/gateway.ts";
import { jobOperations } from "./jobs/jobs.ts";
import { modelOperations } from "./models/models.ts";
import type { Operation, OperationRun } from "./operation.ts";
import { outboxOperations } from "./outbox/outbox.ts";
import { pairingOperations } from "./pairing/pairing.ts";
import { questionOperations } from "./questions.ts";
import { terminalOperations } from "./terminal/terminal.ts";
import { usageOperations } from "./usage/usage.ts";

const all = [
  ...questionOperations,
  ...gatewayOperations,
  ...chatOperations,
  ...fileOperations,
  ...terminalOperations,
  ...configOperations,
  ...modelOperations,
  ...jobOperations,
  ...usageOperations,
  ...pairingOperations,
  ...outboxOperations,
  ...channelOperations,
] as const;

type Listed = (typeof all)[number];

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
  (all as unknown as readonly Operation[]).map((each) => [each.name, each]),
);
