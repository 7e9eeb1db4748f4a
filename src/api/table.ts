// All operations by name, and the types that adapters and clients infer from them.
import type * as z from "zod";
import { allOperations } from "./index.ts";
import type { Operation, OperationRun } from "./operation.ts";

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
