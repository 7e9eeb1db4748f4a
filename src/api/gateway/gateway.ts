// Operations about the gateway itself: how it is, ending it, and starting it again.
import * as z from "zod";
import type { Origin } from "../../bus/types.ts";
import type { ChannelHealth } from "../../channels/manager.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { logOperations } from "../logs/logs.ts";
import { operation } from "../operation.ts";
import { tokenOperations } from "./tokens.ts";
import { webLinkOperations } from "./web-links.ts";

export interface GatewayStatus {
  pid: number;
  version: string;
  startedAt: number;
  model: string;
  activeTurns: number;
  channels: ChannelHealth[];
  problems: GatewayProblem[];
  /** Messages in the outbox. */
  waiting: number;
}

/** What does not work as configured, and in which channel if it is one's. */
export interface GatewayProblem {
  channel?: string;
  phrase: Phrase;
}

/** The gateway that operations run in. */
export interface GatewayControl {
  status(): Promise<GatewayStatus>;
  /** What the config said of channels when it started. */
  channelBlocks: Record<string, unknown>;
  /** Begins to end it. */
  stop(): void;
  /** Begins to start it again, and tells that chat when it is back. Absent where it cannot. */
  restart?(origin?: Origin): Promise<void>;
}

const status = operation({
  name: "gateway.status",
  about: "The model, the channels, what does not work, and how many turns and messages are under way.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run: ({ gateway }) => gateway.status(),
});

const stop = operation({
  name: "gateway.stop",
  about: "Ends the gateway. What runs is finished first.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run({ gateway }) {
    gateway.stop();
    return { isStopping: true };
  },
});

const restart = operation({
  name: "gateway.restart",
  about: "Starts the gateway again. What runs is finished first.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  async run({ gateway }, _, { chat }) {
    if (gateway.restart === undefined) throw fail("gateway.cannot-restart");
    await gateway.restart(chat?.origin);
    return { isRestarting: true };
  },
});

export const gatewayOperations = [
  status,
  stop,
  restart,
  ...webLinkOperations,
  ...tokenOperations,
  ...logOperations,
] as const;
