// Everything that can be asked over the socket, a row for each topic.
import type { GatewayControl } from "../../api/gateway/gateway.ts";
import type { Clock } from "../../lib/clock.ts";
import type { EventHub } from "../../server/event-hub.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { Methods } from "../../server/protocol.ts";
import type { App } from "../build-app.ts";
import type { GatewayOptions } from "../build-gateway.ts";
import type { BuiltOperations } from "../build-operations.ts";
import type { OpenedState } from "../open-state.ts";
import { buildSkillsMethods } from "./build-skills-methods.ts";

/** What the topics are made of. */
export interface WebParts
  extends Pick<GatewayOptions, "paths" | "env" | "words" | "onRestart" | "workspace"> {
  app: App;
  state: OpenedState;
  status: GatewayControl["status"];
  operations: BuiltOperations;
  hub: EventHub;
  clock: Clock;
}

export function buildWebMethods(parts: WebParts): Partial<MethodTable<Methods>> {
  return {
    ...buildSkillsMethods(parts),
  };
}
