// The block of a channel in the config: what every one may hold, what the channel itself wants, and what a channel is
// given with it. Makes no channel.
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";
import type { ChannelContext, ChannelKind, ChannelRow } from "../../channels/channel-kind.ts";
import type { Problem } from "../../config/problem.ts";
import { collectSecrets } from "../../config/secrets.ts";
import { toProblems } from "../../config/validate.ts";
import { createFetch } from "../../guards/proxy-fetch.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { packagePath } from "../../lib/package-root.ts";
import { createRedactor } from "../../lib/redact.ts";
import type { HomePaths } from "../../storage/home.ts";

export interface BlockContext {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
}

const listed = z.array(z.coerce.string()).default([]);

/** What every channel's block may hold beside its own keys. */
export const blockSchema = z.object({
  enabled: z.boolean().default(false).describe("Whether it runs"),
  allowFrom: listed.describe("Senders who may speak here; empty: only those who were paired"),
  owners: listed.describe("Senders who are the owner"),
  groupPolicy: z
    .enum(["mention", "open", "allowlist"])
    .default("mention")
    .describe("What of a group is heard: what addresses the assistant, everything, or only listed groups"),
  groupAllowFrom: listed.describe("Groups of the list"),
  proxy: z.string().optional().describe("Proxy to the platform"),
  sendProgress: z.boolean().optional().describe("Show what is said between tool calls"),
  sendToolHints: z.boolean().optional().describe("Show a line for each tool call"),
  streaming: z.boolean().default(true).describe("Show an answer while it is written"),
  maxMediaMb: z.number().positive().default(20).describe("Largest attachment in megabytes"),
});

export type Block = z.infer<typeof blockSchema>;

export interface OpenedBlock {
  kind: ChannelKind;
  block: Block;
  config: unknown;
  context: ChannelContext;
}

/** What is wrong with it instead, with paths into the block, when it cannot be used. */
export async function openBlock(
  row: ChannelRow,
  value: object,
  { paths, env, clock, log }: BlockContext,
): Promise<OpenedBlock | Problem[]> {
  const kind = await row.load();
  const block = blockSchema.safeParse(value);
  const config = kind.schema.safeParse(value);
  if (!block.success || !config.success) {
    return toProblems([...(block.error?.issues ?? []), ...(config.error?.issues ?? [])], value);
  }
  const fetch = createFetch({ proxy: block.data.proxy, setting: `channels.${row.name}.proxy`, env });
  const folder = join(paths.run, "channels", row.name);
  return { kind, block: block.data, config: config.data, context: { clock, log, fetch, folder } };
}

/** The command that installs what a channel needs and lacks; undefined: nothing. */
export function findInstallCommand({ packages }: ChannelRow): string | undefined {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  const { peerDependencies } = requireHere()("./package.json") as {
    peerDependencies: Record<string, string>;
  };
  // In the versions that we were tested with.
  return `npm install ${missing.map((name) => `${name}@${peerDependencies[name]}`).join(" ")}`;
}

function requireHere(): NodeJS.Require {
  return createRequire(packagePath("package.json"));
}

function isInstalled(name: string): boolean {
  try {
    requireHere().resolve(name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/** Takes the secrets of a block out of a text. */
export function createHider(block: Record<string, unknown>): (text: string) => string {
  const redactor = createRedactor();
  for (const secret of collectSecrets(block)) redactor.add(secret);
  return redactor.redact;
}
