// Scheduled work of the program itself: the heartbeat and Dream.

import * as z from "zod";
import { parseSessionKey } from "../../bus/session-key.ts";
import type { Origin } from "../../bus/types.ts";
import type { Config } from "../../config/schema.ts";
import type { DreamOutcome } from "../../dream/dream.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { heartbeatSchema } from "../../schedule/config.ts";
import type { SystemTask } from "../../schedule/cron-service.ts";
import { Heartbeat, heartbeatKey, readActiveTasks } from "../../schedule/heartbeat.ts";
import type { DurableBus } from "../../storage/queues/durable-bus.ts";
import { ownerScope, type Scope } from "../../storage/scope.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { BuiltChannels } from "../channels/build-channels.ts";
import { toReasons } from "../memory/describe-memory.ts";
import { operation } from "../operation.ts";
import type { GatewayServices } from "../services.ts";

export interface SystemTaskParts {
  workspace: string;
  clock: Clock;
  log: Log;
  /** As the gateway was started. */
  config: Config;
  /** The chat that the heartbeat reports to, as the config says now. */
  heartbeatTarget(): string;
  bus: DurableBus;
  channels: Pick<BuiltChannels, "findOrigin">;
  sessions: SessionManager;
  dreamAll(signal: AbortSignal): Promise<Map<Scope, DreamOutcome>>;
}

export function createSystemTasks(parts: SystemTaskParts): SystemTask[] {
  const { workspace, clock, log, config, bus, sessions } = parts;
  const { enabled, intervalS, keepRecentMessages } = config.gateway.heartbeat;
  const heartbeat = new Heartbeat({
    workspace,
    intervalMs: intervalS * 1000,
    clock,
    log,
    async publish(message) {
      const session = await sessions.find(heartbeatKey, ownerScope);
      // Only recent entries matter; older ones are kept in a file of their own.
      if (session !== undefined && session.count > keepRecentMessages)
        await sessions.close(heartbeatKey, ownerScope);
      return bus.publishInbound(message);
    },
    isOpen: (id) => bus.isOpen(id),
    findTarget: () => findTarget(parts),
  });
  const { intervalH, cron } = config.agents.defaults.dream;
  const dream: SystemTask = {
    id: "dream",
    everyMs: intervalH * 3_600_000,
    ...(cron !== undefined && { cron }),
    async run(signal) {
      const reasons = [...(await parts.dreamAll(signal)).values()].flatMap(toReasons);
      return reasons.length === 0 ? undefined : phrase("dream.not-done", { reasons });
    },
  };
  return [...(enabled ? [heartbeat] : []), dream];
}

/** A chat that was chosen has the rights of the person who speaks there. */
async function findTarget({ heartbeatTarget, bus, channels }: SystemTaskParts): Promise<Origin | undefined> {
  const target = heartbeatTarget();
  if (target === "last")
    return (
      bus.findLastOrigin(isOwnerInChat) ??
      bus.findLastOrigin(isOwnerAtTerminal) ??
      channels.findOrigin(terminalChat)
    );
  const { channel, chatId } = parseSessionKey(target);
  const isThere = (origin: Origin) =>
    origin.channel === channel && origin.chatId === chatId && origin.cause === "user";
  const known = await channels.findOrigin({ channel, chatId });
  return known && (bus.findLastOrigin(isThere) ?? known);
}

/** Messages to it are stored, and shown by the page and the next terminal. */
const terminalChat = { channel: "cli", chatId: "direct" };

function isOwnerAtTerminal({ role, channel, cause }: Origin): boolean {
  return role === "owner" && channel === terminalChat.channel && cause === "user";
}

/** In private: a group must not see the owner's tasks because the owner wrote there last. */
export function isOwnerInChat({ role, channel, cause, group }: Origin): boolean {
  return role === "owner" && channel !== "cli" && cause === "user" && group === undefined;
}

export interface HeartbeatRecord {
  isEnabled: boolean;
  everyMs: number;
  /** `last`, or a chat such as `telegram:42`. */
  target: string;
  /** What of HEARTBEAT.md is to be done; the file itself is one of memory. */
  tasks: string[];
  lastLookAt?: number;
  nextLookAt?: number;
}

const readHeartbeat = operation({
  name: "heartbeat.read",
  about: "When the tasks of HEARTBEAT.md are looked at, and where the answer goes.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run: (services) => read(services),
});

const aimHeartbeat = operation({
  name: "heartbeat.aim",
  about: "Chooses the chat that the heartbeat reports to.",
  access: "owner",
  needs: "gateway",
  changes: ["jobs"],
  params: z.strictObject({ target: heartbeatSchema.shape.target.unwrap() }),
  async run(services, { target }) {
    await services.saveConfig({ gateway: { heartbeat: { target } } }, "target");
    return read(services);
  },
});

async function read({ cron, workspace, loaded }: GatewayServices): Promise<HeartbeatRecord> {
  const { enabled: isEnabled, intervalS, target } = loaded().config.gateway.heartbeat;
  const job = (await cron.list(ownerScope)).find(
    (each) => each.id === heartbeatKey && each.kind === "system",
  );
  const last = job?.runs.at(-1)?.runAtMs;
  const next = isEnabled ? job?.nextRunAtMs : undefined;
  return {
    isEnabled,
    everyMs: intervalS * 1000,
    target,
    tasks: await readActiveTasks(workspace),
    ...(last !== undefined && { lastLookAt: last }),
    ...(next !== undefined && { nextLookAt: next }),
  };
}

export const heartbeatOperations = [readHeartbeat, aimHeartbeat] as const;
