// The definition of a channel: the schema of its config block, and how it is created from it. One row of the list names
// it; everything else about it is in its own file or folder.
import type * as z from "zod";
import type { Channel } from "../bus/channel.ts";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import type { Log } from "../lib/log.ts";

/** Of the config: the block of a channel that is on. */
export function isEnabledBlock(block: unknown): block is Record<string, unknown> {
  return isRecord(block) && block.enabled === true;
}

/** What a channel gets in addition to its config. */
export interface ChannelContext {
  clock: Clock;
  log: Log;
  /** For the platform's own servers, which the owner configured; through the configured proxy. */
  fetch: typeof globalThis.fetch;
  /** Folder for what the channel remembers across restarts; its writer creates it. */
  folder: string;
  /** What can be said with a slash, for platforms that offer it in a menu of their own. */
  commands: ReadonlyArray<{ name: string; about: string }>;
}

export interface ChannelKind<Config = unknown> {
  /** Keys of the channel's block, in addition to the shared ones. */
  schema: z.ZodType<Config>;
  create(config: Config, context: ChannelContext): Channel | Promise<Channel>;
  /** Asks the platform itself whether it takes this, and gives the name that we have there. Throws as `start` does. */
  check?(config: Config, context: ChannelContext, signal: AbortSignal): Promise<string>;
}

export interface ChannelRow {
  name: string;
  /** What has to be installed in addition to the program. */
  packages: string[];
  load(): Promise<ChannelKind>;
}

/** Keeps a kind's own type of config inside of it. */
export function defineChannel<Config>({ schema, create, check }: ChannelKind<Config>): ChannelKind {
  return {
    schema,
    create: (config, context) => create(config as Config, context),
    ...(check && { check: (config, context, signal) => check(config as Config, context, signal) }),
  };
}
