// Operations about the heartbeat: the tasks of HEARTBEAT.md that are looked at from time to time.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { heartbeatSchema } from "../../schedule/config.ts";
import { findActiveTasks, heartbeatKey } from "../../schedule/heartbeat.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { operation } from "../operation.ts";
import type { GatewayServices } from "../services.ts";

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
  const content = await readFile(join(workspace, "HEARTBEAT.md"), "utf8").catch(ignoreMissing);
  const job = (await cron.list()).find((each) => each.id === heartbeatKey && each.kind === "system");
  const last = job?.runs.at(-1)?.runAtMs;
  const next = isEnabled ? job?.nextRunAtMs : undefined;
  return {
    isEnabled,
    everyMs: intervalS * 1000,
    target,
    tasks: findActiveTasks(content ?? ""),
    ...(last !== undefined && { lastLookAt: last }),
    ...(next !== undefined && { nextLookAt: next }),
  };
}

export const heartbeatOperations = [readHeartbeat, aimHeartbeat] as const;
