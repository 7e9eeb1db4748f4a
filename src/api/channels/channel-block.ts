// The block of a channel in the config: the keys that all channels share, those of the channel itself, and the context
// that it receives. Builds no channel.
import { createRequire } from "node:module";
import * as z from "zod";
import type { ChannelContext, ChannelKind, ChannelRow } from "../../channels/channel-kind.ts";
import type { Problem } from "../../config/problem.ts";
import { collectSecrets, isSecretName } from "../../config/secrets.ts";
import { toProblems } from "../../config/validate.ts";
import { createFetch } from "../../guards/proxy-fetch.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { Log } from "../../lib/log.ts";
import { packagePath } from "../../lib/package-root.ts";
import { toInstallCommand } from "../../lib/program-command.ts";
import { createRedactor } from "../../lib/redact.ts";
import { channelFolder, type HomePaths } from "../../storage/home.ts";

export interface BlockContext {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  /** Absent: no commands are offered, as in a test of the settings. */
  words?: Words;
}

const listed = z.array(z.coerce.string()).default([]);

/** Keys that every channel's block may hold. */
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

/** If it cannot be used: its problems, with paths into the block. */
export async function openBlock(
  row: ChannelRow,
  value: object,
  { paths, env, clock, log, words }: BlockContext,
): Promise<OpenedBlock | Problem[]> {
  const kind = await row.load();
  const block = blockSchema.safeParse(value);
  const config = kind.schema.safeParse(value);
  if (!block.success || !config.success) {
    return toProblems([...(block.error?.issues ?? []), ...(config.error?.issues ?? [])], value);
  }
  const fetch = createFetch({ proxy: block.data.proxy, setting: `channels.${row.name}.proxy`, env });
  const folder = channelFolder(paths, row.name);
  const commands = Object.entries(words?.reply.commands ?? {}).map(([name, about]) => ({ name, about }));
  return { kind, block: block.data, config: config.data, context: { clock, log, fetch, folder, commands } };
}

/** The command that installs what a channel needs and lacks; undefined: nothing. */
export function findInstallCommand({ packages }: ChannelRow): string | undefined {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  const { peerDependencies } = requireHere()("./package.json") as {
    peerDependencies: Record<string, string>;
  };
  // In the versions that we were tested with.
  return toInstallCommand(missing.map((name) => `${name}@${peerDependencies[name]}`));
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

type FieldValue = string | number | boolean | string[];

export interface FormField {
  key: string;
  kind: "text" | "secret" | "number" | "switch" | "choice" | "list";
  about: string;
  usual?: FieldValue;
  choices?: string[];
  isNeeded: boolean;
  /** Every channel has it. */
  isShared: boolean;
  /** Of a secret: whether there is one. */
  isSet?: boolean;
  value?: FieldValue;
}

type JsonSchema = Record<string, unknown>;

export interface FieldsOptions {
  /** What the config says now. */
  values: Record<string, unknown>;
  isShared: boolean;
}

export function toFields(schema: z.ZodType, { values, isShared }: FieldsOptions): FormField[] {
  const { properties, required } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  const needed = Array.isArray(required) ? required : [];
  const rows = Object.entries(isRecord(properties) ? properties : {});
  const hidden = collectSecrets(values);
  return rows.flatMap(([key, about]) => {
    const found = isRecord(about) && toField(key, about);
    if (!found) return [];
    // Such as the password in the address of a proxy.
    const isHidden = hidden.some((secret) => String(values[key]).includes(secret));
    const field = isHidden ? { ...found, kind: "secret" as const } : found;
    const value = field.kind === "secret" ? undefined : toValue(values[key]);
    return [
      {
        ...field,
        isNeeded: needed.includes(key),
        isShared,
        ...(field.kind === "secret" && { isSet: Boolean(values[key]) }),
        ...(value !== undefined && { value }),
      },
    ];
  });
}

function toField(key: string, schema: JsonSchema): Omit<FormField, "isNeeded" | "isShared"> | undefined {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : [schema];
  const plain = options.find(({ type }) => type !== "null");
  const usual = toValue(schema.default);
  const choices = Array.isArray(plain?.enum) ? plain.enum.map(String) : undefined;
  const kind = plain && toKind(key, plain);
  if (kind === undefined) return undefined;
  return {
    key,
    kind,
    about: String(schema.description ?? plain?.description ?? ""),
    ...(usual !== undefined && { usual }),
    ...(choices && { choices }),
  };
}

function toKind(key: string, { type, enum: choices }: JsonSchema): FormField["kind"] | undefined {
  if (Array.isArray(choices)) return "choice";
  if (type === "boolean") return "switch";
  if (type === "number" || type === "integer") return "number";
  if (type === "array") return "list";
  if (type !== "string") return undefined;
  return isSecretName(key) ? "secret" : "text";
}

function toValue(value: unknown): FieldValue | undefined {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}
