// Operations about channels: their state, setup and test.
import * as z from "zod";
import { ChannelSetupError } from "../../bus/channel.ts";
import { phraseOfFailure } from "../../channels/channel-failure.ts";
import type { ChannelRow } from "../../channels/channel-kind.ts";
import { channelRows } from "../../channels/index.ts";
import type { ChannelHealth } from "../../channels/manager.ts";
import { isSecretName } from "../../config/secrets.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { fail, UserError } from "../../i18n/user-error.ts";
import { isRecord } from "../../lib/is-record.ts";
import { operation } from "../operation.ts";
import type { GatewayServices } from "../services.ts";
import {
  blockSchema,
  createHider,
  type FormField,
  findInstallCommand,
  openBlock,
  toFields,
} from "./channel-block.ts";
import { loadOwnChannels } from "./own-channels.ts";

export interface ChannelCard {
  name: string;
  /** A custom one. */
  isOwn: boolean;
  isEnabled: boolean;
  /** Absent: it does not run. */
  health?: ChannelHealth;
  /** Why it does not run although it is enabled. */
  problem?: Phrase;
  /** The command that installs what it needs. */
  install?: string;
  /** Its settings are not those that it runs with: the gateway has to be restarted. */
  isChanged: boolean;
}

/** `refused`: the platform does not take it; `unreachable`: nobody can tell. */
export type CheckResult =
  | { isGood: true; name: string }
  | { isGood: false; kind: "refused" | "unreachable"; reason: Phrase };

const name = z.string().min(1).max(100);
const plain = z.string().max(5_000);
/** Only changed keys; null removes one. */
const values = z.record(
  z.string().max(100),
  z.union([plain, z.number(), z.boolean(), z.array(plain).max(1_000), z.null()]),
);
const form = z.strictObject({ name, values });
type Values = z.output<typeof values>;

const checkMs = 40_000;

const listChannels = operation({
  name: "channels.list",
  about: "All channels, with the health of those that run.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  async run(services): Promise<{ channels: ChannelCard[] }> {
    const { status, channelBlocks } = services.gateway;
    const { channels: running, problems } = await status();
    const channels = (await listRows(services)).map(({ row, isOwn }): ChannelCard => {
      const live = running.find((each) => each.name === row.name);
      const problem = problems.find(({ channel }) => channel === row.name)?.phrase;
      const install = findInstallCommand(row);
      const [now, before] = [blockOf(services, row.name), toBlock(channelBlocks[row.name])];
      // A channel that is off, and was, needs no restart.
      const isUsed = now.enabled === true || before.enabled === true;
      return {
        name: row.name,
        isOwn,
        isEnabled: now.enabled === true,
        isChanged: isUsed && JSON.stringify(now) !== JSON.stringify(before),
        ...(live && { health: live }),
        ...(live === undefined && problem && { problem }),
        ...(install && { install }),
      };
    });
    return { channels };
  },
});

const readForm = operation({
  name: "channels.form",
  about: "The settings of a channel as fields of a form. Secrets are not shown, only whether there is one.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({ name }),
  async run(services, params): Promise<{ fields: FormField[]; canCheck: boolean }> {
    const row = await findRow(services, params.name);
    if (findInstallCommand(row) !== undefined) return { fields: [], canCheck: false };
    const { schema, check } = await row.load();
    const shown = { values: blockOf(services, params.name) };
    const channelFields = schema instanceof z.ZodType ? toFields(schema, { ...shown, isShared: false }) : [];
    const shared = toFields(blockSchema, { ...shown, isShared: true });
    const isNew = ({ key }: { key: string }) => channelFields.every((field) => field.key !== key);
    return { fields: [...channelFields, ...shared.filter(isNew)], canCheck: check !== undefined };
  },
});

const saveChannel = operation({
  name: "channels.save",
  about: "Changes the settings of a channel. They are used when the gateway is started again.",
  access: "owner",
  needs: "gateway",
  changes: ["channels"],
  params: form,
  async run(services, { name: wanted, values: changed }) {
    const block = blockOf(services, wanted);
    // A channel that is switched off may be half filled in.
    if (merge(block, changed).enabled === true) await open(services, wanted, changed);
    else await findRow(services, wanted);
    refuseElsewhere(block, changed);
    await services.saveConfig({ channels: { [wanted]: changed } });
    return {};
  },
});

const checkChannel = operation({
  name: "channels.check",
  about: "Asks the platform whether it takes these settings, before they are saved.",
  access: "owner",
  needs: "gateway",
  params: form,
  async run(services, { name: wanted, values: changed }): Promise<CheckResult> {
    const { kind, config, context } = await open(services, wanted, changed);
    if (kind.check === undefined) throw fail("channels.no-check");
    const block = blockOf(services, wanted);
    refuseElsewhere(block, changed);
    const signal = AbortSignal.timeout(checkMs);
    const hide = createHider({ ...block, ...changed });
    // What a channel does at its start may throw anything.
    return kind.check(config, context, signal).then(
      (own): CheckResult => ({ isGood: true, name: own }),
      (error: unknown): CheckResult => ({
        isGood: false,
        kind: error instanceof ChannelSetupError ? "refused" : "unreachable",
        reason: phraseOfFailure(error, hide),
      }),
    );
  },
});

export const channelOperations = [listChannels, readForm, saveChannel, checkChannel] as const;

async function listRows({ paths, workspace }: GatewayServices) {
  const customChannels = await loadOwnChannels({ paths, workspace });
  return [
    ...channelRows.map((row) => ({ row, isOwn: false })),
    ...customChannels.rows.map((row) => ({ row, isOwn: true })),
  ];
}

async function findRow(services: GatewayServices, wanted: string): Promise<ChannelRow> {
  const entry = (await listRows(services)).find(({ row }) => row.name === wanted);
  if (entry === undefined) throw fail("channels.not-found", { channel: wanted });
  return entry.row;
}

async function open(services: GatewayServices, wanted: string, changed: Values) {
  const row = await findRow(services, wanted);
  const command = findInstallCommand(row);
  if (command !== undefined) throw fail("channels.install-first", { command });
  const opened = await openBlock(row, merge(blockOf(services, wanted), changed), services);
  if (!Array.isArray(opened)) return opened;
  const fields = opened.map(({ path, ...problem }) => ({ ...problem, path: `values.${path}` }));
  throw new UserError(phrase("channels.not-saved"), { fields });
}

function blockOf({ loaded }: GatewayServices, wanted: string): Record<string, unknown> {
  return toBlock(loaded().config.channels[wanted]);
}

function toBlock(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function merge(block: Record<string, unknown>, changed: Values): Record<string, unknown> {
  const entries = Object.entries({ ...block, ...changed });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** A hidden secret that was entered for one address is sent to no other. */
function refuseElsewhere(block: Record<string, unknown>, changed: Values): void {
  const moved = Object.keys(changed).filter((key) => changed[key] && changed[key] !== block[key]);
  // `imapHost` is the address of what begins with `imap`; those of a whole channel have no beginning.
  const starts = moved.flatMap(
    (key) =>
      /^(.*?)(apiBase|tokenBase|uploadBase|socketUrl|serverUrl|homeserver|proxy|host)$/i.exec(key)?.[1] ?? [],
  );
  const kept = Object.keys(block).filter((key) => isSecretName(key) && block[key] && !(key in changed));
  const fields = kept.filter((key) => starts.some((start) => key.startsWith(start)));
  if (fields.length === 0) return;
  const said = phrase("channels.secret-elsewhere");
  throw new UserError(said, { fields: fields.map((key) => ({ path: `values.${key}`, phrase: said })) });
}
